import type { Category, Delta } from "./types.ts";

/** Sizes of a delta. */
export interface DeltaStats {
  readonly hunks: number;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly categories: Readonly<Record<Category, number>>;
}

/** Counts what a delta holds. */
export function stats(delta: Delta): DeltaStats {
  const categories: Record<Category, number> = { structural: 0, value: 0, artifact: 0, progress: 0 };
  let addedLines = 0;
  let removedLines = 0;
  for (const hunk of delta.hunks) {
    categories[hunk.category]++;
    addedLines += hunk.added.length;
    removedLines += hunk.removed.length;
  }
  return { hunks: delta.hunks.length, addedLines, removedLines, categories };
}

/** Whether a delta changes nothing. */
export function isEmpty(delta: Delta): boolean {
  return delta.hunks.length === 0;
}
