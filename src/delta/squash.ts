import { fail, ok, type Result } from "../ports/index.ts";
import { diffLines } from "./diff.ts";
import type { Conflict, Delta, Hunk } from "./types.ts";

/** One delta with the effect of two in a row. The second must begin where the first ends. */
export function squash(first: Delta, second: Delta): Result<Delta, Conflict> {
  if (first.result !== second.base) {
    return fail({
      kind: "chain",
      expected: first.result,
      found: second.base,
      message: `The second delta begins at ${second.base}, the first ends at ${first.result}`,
    });
  }
  const { base } = first;
  const { result } = second;
  if (base === result) return ok({ base, result, hunks: [] });
  return ok({ base, result, hunks: compose(first.hunks, second.hunks) });
}

/** A hunk with the lines it covers in the document between the two deltas. */
interface Placed {
  readonly from: number;
  readonly to: number;
  readonly hunk: Hunk;
}

/** Merges hunks that overlap or touch in the middle document; what both only passed through drops out again. */
function compose(first: readonly Hunk[], second: readonly Hunk[]): Hunk[] {
  const before = place(first, hunk => hunk.added.length, true);
  const after = place(second, hunk => hunk.removed.length, false);
  const hunks: Hunk[] = [];
  let shift = 0;
  let one = 0;
  let two = 0;
  while (one < before.length || two < after.length) {
    const startOne = one;
    const startTwo = two;
    let to = Math.min(before[one]?.from ?? Infinity, after[two]?.from ?? Infinity);
    const from = to;
    for (;;) {
      if (one < before.length && before[one]!.from <= to) to = Math.max(to, before[one++]!.to);
      else if (two < after.length && after[two]!.from <= to) to = Math.max(to, after[two++]!.to);
      else break;
    }
    const mine = before.slice(startOne, one);
    const theirs = after.slice(startTwo, two);
    const removed = replay(from, to, mine, theirs, hunk => hunk.removed);
    const added = replay(from, to, theirs, mine, hunk => hunk.added);
    for (const hunk of diffLines(removed, added, from - shift)) hunks.push(hunk);
    for (const { hunk } of mine) shift += hunk.added.length - hunk.removed.length;
  }
  return hunks;
}

function place(hunks: readonly Hunk[], length: (hunk: Hunk) => number, shifted: boolean): Placed[] {
  let shift = 0;
  return hunks.map(hunk => {
    const from = hunk.at + shift;
    if (shifted) shift += hunk.added.length - hunk.removed.length;
    return { from, to: from + length(hunk), hunk };
  });
}

/**
 * The lines of one outer document for the middle's `[from, to)`: those of `own` hunks where they stand, elsewhere the
 * middle's lines, which a hunk of the `other` delta covers and so spells out on the same side.
 */
function replay(
  from: number,
  to: number,
  own: readonly Placed[],
  other: readonly Placed[],
  lines: (hunk: Hunk) => readonly string[],
): string[] {
  const result: string[] = [];
  let next = 0;
  let at = from;
  const middle = (until: number): void => {
    while (at < until) {
      while (other[next]!.to <= at) next++;
      const { hunk, from: start } = other[next]!;
      result.push(lines(hunk)[at++ - start]!);
    }
  };
  for (const placed of own) {
    middle(placed.from);
    for (const line of lines(placed.hunk)) result.push(line);
    at = placed.to;
  }
  middle(to);
  return result;
}
