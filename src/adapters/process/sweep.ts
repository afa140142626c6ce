import { pause } from "./deadlines.ts";
import type { Beginning } from "./descent.ts";
import type { Marker } from "./markers.ts";
import { type Search, searchMarked, withRelatives } from "./proc-table.ts";

/** Milliseconds for which a process that is being replaced by `exec` is waited for, to learn whether it is marked. */
const REPLACED_MS = 1_000;

export interface Sweep {
  /** Processes that were sent SIGKILL, each once. */
  readonly ended: readonly number[];
  /** Processes that still lived when time was up: stuck in the kernel, or another user's. */
  readonly left: readonly number[];
}

/**
 * Ends every process that carries one of the markers with SIGKILL, however it detached itself, with its descendants and its
 * whole session, and looks again until none is left or `withinMs` are over. A first look that finds none, and none that is
 * just being replaced by `exec`, is the whole sweep. Processes that were begun before `since` are passed by, and those without an entry that begins with `of`. Never throws.
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
  const began = performance.now();
  const until = began + withinMs;
  const ended = new Set<number>();
  let left: readonly number[] = [];
  // Those of the first look: what is replaced later was looked at before, or begun by what was.
  let unknown: readonly number[] | undefined;
  // What was just being started by one that was killed is there at the next look: after a kill two must be empty.
  let needed = 1;
  for (let wait = 1; ; wait = Math.min(2 * wait, 50)) {
    const found = look(marker, since, of);
    left = found?.found ?? left;
    if (performance.now() >= began + REPLACED_MS) unknown = [];
    else if (found !== undefined)
      unknown = found.unknown.filter(pid => unknown === undefined || unknown.includes(pid));
    if (found === undefined || left.length > 0) needed = 2;
    else if (unknown?.length === 0) needed -= 1;
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
): Search | undefined {
  try {
    const { found, unknown } = searchMarked(marker, since, of);
    return { found: found.length === 0 ? found : withRelatives(found), unknown };
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
