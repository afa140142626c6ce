/** Digits shown of the base's hash: it only spares a vain attempt, for the result's is always proved. */
export const SHOWN_BASE = 4;
/** Digits shown of the result's hash. */
export const SHOWN_RESULT = 6;

/** The first line of an update message. */
export interface Header {
  readonly label: string;
  /** Version the message starts from; undefined when it carries the whole document for anyone. */
  readonly from: number | undefined;
  readonly to: number;
  /** Beginnings of the short hashes, where the message names them. */
  readonly base: string | undefined;
  readonly result: string | undefined;
  /** Line ends of the result where they are not those of the base. */
  readonly newline: "\n" | "\r\n" | undefined;
  /** What stands behind a `|`: the older prose form. */
  readonly prose: string | undefined;
}

const TAG = "[CONTEXT-UPDATE] ";
const LABEL = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u;
const VERSIONED = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})-v(\d{1,9})(?:(?:→|->)v?(\d{1,9}))?$/u;
const HASH = /^[0-9a-f]{4,64}$/;

/** Whether a label can stand in a message. */
export function isLabel(label: string): boolean {
  return LABEL.test(label);
}

/** `[CONTEXT-UPDATE] GC-v3→4 22f9→cd5f01`; without a version to start from, `[CONTEXT-UPDATE] GC-v4 cd5f01`. */
export function writeHeader({ label, from, to, base, result, newline }: Omit<Header, "prose">): string {
  const versions = from === undefined ? `${label}-v${to}` : `${label}-v${from}→${to}`;
  const hashes = base === undefined ? result : `${base}→${result}`;
  return `${TAG}${versions} ${hashes}${newline === undefined ? "" : newline === "\n" ? " LF" : " CRLF"}`;
}

/** Reads a header in this form or the documents' older ones; undefined when the line is none. */
export function readHeader(line: string): Header | undefined {
  if (!line.startsWith(TAG) || line.length > 4_096) return undefined;
  const bar = line.indexOf(" | ");
  const prose = bar < 0 ? undefined : line.slice(bar + 3);
  const words = (bar < 0 ? line : line.slice(0, bar)).slice(TAG.length).trim().split(" ");
  const first = VERSIONED.exec(words.shift()!);
  if (first === null) return undefined;
  const label = first[1]!;
  let from: number | undefined;
  let to = Number(first[3] ?? first[2]);
  if (first[3] !== undefined) from = Number(first[2]);
  else if (words[0] === "→" || words[0] === "->") {
    const second = VERSIONED.exec(words[1] ?? "");
    if (second?.[1] !== label || second[3] !== undefined) return undefined;
    words.splice(0, 2);
    from = to;
    to = Number(second[2]);
  }
  const hashes =
    words[0] === undefined || words[0] === "LF" || words[0] === "CRLF" ? [] : words.shift()!.split("→");
  if (!hashes.every(hash => HASH.test(hash)) || hashes.length > (from === undefined ? 1 : 2))
    return undefined;
  const newline = words[0] === "LF" ? "\n" : words[0] === "CRLF" ? "\r\n" : undefined;
  if (words.length > (newline === undefined ? 0 : 1)) return undefined;
  const [base, result] = hashes.length === 2 ? hashes : [undefined, hashes[0]];
  return { label, from, to, base, result, newline, prose };
}
