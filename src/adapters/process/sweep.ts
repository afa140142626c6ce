import { pause } from "./deadlines.ts";
import type { Marker } from "./markers.ts";
import { findMarked } from "./proc-table.ts";

export interface Sweep {
  /** Processes that were sent SIGKILL, each once. */
  readonly ended: readonly number[];
  /** Processes that still lived when time was up: stuck in the kernel, or another user's. */
  readonly left: readonly number[];
}

/**
 * Ends every process that carries the marker with SIGKILL, however it detached itself, and looks again until
 * none is left or `withinMs` are over. A first look that finds none is the whole sweep. Never throws.
 *
 * Not found: processes that erased their own environment, and all of them where there is no `/proc`.
 */
export async function sweep(marker: Marker, withinMs = 5_000): Promise<Sweep> {
  const until = performance.now() + withinMs;
  const ended = new Set<number>();
  let found = findMarked(marker);
  // One that is just being replaced by `exec` has no environment for a moment: after a kill, two looks must be empty.
  let quiet = found.length === 0 ? 2 : 0;
  let wait = 1;
  while (quiet < 2 && performance.now() < until) {
    for (const pid of found) {
      if (endProcess(pid)) ended.add(pid);
    }
    await pause(wait);
    wait = Math.min(2 * wait, 50);
    found = findMarked(marker);
    quiet = found.length === 0 ? quiet + 1 : 0;
  }
  return { ended: [...ended], left: found };
}

/** SIGKILL to one process; false when it is not there or not ours. */
function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** A signal to a whole process group; false when nothing in it could be signalled. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  // 0 and 1 would mean our own group and everything.
  if (!Number.isSafeInteger(group) || group <= 1) return false;
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
