/** A run of the old sequence, `[a, aEnd)`, that gives way to a run of the new one, `[b, bEnd)`. */
export interface Edit {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** Receives matched pairs in rising order. */
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
  const size = 2 * limit + 3;
  const furthest = new Int32Array(size);
  const trace: Int32Array[] = [];
  const origin = limit + 1;
  let best = { k: 0, x: 0, depth: 0 };
  for (let depth = 0; depth <= limit; depth++) {
    best = { k: 2, x: 0, depth };
    for (let k = -depth; k <= depth; k += 2) {
      const down = k === -depth || (k !== depth && furthest[origin + k - 1]! < furthest[origin + k + 1]!);
      let x = down ? furthest[origin + k + 1]! : furthest[origin + k - 1]! + 1;
      let y = x - k;
      while (x < width && y < height && old[a + x] === next[b + y]) {
        x++;
        y++;
      }
      furthest[origin + k] = x;
      if (x <= width && y <= height && x + y > 2 * best.x - best.k) best = { k, x, depth };
      if (x >= width && y >= height) {
        trace.push(furthest.slice(origin - depth, origin + depth + 1));
        return walkBack(trace, { k, x, depth }, { a, b }, match);
      }
    }
    trace.push(furthest.slice(origin - depth, origin + depth + 1));
  }
  return walkBack(trace, best, { a, b }, match);
}

function walkBack(
  trace: readonly Int32Array[],
  from: { k: number; x: number; depth: number },
  start: { a: number; b: number },
  match: Match,
): { a: number; b: number } {
  const runs: [number, number, number][] = [];
  let { k, x } = from;
  const end = { a: start.a + x, b: start.b + x - k };
  for (let depth = from.depth; depth > 0; depth--) {
    const before = trace[depth - 1]!;
    const at = (diagonal: number): number => before[diagonal + depth - 1] ?? -1;
    const down = k === -depth || (k !== depth && at(k - 1) < at(k + 1));
    const previous = down ? k + 1 : k - 1;
    const fromX = at(previous);
    const entered = down ? fromX : fromX + 1;
    if (x > entered) runs.push([entered, entered - k, x - entered]);
    k = previous;
    x = fromX;
  }
  if (x > 0) runs.push([0, 0, x]);
  for (const [fromA, fromB, length] of runs.reverse()) {
    for (let step = 0; step < length; step++) match(start.a + fromA + step, start.b + fromB + step);
  }
  return end;
}
