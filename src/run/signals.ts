import { readSignals } from "./signal-lines.ts";

export { fenceClosed, REASON_LENGTH } from "./signal-lines.ts";

/** What an agent claims about its own task. A claim is no proof yet. */
export type Claim =
  | { readonly kind: "done" }
  | { readonly kind: "fail"; readonly reason: string }
  /** Not a single valid signal of its own stood where it had to. */
  | { readonly kind: "none" };

export interface Judgement {
  readonly claim: Claim;
  /** Lines that look like signals but are not this attempt's; at most five, for the log. */
  readonly foreign: readonly string[];
}

export interface SignalRules {
  readonly task: string;
  /** New for each attempt; the prompt never shows it joined to `DONE:`. */
  readonly nonce: string;
  /** `nonce`: `DONE:T1.3#k7f2` counts. `plain`: the documents' bare `DONE:T1.3` counts as well. */
  readonly signals: "nonce" | "plain";
}

const WORDS = { yes: "DONE:", no: "FAIL:" } as const;
const NO_REASON = "no reason given";

function namesOf({ task, nonce, signals }: SignalRules): string[] {
  return [`${task}#${nonce}`, ...(signals === "plain" ? [task] : [])];
}

/** A final message without the signals of its own that stand in it. */
export function withoutSignals(finalMessage: string, rules: SignalRules): string {
  return readSignals(finalMessage, WORDS, namesOf(rules)).rest;
}

/**
 * Reads what the agent's final message claims (DESIGN section 10). The last line that says anything must be the
 * attempt's own signal, alone on its line and not inside code. A FAIL of its own anywhere outranks a DONE.
 * Everything else that looks like a signal is reported as foreign and proves nothing. Linear.
 */
export function judgeMessage(finalMessage: string, rules: SignalRules): Judgement {
  const { says, reason, foreign } = readSignals(finalMessage, WORDS, namesOf(rules));
  if (says === "no") return { claim: { kind: "fail", reason: reason === "" ? NO_REASON : reason }, foreign };
  return { claim: { kind: says === "yes" ? "done" : "none" }, foreign };
}
