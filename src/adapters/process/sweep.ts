import { pause } from "./deadlines.ts";
import type { Beginning } from "./descent.ts";
import type { Marker } from "./markers.ts";
import { findMarked, withRelatives } from "./proc-table.ts";

export interface Sweep {
  /** Processes that were sent SIGKILL, each once. */
  readonly ended: readonly number[];
  /** Processes that still lived when time was up: stuck in the kernel, or another user's. */
  readonly left: readonly number[];
}

/**
 * Ends every process that carries one of the markers with SIGKILL, however it detached itself, with its descendants and its
 * whole session, and looks again until none is left or `withinMs` are over. A first look that finds none is the whole
 * sweep. Processes that were begun before `since` are passed by, and those without an entry that begins with `of`. Never throws.
 *
 * Not found: processes without the marker (started with `env -i`, or having overwritten their environment) that
 * detached themselves from all that carry it; and all of them where there is no `/proc`.
 */
export async function sweep(
  marker: Marker | readonly Marker[],
  withinMs = 5_000,
  since?: Beginning,
  of?: Marker,
): Promise<Sweep> {
  const until = performance.now() + withinMs;
  const ended = new Set<number>();
  let left: readonly number[] = [];
  // One that is just being replaced by `exec` has no environment for a moment: after a kill two looks must be empty.
  let needed = 1;
  for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
    const found = look(marker, since, of);
    if (found?.length === 0) needed -= 1;
    else needed = 2;
    left = found ?? left;
    if (needed === 0 || performance.now() >= until) return { ended: [...ended], left };
    for (const pid of left) {
      if (endProcess(pid)) ended.add(pid);
    }
    await pause(wait);
  }
}

/** Undefined when files or memory are too short to look. */
function look(
  marker: Marker | readonly Marker[],
  since: Beginning | undefined,
  of: Marker | undefined,
): readonly number[] | undefined {
  try {
    const marked = findMarked(marker, since, of);
    return marked.length === 0 ? marked : withRelatives(marked);
  } catch {
    return undefined;
  }
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
