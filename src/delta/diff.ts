import { categoryOf } from "./category.ts";
import { shortHash } from "./hash.ts";
import { diffStrings } from "./intern.ts";
import { linesBetween, numberLines } from "./line-table.ts";
import { diffSequences } from "./patience.ts";
import type { Delta, Hunk } from "./types.ts";

/** The exact difference of two documents: `apply(diff(a, b), a)` is `b`, whatever the two are. */
export function diff(old: string, next: string): Delta {
  const base = shortHash(old);
  if (old === next) return { base, result: base, hunks: [] };
  return { base, result: shortHash(next), hunks: diffTexts(old, next) };
}

function diffTexts(old: string, next: string): Hunk[] {
  const lines = numberLines(old, next);
  if (lines === undefined) return diffLines(old.split("\n"), next.split("\n"), 0);
  return diffSequences(lines.old.numbers, lines.next.numbers).map(({ a, aEnd, b, bEnd }) =>
    hunkOf(a, linesBetween(lines.old, a, aEnd), linesBetween(lines.next, b, bEnd)),
  );
}

/** Hunks between two lists of lines, the first of which begins at line `at` of a document. */
export function diffLines(old: readonly string[], next: readonly string[], at: number): Hunk[] {
  return diffStrings(old, next).map(edit =>
    hunkOf(at + edit.a, old.slice(edit.a, edit.aEnd), next.slice(edit.b, edit.bEnd)),
  );
}

/** A hunk with its category. */
export function hunkOf(at: number, removed: readonly string[], added: readonly string[]): Hunk {
  return { at, removed, added, category: categoryOf(removed, added) };
}
