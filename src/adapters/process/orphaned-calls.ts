import { pause } from "./deadlines.ts";
import { end } from "./end-calls.ts";
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

/** How long one that is told to end may take for that. */
const ENDING = 5_000;

/**
 * The same, but what still lives then is told to end: a git that fills a large folder would go on writing into what is cleared away
 * meanwhile. It takes its locks away first.
 */
export async function endOrphanedCalls(withinMs?: number): Promise<readonly number[]> {
  const left = await orphanedCallsEnd(withinMs);
  if (left.length === 0) return left;
  for (const pid of left) end(pid, "SIGTERM");
  return orphanedCallsEnd(ENDING);
}

/** Undefined when files or memory are too short to look. */
function look(): readonly number[] | undefined {
  try {
    return findOrphanedCalls();
  } catch {
    return undefined;
  }
}
