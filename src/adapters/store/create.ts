import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { ownedFileCalls, publish, temporaryName, type WriteFailure, writeFailure } from "../file/index.ts";
import { type DatabaseSync, openDatabase, storeFailure } from "./database.ts";
import { createSchema } from "./schema.ts";

/** Makes a new, empty database that appears under its name whole or not at all. */
export function createDatabase(
  path: string,
  meta: { readonly project: string; readonly epoch: number },
): Result<void, StoreFailure> {
  const temporary = buildDatabase(path, building => {
    withDatabase(building, database => {
      createSchema(database);
      database
        .prepare("INSERT INTO meta (one, project, epoch) VALUES (1, ?, ?)")
        .run(meta.project, meta.epoch);
    });
  });
  return temporary.ok ? publishDatabase(temporary.value, path) : temporary;
}

/** Makes a changed copy of a database under a temporary name beside `path`, finished and on disk. */
export function copyDatabase(
  source: DatabaseSync,
  path: string,
  amend: (copy: DatabaseSync) => void,
): Result<string, StoreFailure> {
  return buildDatabase(path, building => {
    source.prepare("VACUUM INTO ?").run(building);
    withDatabase(building, amend);
  });
}

/** Gives a finished copy its name. */
export function publishDatabase(temporary: string, path: string): Result<void, StoreFailure> {
  const published = publish(temporary, path, ownedFileCalls);
  return published.ok ? ok(undefined) : fail(asStoreFailure(published.failure));
}

function buildDatabase(path: string, build: (building: string) => void): Result<string, StoreFailure> {
  const temporary = temporaryName(dirname(path));
  try {
    reserve(temporary);
    build(temporary);
    syncFile(temporary);
    return ok(temporary);
  } catch (error) {
    discard(temporary);
    return fail(anyFailure(path, error));
  }
}

function withDatabase(path: string, use: (database: DatabaseSync) => void): void {
  const database = openDatabase(path, "write");
  try {
    // All of it comes to the disk at once, before it has a name.
    database.exec("PRAGMA synchronous = OFF");
    use(database);
    // It appears as it will be used: to change that later takes a journal, which a reader could not roll back after a power
    // cut. No log may stay beside a name that is about to vanish.
    database.exec("PRAGMA journal_mode = WAL");
  } finally {
    database.close();
  }
}

/** Makes an empty file that only its owner may read; SQLite fills it and gives its companions the same mode. */
export function reserve(path: string): void {
  ownedFileCalls.close(ownedFileCalls.open(path, "create", 0o600));
}

/** Brings a closed database to the disk. */
export function syncFile(path: string): void {
  const fd = ownedFileCalls.open(path, "read", 0);
  try {
    ownedFileCalls.fsync(fd);
  } finally {
    ownedFileCalls.close(fd);
  }
}

/** Removes an unfinished database with its companions. */
export function discard(temporary: string): void {
  for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(`${temporary}${ending}`, { force: true });
}

/** Tells an error of SQLite or of the file system as a failure of the store; anything else is a bug, thrown on. */
export function anyFailure(path: string, error: unknown): StoreFailure {
  const ofSqlite = error instanceof Error && "errcode" in error;
  return ofSqlite ? storeFailure(error) : asStoreFailure(writeFailure(path, error));
}

/** Tells a failed write as a failure of the store. */
export function asStoreFailure(failure: WriteFailure): StoreFailure {
  const kind = failure.kind === "not-regular" ? "not-owned" : failure.kind;
  return { kind, message: failure.message };
}
