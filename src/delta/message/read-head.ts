import { readQuoted } from "./quote.ts";

export const KINDS = ["CHANGED", "REMOVED", "REPLACED", "ADDED", "MOVED", "REWRAPPED"] as const;

/** Behind the lines of a paragraph that `REWRAPPED` makes one line. */
export const ONE_LINE = " in one line";

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
  /** Of `REWRAPPED`: the most characters of a line, Infinity for one line. */
  readonly width?: number;
  /** The section's new title, in `CHANGED §Old → New`. */
  readonly title?: string;
}

/** Takes `- KIND[ §ref][ after KEY| before KEY| from KEY[ (n lines)]][: text]` apart, or undefined. */
export function readHead(line: string): Head | undefined {
  const kind = KINDS.find(word => line.startsWith(word, 2));
  if (kind === undefined || !line.startsWith("- ")) return undefined;
  let rest = line.slice(2 + kind.length);
  if (kind === "ADDED" && rest.startsWith(" after §")) rest = rest.slice(6);
  let ref: string | undefined;
  const renamed = kind === "CHANGED" && rest.startsWith(" §") ? renaming(rest.slice(2)) : undefined;
  if (renamed !== undefined)
    return { kind, where: undefined, key: undefined, count: 1, text: undefined, ...renamed };
  if (rest.startsWith(" §")) {
    const end = refEnd(rest, 2, kind);
    ref = rest.slice(2, end).trimEnd();
    rest = rest.slice(end);
  }
  const nothing = { kind, ref, where: undefined, key: undefined, count: 1 } as const;
  if (kind === "MOVED" && (rest === "" || !rest.startsWith(":"))) return moved(nothing, rest);
  if (kind === "CHANGED" || kind === "REMOVED" || kind === "MOVED") {
    if (rest === "") return ref === undefined ? undefined : { ...nothing, text: undefined };
    if (rest === ":") return { ...nothing, text: "" };
    if (rest.startsWith(": ")) return { ...nothing, text: rest.slice(2) };
    return ref === undefined && rest.startsWith(" ") ? { ...nothing, text: rest.slice(1) } : undefined;
  }
  return placed(nothing, rest);
}

/** `Old → New`: another title for a section. A colon before the arrow, or bare behind it, makes it a change of words. */
function renaming(text: string): { readonly ref: string; readonly title: string } | undefined {
  const start = readQuoted(text, 0)?.end ?? 0;
  const arrow = text.indexOf(" → ", start);
  if (arrow < 0 || colonAt(text, start) < arrow) return undefined;
  const written = text.slice(arrow + 3);
  const read = readQuoted(written, 0);
  if (read !== undefined && read.end !== written.length) return undefined;
  const title = read?.value ?? (colonAt(written, 0) < written.length ? "" : written);
  return title === "" || title.includes("\n") ? undefined : { ref: text.slice(0, arrow), title };
}

/** ` after §Other` or ` before §Other`, behind a whole section, or ` KEY after OTHER` without a section. */
function moved(head: Omit<Head, "text">, rest: string): Head | undefined {
  const where = (["after", "before"] as const).find(word => rest.startsWith(` ${word} §`));
  if (where === undefined)
    return head.ref === undefined && rest.startsWith(" ") ? { ...head, text: rest.slice(1) } : undefined;
  const key = rest.slice(where.length + 3);
  return head.ref === undefined || key === "" ? undefined : { ...head, where, key, text: undefined };
}

function placed(head: Omit<Head, "text">, rest: string): Head | undefined {
  const where = (["after", "before", "from"] as const).find(word => rest.startsWith(` ${word} `));
  let key: string | undefined;
  let count = 1;
  let at = 0;
  if (where !== undefined) {
    const start = where.length + 2;
    at = colonAt(rest, readQuoted(rest, start)?.end ?? start);
    const named =
      head.kind === "REWRAPPED" ? readWidth(rest.slice(start, at)) : { range: rest.slice(start, at) };
    const range = named === undefined ? undefined : readRange(named.range);
    if (range === undefined) return undefined;
    ({ key, count } = range);
    if (named?.width !== undefined) head = { ...head, width: named.width };
  }
  const tail = rest.slice(at);
  if (tail === "") return { ...head, where, key, count, text: undefined };
  if (tail === ":") return { ...head, where, key, count, text: "" };
  return tail.startsWith(": ") ? { ...head, where, key, count, text: tail.slice(2) } : undefined;
}

/** `RANGE at 80` or `RANGE in one line`. */
function readWidth(text: string): { readonly range: string; readonly width?: number } | undefined {
  if (text.endsWith(ONE_LINE)) return { range: text.slice(0, -ONE_LINE.length), width: Infinity };
  const at = text.lastIndexOf(" at ");
  const digits = text.slice(at + 4);
  return at < 0 || !/^\d{1,5}$/.test(digits)
    ? undefined
    : { range: text.slice(0, at), width: Number(digits) };
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
  if (kind === "CHANGED" || kind === "REMOVED" || (kind === "MOVED" && end < text.length)) return end;
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

/** `KEY after OTHER` or `KEY (n lines) before OTHER`, taken apart at the first such word behind the key. */
export function readMove(text: string):
  | {
      readonly key: string;
      readonly count: number;
      readonly where: "after" | "before";
      readonly other: string;
    }
  | undefined {
  const start = readQuoted(text, 0)?.end ?? 1;
  const found = / (after|before) /.exec(text.slice(start));
  const range = found === null ? undefined : readRange(text.slice(0, start + found.index));
  if (found === null || range === undefined) return undefined;
  const other = text.slice(start + found.index + found[0].length);
  return other === "" ? undefined : { ...range, where: found[1] as "after" | "before", other };
}
