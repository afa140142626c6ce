import { firstLine } from "../text/index.ts";

/** Characters of a reason that are kept (document 004, FAIL reason). */
export const REASON_LENGTH = 100;

/** What a signal may begin with. */
export interface SignalWords {
  /** Counts only on the last line that says anything. */
  readonly yes: `${string}:`;
  /** Counts on any line, with or without a reason behind it, and outranks the other. */
  readonly no: `${string}:`;
}

/** What the signals in a message say. */
export interface SignalReading {
  readonly says: "yes" | "no" | "none";
  /** What stands behind the first `no`; empty for nothing. */
  readonly reason: string;
  /** The message without its own signals. */
  readonly rest: string;
  /** Lines that look like signals but are none of these; at most five, for the log. */
  readonly foreign: readonly string[];
}

const MAX_FOREIGN = 5;

type LineKind =
  | { readonly kind: "yes" | "no"; readonly reason: string }
  | { readonly kind: "foreign" | "other" };

const OTHER: LineKind = { kind: "other" };

/** What people and models put around a line they quote, stress or list. */
const DECORATION = " \t>*_`\"'#-+|([{\u201c\u2018\u300c";
const MAX_DECORATION = 12;

function isSignalWord(line: string, at: number, { yes, no }: SignalWords): boolean {
  return line.startsWith(yes, at) || line.startsWith(no, at);
}

/** A line that a reader could take for a signal, though it is none; for the log only. */
function looksLikeSignal(line: string, words: SignalWords): boolean {
  let at = 0;
  while (at < MAX_DECORATION && DECORATION.includes(line[at]!)) at++;
  return isSignalWord(line, at, words);
}

function readLine(line: string, words: SignalWords, names: readonly string[]): LineKind {
  if (!isSignalWord(line, 0, words)) return looksLikeSignal(line, words) ? { kind: "foreign" } : OTHER;
  const isYes = line.startsWith(words.yes);
  const begin = (isYes ? words.yes : words.no).length;
  for (const name of names) {
    if (!line.startsWith(name, begin)) continue;
    const end = begin + name.length;
    if (line.length === end) return { kind: isYes ? "yes" : "no", reason: "" };
    if (!isYes && line[end] === ":")
      return { kind: "no", reason: firstLine(line.slice(end + 1), REASON_LENGTH) };
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

/** The fence that is open behind a line of marks. */
function openBehind(line: Fence & { readonly bare: boolean }, open: Fence | undefined): Fence | undefined {
  const closes = open !== undefined && line.mark === open.mark && line.length >= open.length && line.bare;
  return closes ? undefined : (open ?? line);
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

/** A message whose last code fence is closed, so that what is set behind it is no code. Linear. */
export function fenceClosed(message: string): string {
  let open: Fence | undefined;
  for (const raw of linesOf(message)) {
    const fence = fenceAt(raw.trim());
    if (fence !== undefined) open = openBehind(fence, open);
  }
  return open === undefined ? message : `${message.trimEnd()}\n${open.mark.repeat(open.length)}`;
}

/**
 * Reads the signals of a message: a word and one of the names, alone on a line and not inside code. Everything else that looks
 * like a signal is foreign and says nothing. Linear.
 */
export function readSignals(message: string, words: SignalWords, names: readonly string[]): SignalReading {
  const foreign: string[] = [];
  const rest: string[] = [];
  let last = OTHER;
  let refusal: string | undefined;
  let open: Fence | undefined;
  for (const raw of linesOf(message)) {
    const line = raw.trim();
    const fence = fenceAt(line);
    if (line === "" || fence !== undefined) rest.push(raw);
    if (line === "") continue;
    if (fence !== undefined) {
      open = openBehind(fence, open);
      last = OTHER;
      continue;
    }
    const read = readLine(line, words, names);
    const quoted = read.kind !== "other" && (open !== undefined || isIndentedCode(raw));
    if ((read.kind === "foreign" || quoted) && foreign.length < MAX_FOREIGN)
      foreign.push(firstLine(line, REASON_LENGTH));
    last = quoted ? OTHER : read;
    if (last.kind === "no") refusal ??= last.reason;
    if (last.kind === "other" || last.kind === "foreign") rest.push(raw);
  }
  const says = refusal !== undefined ? "no" : last.kind === "yes" ? "yes" : "none";
  return { says, reason: refusal ?? "", rest: rest.join("\n").trim(), foreign };
}
