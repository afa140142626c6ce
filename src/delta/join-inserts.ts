import { diffStrings } from "./intern.ts";
import type { Edit } from "./myers.ts";

/** A text as its lines without their ends; `ended` where a newline stands behind the last one. */
interface Lines {
  readonly lines: readonly string[];
  readonly ended: boolean;
}

/**
 * The lines of a text. One that lacks only its newline counts as the same with it, so that appending to it changes no old
 * line; undefined where a carriage return at the end could belong to the line or to a newline that is missing.
 */
function readLines(text: string): Lines | undefined {
  const lines = text.split("\n");
  const last = lines.pop()!;
  if (last === "") return { lines, ended: true };
  if (last.endsWith("\r")) return undefined;
  lines.push(lines.at(-1)?.endsWith("\r") === true ? `${last}\r` : last);
  return { lines, ended: false };
}

function writeLines(lines: readonly string[], ended: boolean): string {
  if (lines.length === 0) return "";
  const text = lines.join("\n");
  if (ended) return `${text}\n`;
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** How many lines two texts begin with in common. */
function commonStart(ours: readonly string[], theirs: readonly string[]): number {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  return at;
}

/** Lines of one side that come to stand in place of lines of the base. */
function linesOf(edit: Edit, side: readonly string[]): readonly string[] {
  return side.slice(edit.b, edit.bEnd);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

/** Two edits that meet, as one run of lines; undefined where one of them is more than an insertion. */
function meet(
  one: readonly string[],
  other: readonly string[],
  a: Edit,
  b: Edit,
): readonly string[] | undefined {
  if (a.a === b.a && a.aEnd === b.aEnd && isSame(one, other)) return one;
  const insertOnly = a.a === a.aEnd && b.a === b.aEnd;
  return insertOnly ? [...one, ...other] : undefined;
}

/** Both sides' edits of the base in its order; undefined where two meet that are no insertions at one place. */
function mergeEdits(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  const left = diffStrings(base, ours);
  const right = diffStrings(base, theirs);
  const joined: string[] = [];
  let from = 0;
  const take = (edit: Edit, lines: readonly string[]) => {
    joined.push(...base.slice(from, edit.a), ...lines);
    from = edit.aEnd;
  };
  for (let at = 0, to = 0; at < left.length || to < right.length; ) {
    const one = left[at];
    const other = right[to];
    if (other === undefined || (one !== undefined && one.aEnd < other.a)) {
      take(one!, linesOf(one!, ours));
      at++;
    } else if (one === undefined || other.aEnd < one.a) {
      take(other, linesOf(other, theirs));
      to++;
    } else {
      const both = meet(linesOf(one, ours), linesOf(other, theirs), one, other);
      if (both === undefined) return undefined;
      take(one, both);
      at++;
      to++;
    }
  }
  joined.push(...base.slice(from));
  return joined;
}

/**
 * Joins two descendants of a text. Where both inserted lines at one place, those of `ours` stand before those of `theirs`;
 * the same change on both sides stands once. Undefined where both changed the same old lines, or lines that touch. Without a
 * base, what both begin with is the base. Texts are any characters, such as bytes read as Latin-1.
 */
export function joinInserts(base: string | undefined, ours: string, theirs: string): string | undefined {
  const one = readLines(ours);
  const other = readLines(theirs);
  const known = base === undefined ? undefined : readLines(base);
  if (one === undefined || other === undefined || (base !== undefined && known === undefined))
    return undefined;
  const lines = known?.lines ?? one.lines.slice(0, commonStart(one.lines, other.lines));
  const joined = mergeEdits(lines, one.lines, other.lines);
  if (joined === undefined) return undefined;
  // The side that differs from the base has changed it; a base without lines has no last newline to keep.
  const wasEnded = lines.length > 0 && known !== undefined ? known.ended : false;
  const ended = one.ended === wasEnded ? other.ended : one.ended;
  return writeLines(joined, ended);
}
