import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { because, type NotOwn, type Stranger } from "../../ports/index.ts";
import { reasonText } from "../../text/index.ts";

/** What stands under a name of ours is none of ours; thrown before anything there is read or changed. */
export class NotOwned extends Error {
  readonly code = "ENOTOWNED";

  readonly what: NotOwn;

  constructor(path: string, found: Stranger, count?: number) {
    const what = { path, found, ...(count === undefined ? {} : { count }) };
    super(reasonText(because("not-owned", what), "en"));
    this.what = what;
  }
}

/** A folder that stays the same one while it is open, whatever is put in its place. */
export interface Held {
  readonly fd: number;
  /** The path by which its entries are reached. */
  readonly via: string;
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens a folder that no symbolic link leads to: none in its place, none on the way from the file system's root. */
export function hold(folder: string): Held {
  let fd: number;
  try {
    fd = openSync(folder, FOLDER);
  } catch (error) {
    refuseLinks(folder);
    throw error;
  }
  try {
    const reached = reachedPath(fd);
    // Some file systems spell a name in another way; then each step is looked at.
    if (reached !== folder) refuseOthers(folder, fd);
    return { fd, via: reached === undefined ? folder : `/proc/self/fd/${fd}` };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Where the kernel says an open folder is; undefined where it does not tell. */
function reachedPath(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

function refuseLinks(folder: string): void {
  for (let step = folder; dirname(step) !== step; step = dirname(step)) {
    if (lstatSync(step, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new NotOwned(step, "link");
  }
}

function refuseOthers(folder: string, fd: number): void {
  refuseLinks(folder);
  const [open, there] = [fstatSync(fd, { bigint: true }), lstatSync(folder, { bigint: true })];
  if (open.dev !== there.dev || open.ino !== there.ino) throw new NotOwned(folder, "another-folder");
}

/** Does something to an entry of a folder that no link leads to; what fails is told by the entry's own path. */
export function withEntry<T>(path: string, act: (via: string) => T): T {
  const whole = resolve(path);
  const folder = hold(dirname(whole));
  const via = join(folder.via, basename(whole));
  try {
    return act(via);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === "ELOOP") throw new NotOwned(whole, "link");
    error.message = error.message.replaceAll(via, whole);
    throw error;
  } finally {
    closeSync(folder.fd);
  }
}
