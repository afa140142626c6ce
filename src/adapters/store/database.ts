import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { NotOwned } from "../file/index.ts";
import { requireOwnDatabase } from "./own-database.ts";

export type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * How a database is opened. `immutable` reads without locks or companion files: only for a file nobody writes and that
 * has no write-ahead log beside it.
 */
export type DatabaseMode = "write" | "read" | "immutable";

/** Opens an SQLite database of ours; throws what SQLite throws, and `NotOwned`. */
export function openDatabase(path: string, mode: DatabaseMode, waitMs = 2000): DatabaseSync {
  const url = pathToFileURL(path);
  if (mode === "immutable") url.search = "?immutable=1";
  requireOwnDatabase(path);
  // The wait comes first: what follows may already meet another process's lock.
  const database = new DatabaseSync(url, { readOnly: mode !== "write", timeout: waitMs });
  try {
    // Again, for what was put there in between; nothing has been read or written yet.
    requireOwnDatabase(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A database that is never on disk. */
export function openInMemory(): DatabaseSync {
  return new DatabaseSync(":memory:");
}

/** Copies a database to a new file, off the main thread and from one snapshot; writers go on meanwhile. */
export async function snapshotDatabase(source: DatabaseSync, path: string): Promise<void> {
  // All pages in one step: smaller steps would begin anew whenever a writer commits in between.
  await backup(source, path, { rate: 0x7fffffff });
}

/** SQLite's primary result code of a thrown error; anything else is a bug and thrown on. */
export function sqliteCode(error: unknown): number {
  if (error instanceof Error && "errcode" in error && typeof error.errcode === "number") {
    return error.errcode & 0xff;
  }
  throw error;
}

const SQLITE_CONSTRAINT = 19;
const SQLITE_MISUSE = 21;
const SQLITE_RANGE = 25;

/** Tells a thrown SQLite error as a failure of the store; broken constraints and misuse are bugs and thrown on. */
export function storeFailure(error: unknown): StoreFailure {
  const { message } = error as Error;
  if (error instanceof NotOwned) return { kind: "not-owned", message, what: error.what };
  switch (sqliteCode(error)) {
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      throw error;
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
      return { kind: "read-only", message };
    case 1: // SQLITE_ERROR: a table or column our schema has is not there
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return { kind: "damaged", message };
    case 13: // SQLITE_FULL
      return { kind: "full", message };
    default:
      return { kind: "io", message };
  }
}
