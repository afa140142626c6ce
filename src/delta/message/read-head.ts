import { readQuoted } from "./quote.ts";

export const KINDS = ["CHANGED", "REMOVED", "REPLACED", "ADDED"] as const;

/** The first line of an operation, taken apart; nothing is looked up yet. */
export interface Head {
  readonly kind: (typeof KINDS)[number];
  /** Section reference without `§`; undefined: the section of the operation before. */
  readonly ref: string | undefined;
  readonly where: "after" | "before" | "from" | undefined;
  /** Key behind `where`. */
  readonly key: string | undefined;
  readonly count: number;
  /** What stands behind the colon; undefined without a colon, empty when the text follows below. */
  readonly text: string | undefined;
}

/** Takes `- KIND[ §ref][ after KEY| before KEY| from KEY[ (n lines)]][: text]` apart, or undefined. */
export function readHead(line: string): Head | undefined {
  const kind = KINDS.find(word => line.startsWith(word, 2));
  if (kind === undefined || !line.startsWith("- ")) return undefined;
  let rest = line.slice(2 + kind.length);
  if (kind === "ADDED" && rest.startsWith(" after §")) rest = rest.slice(6);
  let ref: string | undefined;
  if (rest.startsWith(" §")) {
    const end = refEnd(rest, 2, kind);
    ref = rest.slice(2, end).trimEnd();
    rest = rest.slice(end);
  }
  const nothing = { kind, ref, where: undefined, key: undefined, count: 1 } as const;
  if (kind === "CHANGED" || kind === "REMOVED") {
    if (rest === "") return ref === undefined ? undefined : { ...nothing, text: undefined };
    if (rest === ":") return { ...nothing, text: "" };
    if (rest.startsWith(": ")) return { ...nothing, text: rest.slice(2) };
    return ref === undefined && rest.startsWith(" ") ? { ...nothing, text: rest.slice(1) } : undefined;
  }
  return placed(nothing, rest);
}

function placed(head: Omit<Head, "text">, rest: string): Head | undefined {
  const where = (["after", "before", "from"] as const).find(word => rest.startsWith(` ${word} `));
  let key: string | undefined;
  let count = 1;
  let at = 0;
  if (where !== undefined) {
    const start = where.length + 2;
    at = colonAt(rest, readQuoted(rest, start)?.end ?? start);
    const range = readRange(rest.slice(start, at));
    if (range === undefined) return undefined;
    ({ key, count } = range);
  }
  const tail = rest.slice(at);
  if (tail === "") return { ...head, where, key, count, text: undefined };
  if (tail === ":") return { ...head, where, key, count, text: "" };
  return tail.startsWith(": ") ? { ...head, where, key, count, text: tail.slice(2) } : undefined;
}

/** `KEY` or `KEY (n lines)`. */
export function readRange(text: string): { readonly key: string; readonly count: number } | undefined {
  if (!text.endsWith(" lines)")) return text === "" ? undefined : { key: text, count: 1 };
  const open = text.lastIndexOf(" (");
  const digits = text.slice(open + 2, -" lines)".length);
  if (open <= 0 || !/^\d{1,9}$/.test(digits)) return undefined;
  return { key: text.slice(0, open), count: Number(digits) };
}

/** Where a section reference ends: a quoted one behind its quote and number, a bare one before a colon or a place. */
function refEnd(text: string, from: number, kind: Head["kind"]): number {
  const read = readQuoted(text, from);
  if (read !== undefined) {
    let end = read.end;
    if (text[end] === "#")
      do end++;
      while (text[end]! >= "0" && text[end]! <= "9");
    return end;
  }
  let end = colonAt(text, from);
  if (kind === "CHANGED" || kind === "REMOVED") return end;
  for (const word of [" after ", " before ", " from "]) {
    const at = text.indexOf(word, from);
    if (at >= 0 && at < end) end = at;
  }
  return end;
}

/** The first colon that a blank or the end follows; the text's length without one. */
function colonAt(text: string, from: number): number {
  for (let at = text.indexOf(":", from); at >= 0; at = text.indexOf(":", at + 1)) {
    if (at + 1 === text.length || text[at + 1] === " ") return at;
  }
  return text.length;
}
