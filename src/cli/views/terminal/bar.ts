import type { Piece } from "./paint.ts";

/** How far something is: each part counted in tasks. */
export interface Progress {
  readonly completed: number;
  /** Ended without success. */
  readonly broken: number;
  readonly running: number;
  readonly total: number;
}

/** A bar of `width` columns, none of 0: done, broken, running and open parts differ in shape where there is no colour. */
export function bar(progress: Progress, width: number): Piece[] {
  const { completed, broken, running, total } = progress;
  // The end of each part is rounded once, so the parts always add up; only a finished bar is full.
  const end = (count: number) => {
    if (count >= total) return total === 0 ? 0 : width;
    return Math.min(Math.max(0, width - 1), Math.round((width * count) / total));
  };
  const ends = [end(completed), end(completed + broken), end(completed + broken + running), width];
  const looks = [
    ["━", "green"],
    ["×", "red"],
    ["╍", "cyan"],
    ["─", "dim"],
  ] as const;
  return looks.map(([sign, style], at) => ({
    text: sign.repeat(Math.max(0, (ends[at] ?? 0) - (ends[at - 1] ?? 0))),
    style,
  }));
}

/** The share that is done, rounded down: 100 % means all of it. */
export function percent(done: number, total: number): string {
  return `${total === 0 ? 100 : Math.floor((100 * done) / total)}%`;
}
