import { join } from "node:path";
import { type FileCalls, nodeFileCalls } from "./calls.ts";
import { errnoOf } from "./failure.ts";

const PREFIX = ".espalier-";
const TOKEN = 32;
/** SQLite puts these behind the name of a database it is filling. */
const ENDINGS = [".tmp", ".tmp-journal", ".tmp-wal", ".tmp-shm"];

/** A new name in `directory` for a file that is about to replace another. */
export function temporaryName(directory: string, calls: FileCalls = nodeFileCalls): string {
  return join(directory, `${PREFIX}${calls.token()}.tmp`);
}

/** Whether a file name is one that `temporaryName` makes. */
export function isTemporaryName(name: string): boolean {
  if (!name.startsWith(PREFIX)) return false;
  const token = name.slice(PREFIX.length, PREFIX.length + TOKEN);
  if (token.length < TOKEN) return false;
  for (const digit of token) if (!"0123456789abcdef".includes(digit)) return false;
  return ENDINGS.includes(name.slice(PREFIX.length + TOKEN));
}

/**
 * Removes what a killed writer left in `directory` and returns the names removed. Only for the holder of the lock: a living
 * writer's file would go too. Where others write as well, only files go that nobody has written to for `restingMs`. What
 * cannot be removed stays.
 */
export function sweepTemporaries(
  directory: string,
  calls: FileCalls = nodeFileCalls,
  restingMs = 0,
): readonly string[] {
  const removed: string[] = [];
  for (const name of namesIn(directory, calls)) {
    if (!isTemporaryName(name)) continue;
    const path = join(directory, name);
    if ((restingMs === 0 || restsFor(path, restingMs, calls)) && removeQuietly(path, calls))
      removed.push(name);
  }
  return removed;
}

function restsFor(path: string, ms: number, calls: FileCalls): boolean {
  try {
    return Number(calls.lstat(path).modified / 1_000_000n) <= Date.now() - ms;
  } catch (error) {
    errnoOf(error);
    return false;
  }
}

/** Temporary names in a directory that are further names of the file `identity`. */
export function temporaryLinks(directory: string, identity: string, calls: FileCalls): readonly string[] {
  const found: string[] = [];
  for (const name of namesIn(directory, calls)) {
    const path = join(directory, name);
    if (isTemporaryName(name) && identityOf(path, calls) === identity) found.push(path);
  }
  return found;
}

/** Removes a file whose removal nothing depends on; false when it is still there or never was. */
export function removeQuietly(path: string, calls: FileCalls): boolean {
  try {
    calls.unlink(path);
    return true;
  } catch (error) {
    errnoOf(error);
    return false;
  }
}

/** What a name stands for, or undefined when that cannot be told. */
export function identityOf(path: string, calls: FileCalls): string | undefined {
  try {
    return calls.lstat(path).identity;
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}

function namesIn(directory: string, calls: FileCalls): readonly string[] {
  try {
    return calls.list(directory);
  } catch (error) {
    errnoOf(error);
    return [];
  }
}
