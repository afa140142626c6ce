/** A run of the old sequence, `[a, aEnd)`, that gives way to a run of the new one, `[b, bEnd)`. */
export interface Edit {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** Receives matched pairs, in any order. */
export type Match = (a: number, b: number) => void;

/** Differences looked at before the search commits to the furthest path: bounds time by length × this. */
const DEPTH = 200;

/**
 * Matches `old[a..aEnd)` with `next[b..bEnd)` by Myers' greedy search. After {@link DEPTH} differences it keeps the
 * path that came furthest and starts anew from its end, so the time is linear in the length for any input.
 */
export function myers(old: Uint32Array, next: Uint32Array, range: Edit, match: Match): void {
  let { a, b } = range;
  while (a < range.aEnd && b < range.bEnd) {
    const reached = search(old, next, { a, aEnd: range.aEnd, b, bEnd: range.bEnd }, match);
    a = reached.a;
    b = reached.b;
  }
}

/** One bounded search; reports the matches of the best path and where it ended. */
function search(
  old: Uint32Array,
  next: Uint32Array,
  { a, aEnd, b, bEnd }: Edit,
  match: Match,
): { a: number; b: number } {
  const width = aEnd - a;
  const height = bEnd - b;
  const limit = Math.min(DEPTH, width + height);
  const origin = limit + 1;
  // A diagonal that no path has come to loses against all others.
  const furthest = new Int32Array(2 * limit + 3).fill(-1);
  const trace: Int32Array[] = [];
  for (let depth = 0; ; depth++) {
    let best = { k: 0, x: 0, sum: -1 };
    for (let k = -depth; k <= depth; k += 2) {
      let x = Math.max(furthest[origin + k - 1]! + 1, furthest[origin + k + 1]!);
      let y = x - k;
      while (x < width && y < height && old[a + x] === next[b + y]) {
        x++;
        y++;
      }
      furthest[origin + k] = x;
      if (x <= width && y <= height && x + y > best.sum) best = { k, x, sum: x + y };
    }
    trace.push(furthest.slice(origin - depth, origin + depth + 1));
    if (depth === limit || best.sum === width + height) return walkBack(trace, best, { a, b }, match);
  }
}

function walkBack(
  trace: readonly Int32Array[],
  from: { k: number; x: number },
  start: { a: number; b: number },
  match: Match,
): { a: number; b: number } {
  let { k, x } = from;
  const end = { a: start.a + x, b: start.b + x - k };
  for (let depth = trace.length - 1; depth >= 0; depth--) {
    const before = (diagonal: number): number => trace[depth - 1]?.[diagonal + depth - 1] ?? -1;
    const left = before(k - 1);
    const above = before(k + 1);
    for (; x > left + 1 && x > above; x--) match(start.a + x - 1, start.b + x - 1 - k);
    if (above > left) k++;
    else k--;
    x = Math.max(left, above);
  }
  return end;
}
