import type { Base } from "./base.ts";
import type { Edits, LineEdit } from "./edits.ts";
import { resolveKey } from "./keys.ts";
import { endOf } from "./place.ts";
import { type Budget, changedText, OVERSPENT } from "./read-change.ts";
import { type Head, readMove } from "./read-head.ts";
import { resolveRef, targetOf } from "./refs.ts";
import { joined, wrapped } from "./wrapping.ts";

/** Why an operation cannot be carried out. */
export interface Unreadable {
  readonly kind: "syntax" | "unresolved" | "needs-section" | "limit";
  /** The operation's first line. */
  readonly operation: string;
  readonly reason: string;
  /** For `needs-section`: the section whose text is to be sent. */
  readonly section?: string;
}

/** A refusal of an operation that the caller names. */
export type Refusal = Omit<Unreadable, "operation">;

type Range = Pick<LineEdit, "from" | "to">;

/** The lines that a key and a count name. */
export function rangeOf(base: Base, section: number, key: string, count: number): Range | string {
  const found = resolveKey(base.view, base.keys(section), key);
  if (typeof found === "string") return found;
  const to = found.line + count;
  return to > base.view.lines.length
    ? `${count} lines from ${key} reach beyond the end`
    : { from: found.line, to };
}

/** `KEY after OTHER`: lines that stand elsewhere now; `OTHER` is a line of the section, or `§Section` with or without one. */
export function move(
  base: Base,
  section: number,
  text: string,
  edits: Edits,
  budget: Budget,
): string | undefined {
  const split = readMove(text);
  if (split === undefined) return `Not a move: ${text}`;
  const found = rangeOf(base, section, split.key, split.count);
  if (typeof found === "string") return found;
  const at = placeOf(base, section, split.where, split.other);
  return typeof at === "string" ? at : put(base, found, at, edits, budget);
}

/** Moves a section with all its subsections. */
export function moveTree(
  base: Base,
  section: number,
  { where, key }: Head,
  edits: Edits,
  budget: Budget,
): number | Refusal {
  const { line, treeEnd, level } = base.view.sections[section]!;
  const other = resolveRef(base.view, base.names, key!);
  if (typeof other === "string") return { kind: "unresolved", reason: other };
  if (level === 0) return { kind: "syntax", reason: "Only a section with a heading can be moved whole" };
  const target = base.view.sections[other]!;
  const at = where === "after" ? target.treeEnd : target.line;
  const refused = put(base, { from: line, to: treeEnd }, at, edits, budget);
  return refused === undefined
    ? 1
    : { kind: refused === OVERSPENT ? "limit" : "unresolved", reason: refused };
}

/** The line before which something goes that is set before or after another. */
function placeOf(base: Base, section: number, where: "after" | "before", other: string): number | string {
  const named = other.startsWith("§") ? targetOf(base, other.slice(1)) : { section, key: other };
  if (typeof named === "string") return named;
  if (named.key === undefined)
    return where === "after" ? endOf(base.view, named.section).at : "A line goes after a section's text";
  const found = resolveKey(base.view, base.keys(named.section), named.key);
  return typeof found === "string" ? found : found.line + (where === "after" ? 1 : 0);
}

function put(
  { view }: Base,
  { from, to }: Range,
  at: number,
  edits: Edits,
  budget: Budget,
): string | undefined {
  if (at >= from && at <= to) return "Nothing moves to where it stands";
  budget.lines -= to - from;
  if (budget.lines < 0) return OVERSPENT;
  const lines = view.lines.slice(from, to);
  edits.lines.push({ from, to, lines: [] }, { from: at, to: at, lines });
  return undefined;
}

/** Characters of a paragraph, at most, that breaks elsewhere: a stranger could name a whole document many times. */
const LONGEST_PARAGRAPH = 20_000;

/** Characters of a range, as far as the limit. */
function lengthOf({ view }: Base, { from, to }: Range): number {
  let length = 0;
  for (let at = from; at < to && length <= LONGEST_PARAGRAPH; at++) length += view.lines[at]!.length + 1;
  return length;
}

/** Breaks a paragraph elsewhere, with what changed of its words. */
export function rewrap(
  base: Base,
  section: number,
  head: Head,
  below: readonly string[],
  edits: Edits,
): number | Refusal {
  const { where, key, count, width, text } = head;
  if (where !== "from" || width === undefined || below.some(line => line.trim() !== ""))
    return { kind: "syntax", reason: "Not a paragraph's new line ends" };
  const range = rangeOf(base, section, key!, count);
  if (typeof range === "string") return { kind: "unresolved", reason: range };
  if (lengthOf(base, range) > LONGEST_PARAGRAPH)
    return { kind: "limit", reason: "The paragraph is too long" };
  const paragraph = joined(base.view.lines.slice(range.from, range.to));
  const changed = text === undefined ? paragraph.text : changedText(paragraph.text, text);
  if (changed === undefined) return { kind: "unresolved", reason: "Its words do not stand in the paragraph" };
  edits.lines.push({ ...range, lines: wrapped({ ...paragraph, text: changed }, width) });
  return 1;
}
