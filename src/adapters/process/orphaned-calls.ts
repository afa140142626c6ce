import { pause } from "./deadlines.ts";
import { findOrphanedCalls } from "./proc-table.ts";

/**
 * Waits until nothing is under way any more that a killed process had called: a git that moves a branch a moment after
 * somebody has read it would undo what they conclude. Returns what still lives after `withinMs`. Never throws.
 */
export async function orphanedCallsEnd(withinMs = 10_000): Promise<readonly number[]> {
  const until = performance.now() + withinMs;
  for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
    const left = look();
    if (left?.length === 0 || performance.now() >= until) return left ?? [];
    await pause(wait);
  }
}

/** Undefined when files or memory are too short to look. */
function look(): readonly number[] | undefined {
  try {
    return findOrphanedCalls();
  } catch {
    return undefined;
  }
}
