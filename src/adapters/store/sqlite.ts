import { existsSync } from "node:fs";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { Store } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { backupDatabase } from "./backup.ts";
import { createDatabase } from "./create.ts";
import { type DatabaseSync, openDatabase, storeFailure } from "./database.ts";
import type { EpochStore } from "./epoch-store.ts";
import { inspectDatabase, versionOf } from "./inspect.ts";
import { prepareReader, type Reader } from "./read.ts";
import { migrate } from "./schema.ts";
import type { Sealing } from "./seal.ts";
import { prepareWriter } from "./write.ts";

/** The store of one project in one SQLite database. */
export interface SqliteStore extends EpochStore {
  /** Copies the database to `target`, whole and checked, while commits go on. One copy is made at a time. */
  backup(target: string): Promise<Result<void, StoreFailure>>;
}

/** Where the database is and what it is for. */
export interface SqliteOptions {
  readonly path: string;
  /** Written into a new database: an absolute path or another name by which the project is told from others. */
  readonly project: string;
  /** The epoch a new database begins at; the first claim is one more. */
  readonly epoch?: number;
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly waitMs?: number;
  /** Seals what is written; without it nothing is sealed. */
  readonly sealing?: Sealing | undefined;
}

const CLOSED: StoreFailure = { kind: "io", message: "the store is closed" };

/**
 * Opens the database for its one writer, making it where it is missing. A damaged or newer one is an answer and stays
 * untouched: `openState` knows what to do then.
 */
export function openSqliteStore(options: SqliteOptions): Result<SqliteStore, StoreFailure> {
  const { path } = options;
  const found = inspectDatabase(path);
  if (!found.ok) return found;
  if (found.value === undefined) {
    const created = createDatabase(path, { project: options.project, epoch: options.epoch ?? 0 });
    if (!created.ok) return created;
  }
  return openInspected(options);
}

/** Opens a database that exists and was found sound. */
export function openInspected(options: Omit<SqliteOptions, "epoch">): Result<SqliteStore, StoreFailure> {
  const { path } = options;
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path, "write", options.waitMs);
    // WAL: readers and the backup never stop the writer. FULL: a commit that returned is on disk.
    // fullfsync matters only on macOS, where a plain fsync leaves the drive's own cache alone.
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
       PRAGMA checkpoint_fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 16777216`,
    );
    migrate(database);
    // What is written without a seal must not pass for sealed.
    if (options.sealing === undefined)
      database.exec("UPDATE meta SET sealed_by = NULL WHERE sealed_by NOTNULL");
    return ok(storeOver(database, path, options.sealing));
  } catch (error) {
    database?.close();
    return fail(storeFailure(error));
  }
}

function storeOver(database: DatabaseSync, path: string, sealing: Sealing | undefined): SqliteStore {
  const reader = prepareReader(database);
  const writer = prepareWriter(database, sealing);
  let backups: Promise<unknown> = Promise.resolve();
  return {
    ...readingPart(database, reader),
    commit: change => (database.isOpen ? writer.commit(change) : fail(CLOSED)),
    claimEpoch: () => (database.isOpen ? writer.claimEpoch() : fail(CLOSED)),
    backup: target => {
      const next = backups.then(() => backupDatabase(path, target));
      backups = next.catch(() => undefined);
      return next;
    },
  };
}

/** Opens a database for reading while another process may be writing it. Undefined when there is none. */
export function openSqliteReader(options: {
  readonly path: string;
  readonly waitMs?: number;
}): Result<Store | undefined, StoreFailure> {
  let database: DatabaseSync | undefined;
  try {
    if (!existsSync(options.path)) return ok(undefined);
    database = openDatabase(options.path, "read", options.waitMs);
    const version = versionOf(database, options.path);
    if (!version.ok) {
      database.close();
      return version;
    }
    const readOnly: StoreFailure = { kind: "read-only", message: "this store was opened for reading" };
    return ok({
      ...readingPart(database, prepareReader(database, version.value)),
      commit: () => fail(readOnly),
    });
  } catch (error) {
    database?.close();
    return fail(storeFailure(error));
  }
}

function readingPart(database: DatabaseSync, reader: Reader): Omit<Store, "commit"> {
  return {
    portVersion: 1,
    load: () => (database.isOpen ? reader.load() : fail(CLOSED)),
    events: (...given) => (database.isOpen ? reader.events(...given) : fail(CLOSED)),
    attempts: (...given) => (database.isOpen ? reader.attempts(...given) : fail(CLOSED)),
    spans: run => (database.isOpen ? reader.spans(run) : fail(CLOSED)),
    context: {
      load: () => (database.isOpen ? reader.context.load() : fail(CLOSED)),
      text: hash => (database.isOpen ? reader.context.text(hash) : fail(CLOSED)),
      log: (...given) => (database.isOpen ? reader.context.log(...given) : fail(CLOSED)),
      receipts: (...given) => (database.isOpen ? reader.context.receipts(...given) : fail(CLOSED)),
    },
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}
