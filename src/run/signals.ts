import { firstLine } from "../text/index.ts";
import { REASON_LENGTH } from "./attempts.ts";

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

const MAX_FOREIGN = 5;
/** A signal line longer than this is cut before it is looked at: nobody needs a megabyte of reason. */
const MAX_LINE = 4096;

type LineKind =
  | { readonly kind: "done" | "fail"; readonly reason: string }
  | { readonly kind: "foreign" | "other" };

function readLine(line: string, rules: SignalRules): LineKind {
  const done = line.startsWith("DONE:");
  if (!done && !line.startsWith("FAIL:")) return { kind: "other" };
  const rest = line.slice(5);
  const names = [`${rules.task}#${rules.nonce}`, ...(rules.signals === "plain" ? [rules.task] : [])];
  for (const name of names) {
    if (rest === name)
      return done ? { kind: "done", reason: "" } : { kind: "fail", reason: "no reason given" };
    if (!done && rest.startsWith(`${name}:`)) {
      const reason = firstLine(rest.slice(name.length + 1), REASON_LENGTH);
      return { kind: "fail", reason: reason === "" ? "no reason given" : reason };
    }
  }
  return { kind: "foreign" };
}

/** Splits into lines without keeping all of them twice; a carriage return before LF is not part of the line. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, Math.min(to, from + MAX_LINE)).trim();
    if (end < 0) return;
    from = end + 1;
  }
}

/**
 * Reads what the agent's final message claims (DESIGN section 10). The last line that says anything must be the
 * attempt's own signal, alone on its line and outside a code fence. A FAIL of its own anywhere outranks a DONE.
 * Everything else that looks like a signal is reported as foreign and proves nothing.
 */
export function judgeMessage(finalMessage: string, rules: SignalRules): Judgement {
  const foreign: string[] = [];
  let last: LineKind = { kind: "other" };
  let failure: string | undefined;
  let inFence = false;
  for (const line of linesOf(finalMessage)) {
    if (line === "") continue;
    if (line.startsWith("```") || line.startsWith("~~~")) {
      inFence = !inFence;
      last = { kind: "other" };
      continue;
    }
    const read = readLine(line, rules);
    const quoted = inFence && (read.kind === "done" || read.kind === "fail");
    if ((read.kind === "foreign" || quoted) && foreign.length < MAX_FOREIGN)
      foreign.push(firstLine(line, REASON_LENGTH));
    last = quoted ? { kind: "other" } : read;
    if (last.kind === "fail") failure ??= last.reason;
  }
  if (failure !== undefined) return { claim: { kind: "fail", reason: failure }, foreign };
  return { claim: last.kind === "done" ? { kind: "done" } : { kind: "none" }, foreign };
}
