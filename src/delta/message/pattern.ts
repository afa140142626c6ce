import { lineShape } from "../../markdown/index.ts";
import { oldSide, readQuoted } from "./quote.ts";
import { findWhole } from "./words.ts";

/** How a message names old text: all of it, its beginning and end (`from…to`), or its beginning up to the line's end. */
export interface Pattern {
  readonly from: string;
  /** Undefined: only `from` is meant. Empty: all up to the line's end. */
  readonly to?: string;
}

export interface Found {
  readonly from: number;
  readonly to: number;
}

/** Writes a pattern. */
export function writePattern({ from, to }: Pattern): string {
  if (to === undefined) return oldSide(from);
  return `${oldSide(from)}…${to === "" ? "" : oldSide(to)}`;
}

/** Reads a pattern; undefined when it is not one. */
export function readPattern(text: string): Pattern | undefined {
  const first = readAtom(text, 0);
  if (first === undefined) return undefined;
  if (first.end === text.length) return { from: first.value };
  if (text[first.end] !== "…") return undefined;
  if (first.end + 1 === text.length) return { from: first.value, to: "" };
  const last = readAtom(text, first.end + 1);
  return last?.end === text.length ? { from: first.value, to: last.value } : undefined;
}

function readAtom(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  const read = readQuoted(text, at);
  if (read !== undefined) return read.value === "" ? undefined : read;
  const mark = text.indexOf("…", at);
  const end = mark < 0 ? text.length : mark;
  return end === at ? undefined : { value: text.slice(at, end), end };
}

/** Where a pattern stands in a line from column `from` on, if it stands there exactly once. */
export function findPattern(line: string, pattern: Pattern, from: number): Found | "absent" | "ambiguous" {
  const start = findWhole(line, pattern.from, from);
  if (start < 0) return "absent";
  if (findWhole(line, pattern.from, start + 1) >= 0) return "ambiguous";
  const end = start + pattern.from.length;
  if (pattern.to === undefined) return { from: start, to: end };
  if (pattern.to === "") return { from: start, to: line.length };
  const last = findWhole(line, pattern.to, end);
  return last < 0 ? "absent" : { from: start, to: last + pattern.to.length };
}

/** Where the task box of a line stands, `[` and `]` included. */
export function boxAt(line: string): Found | undefined {
  if (lineShape(line).box === undefined) return undefined;
  const from = line.indexOf("[");
  return { from, to: from + 3 };
}
