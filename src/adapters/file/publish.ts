import { dirname } from "node:path";
import { fail, ok, type Result } from "../../ports/result.ts";
import { type FileCalls, nodeFileCalls } from "./calls.ts";
import { errnoOf, type WriteFailure, writeFailure } from "./failure.ts";
import { closeQuietly } from "./read-bounded.ts";
import { removeQuietly } from "./temporaries.ts";

/** What is known after a file took its place. */
export interface Published {
  /** False where the directory could not be synced: the file stands there, a power cut may still undo it. */
  readonly directorySynced: boolean;
}

/**
 * Gives a finished, synced temporary file its name, atomically and durably.
 * On failure the temporary file is removed and the old one stands untouched, unless `applied` is `unknown`.
 */
export function publish(
  temporary: string,
  path: string,
  calls: FileCalls = nodeFileCalls,
): Result<Published, WriteFailure> {
  let identity = "";
  try {
    identity = calls.lstat(temporary).identity;
    calls.rename(temporary, path);
  } catch (error) {
    // A network file system may answer with an error after the rename took place.
    const standing = identity === "" ? "no" : stands(path, identity, calls);
    if (standing !== "yes") {
      removeQuietly(temporary, calls);
      return fail(writeFailure(path, error, standing));
    }
  }
  try {
    syncDirectory(dirname(path), calls);
    return ok({ directorySynced: true });
  } catch (error) {
    // The outcome is unknown now: the rename may be visible and yet not on disk. Look before deciding.
    const standing = stands(path, identity, calls);
    return standing === "yes" ? ok({ directorySynced: false }) : fail(writeFailure(path, error, "unknown"));
  }
}

function stands(path: string, identity: string, calls: FileCalls): "yes" | "no" | "unknown" {
  try {
    return calls.lstat(path).identity === identity ? "yes" : "no";
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "no" : "unknown";
  }
}

/** Makes names added to or removed from a directory survive a power cut. Throws what the calls throw. */
export function syncDirectory(directory: string, calls: FileCalls = nodeFileCalls): void {
  const fd = calls.open(directory, "directory", 0);
  try {
    calls.fsync(fd);
  } finally {
    closeQuietly(calls, fd);
  }
}
