import { firstLine } from "../text/index.ts";

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

/** Characters of a failure that are kept (document 004, FAIL reason). */
export const REASON_LENGTH = 100;

const MAX_FOREIGN = 5;
const NO_REASON = "no reason given";

type LineKind =
  | { readonly kind: "done" | "fail"; readonly reason: string }
  | { readonly kind: "foreign" | "other" };

const OTHER: LineKind = { kind: "other" };

/** What people and models put around a line they quote, stress or list. */
const DECORATION = " \t>*_`\"'#-+|([{\u201c\u2018\u300c";
const MAX_DECORATION = 12;

function isSignalWord(line: string, at: number): boolean {
  return line.startsWith("DONE:", at) || line.startsWith("FAIL:", at);
}

/** A line that a reader could take for a signal, though it is none; for the log only. */
function looksLikeSignal(line: string): boolean {
  let at = 0;
  while (at < MAX_DECORATION && at < line.length && DECORATION.includes(line[at]!)) at++;
  return isSignalWord(line, at);
}

function readLine(line: string, rules: SignalRules): LineKind {
  if (!isSignalWord(line, 0)) return looksLikeSignal(line) ? { kind: "foreign" } : OTHER;
  const done = line.startsWith("DONE:");
  const names = [`${rules.task}#${rules.nonce}`, ...(rules.signals === "plain" ? [rules.task] : [])];
  for (const name of names) {
    if (!line.startsWith(name, 5)) continue;
    const end = 5 + name.length;
    if (line.length === end) return done ? { kind: "done", reason: "" } : { kind: "fail", reason: NO_REASON };
    if (done || line[end] !== ":") continue;
    const reason = firstLine(line.slice(end + 1), REASON_LENGTH);
    return { kind: "fail", reason: reason === "" ? NO_REASON : reason };
  }
  return { kind: "foreign" };
}

/** A Markdown code fence that is open. */
interface Fence {
  readonly mark: string;
  readonly length: number;
}

/** The fence a line opens or closes; `bare` when nothing follows the marks. */
function fenceAt(line: string): (Fence & { readonly bare: boolean }) | undefined {
  const mark = line[0];
  if (mark !== "`" && mark !== "~") return undefined;
  let length = 1;
  while (line[length] === mark) length++;
  // Backticks after the marks make it a line of inline code.
  if (length < 3 || (mark === "`" && line.includes("`", length))) return undefined;
  return { mark, length, bare: line.length === length };
}

/** Four spaces or a tab make a Markdown line code. */
function isIndentedCode(raw: string): boolean {
  return raw.startsWith("    ") || /^ {0,3}\t/.test(raw);
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end < 0 ? text.length : end);
    if (end < 0) return;
    from = end + 1;
  }
}

/**
 * Reads what the agent's final message claims (DESIGN section 10). The last line that says anything must be the
 * attempt's own signal, alone on its line and not inside code. A FAIL of its own anywhere outranks a DONE.
 * Everything else that looks like a signal is reported as foreign and proves nothing. Linear.
 */
export function judgeMessage(finalMessage: string, rules: SignalRules): Judgement {
  const foreign: string[] = [];
  let last = OTHER;
  let failure: string | undefined;
  let open: Fence | undefined;
  for (const raw of linesOf(finalMessage)) {
    const line = raw.trim();
    if (line === "") continue;
    const fence = fenceAt(line);
    if (fence !== undefined) {
      const closes =
        open !== undefined && fence.mark === open.mark && fence.length >= open.length && fence.bare;
      open = closes ? undefined : (open ?? fence);
      last = OTHER;
      continue;
    }
    const read = readLine(line, rules);
    const quoted = read.kind !== "other" && (open !== undefined || isIndentedCode(raw));
    if ((read.kind === "foreign" || quoted) && foreign.length < MAX_FOREIGN)
      foreign.push(firstLine(line, REASON_LENGTH));
    last = quoted ? OTHER : read;
    if (last.kind === "fail") failure ??= last.reason;
  }
  if (failure !== undefined) return { claim: { kind: "fail", reason: failure }, foreign };
  return { claim: last.kind === "done" ? { kind: "done" } : { kind: "none" }, foreign };
}
