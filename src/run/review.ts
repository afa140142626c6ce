import { readSignals } from "./signal-lines.ts";

/** What a reviewer says of a task's work. */
export type Opinion =
  | { readonly kind: "approved" }
  /** What has to be mended, in the reviewer's own words; foreign text, and never empty. */
  | { readonly kind: "findings"; readonly text: string }
  /** No valid signal stood where it had to: it said nothing. */
  | { readonly kind: "none" };

const WORDS = { yes: "APPROVE:", no: "CHANGES:" } as const;
/** What stands for findings that were not given. */
export const NO_FINDINGS = "no findings given";

/**
 * Reads what a reviewer's final message says, by the rules of `judgeMessage`: nothing but `APPROVE:` and the id of this review
 * alone on the last line is an approval, and a `CHANGES:` of its own anywhere outranks it. `id` ends in a nonce that stands
 * nowhere in what is reviewed. Linear.
 */
export function judgeReview(
  finalMessage: string,
  id: string,
): { readonly opinion: Opinion; readonly foreign: readonly string[] } {
  const { says, reason, rest, foreign } = readSignals(finalMessage, WORDS, [id]);
  if (says === "yes") return { opinion: { kind: "approved" }, foreign };
  if (says === "none") return { opinion: { kind: "none" }, foreign };
  const text = [rest, reason].filter(part => part !== "").join("\n");
  return { opinion: { kind: "findings", text: text === "" ? NO_FINDINGS : text }, foreign };
}
