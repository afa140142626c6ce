import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fail, ok, type Result } from "../../ports/result.ts";
import { errnoOf, type WriteFailure, writeFailure } from "./failure.ts";

/** Waits until one file or directory is on the disk. Rejects with the system's error. */
export type SyncCall = (path: string) => Promise<void>;

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The real one; links are not followed. */
export const nodeSync: SyncCall = async path => {
  const file = await open(path, FLAGS);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Syncs under way at once: the file system brings what is asked for together to the disk in one go. */
const AT_ONCE = 4;
/** What file systems answer that cannot sync such a file at all, and what is said of one that is gone or is a link. */
const NO_MATTER: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EINVAL", "ENOTSUP", "ENOSYS"]);

/** Brings files and directories to the disk; those that are gone meanwhile are passed over. Fails with the first that fails. */
export async function syncAll(
  paths: Iterable<string>,
  sync: SyncCall = nodeSync,
): Promise<Result<void, WriteFailure>> {
  const waiting = [...new Set(paths)];
  let failure: WriteFailure | undefined;
  const work = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined && failure === undefined; path = waiting.pop()) {
      try {
        await sync(path);
      } catch (error) {
        if (!NO_MATTER.has(errnoOf(error))) failure ??= writeFailure(path, error, "unknown");
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
  return failure === undefined ? ok(undefined) : fail(failure);
}
