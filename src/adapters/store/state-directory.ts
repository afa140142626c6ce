import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../ports/result.ts";
import { syncDirectory, temporaryName, type WriteFailure, writeFailure } from "../file/index.ts";

/**
 * Makes sure that the state directory is there, private and writable, before anything depends on it.
 * Returns what was put right, one sentence each.
 */
export function ensureStateDirectory(directory: string): Result<readonly string[], WriteFailure> {
  try {
    const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncDirectory(dirname(made));
    const report = makePrivate(directory);
    const probe = temporaryName(directory);
    closeSync(openSync(probe, "wx", 0o600));
    rmSync(probe);
    return ok(report);
  } catch (error) {
    return fail(writeFailure(directory, error));
  }
}

// Others may look into a directory that other tools share with us, but nobody else may exchange the state.
function makePrivate(directory: string): readonly string[] {
  const mode = statSync(directory).mode & 0o777;
  if ((mode & 0o022) === 0) return [];
  const fixed = mode & ~0o022;
  chmodSync(directory, fixed);
  return [`${directory} was writable by others (${mode.toString(8)}); it is ${fixed.toString(8)} now`];
}
