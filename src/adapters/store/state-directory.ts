import { dirname } from "node:path";
import { because, type Reason } from "../../ports/reason.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import {
  makeOwnedFolder,
  ownedFileCalls,
  syncDirectory,
  temporaryName,
  type WriteFailure,
  writeFailure,
} from "../file/index.ts";

/**
 * Makes sure that the state directory is there, private and writable, before anything depends on it.
 * Returns what was put right.
 */
export function ensureStateDirectory(directory: string): Result<readonly Reason[], WriteFailure> {
  try {
    const made = makeOwnedFolder(directory);
    if (made !== undefined) syncDirectory(dirname(made));
    const report = makePrivate(directory);
    const probe = temporaryName(directory);
    ownedFileCalls.close(ownedFileCalls.open(probe, "create", 0o600));
    ownedFileCalls.unlink(probe);
    return ok(report);
  } catch (error) {
    return fail(writeFailure(directory, error));
  }
}

// Others may look into a directory that other tools share with us, but nobody else may exchange the state.
function makePrivate(folder: string): readonly Reason[] {
  const fd = ownedFileCalls.open(folder, "directory", 0);
  try {
    const { mode } = ownedFileCalls.fstat(fd);
    if ((mode & 0o022) === 0) return [];
    const fixed = mode & ~0o022;
    ownedFileCalls.chmod(fd, fixed);
    return [because("state-made-private", { folder, was: mode.toString(8), now: fixed.toString(8) })];
  } finally {
    ownedFileCalls.close(fd);
  }
}
