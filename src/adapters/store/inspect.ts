import { lstatSync } from "node:fs";
import { because } from "../../ports/reason.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { StateDamage } from "../../ports/state-news.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { reasonText } from "../../text/index.ts";
import { NotOwned } from "../file/index.ts";
import { type DatabaseSync, openDatabase, storeFailure } from "./database.ts";
import { requireOwnDatabase } from "./own-database.ts";
import { APPLICATION_ID, hasSchema, SCHEMA_VERSION, unsoundTable } from "./schema.ts";

/** How far a copy of the state has come. */
export interface Position {
  readonly epoch: number;
  /** The latest run; empty when there was none. */
  readonly run: string;
  readonly seq: number;
}

/** What a sound database says about itself. */
export interface Inspection extends Position {
  readonly project: string;
  readonly version: number;
  readonly runs: ReadonlySet<string>;
}

// Above this the thorough check, which also compares every index with its table, would be felt at each start.
const THOROUGH_BYTES = 64 * 2 ** 20;

/**
 * Checks a database that this process does not have open and reads how far it has come, without changing it.
 * Undefined when the file is missing. A sound database that is not ours is `damaged` too: it cannot be our state.
 */
export function inspectDatabase(path: string): Result<Inspection | undefined, StoreFailure> {
  let size: number | undefined;
  try {
    requireOwnDatabase(path);
    size = sizeOf(path);
  } catch (error) {
    if (error instanceof NotOwned) return fail(storeFailure(error));
    return fail({ kind: "io", message: (error as Error).message });
  }
  if (size === undefined) return ok(undefined);
  // SQLite would delete the log beside an empty file: it must not even look.
  if (size === 0) return damaged(path, { is: "empty" });
  let database: DatabaseSync | undefined;
  try {
    database = openQuietly(path);
    return inspect(database, path, size);
  } catch (error) {
    return fail(storeFailure(error));
  } finally {
    database?.close();
  }
}

function damaged(path: string, how: StateDamage): Result<never, StoreFailure> {
  const told = because("state-file-damaged", { file: path, damage: how });
  return fail({ kind: "damaged", message: reasonText(told, "en"), how });
}

function inspect(database: DatabaseSync, path: string, size: number): Result<Inspection, StoreFailure> {
  const version = versionOf(database, path);
  if (!version.ok) return version;
  const check = size <= THOROUGH_BYTES ? "integrity_check" : "quick_check";
  const found = database.prepare(`PRAGMA ${check}(1)`).get()?.[check];
  if (found !== "ok") return fail({ kind: "damaged", message: `${path}: ${String(found)}` });
  // A page cut short reads as if zeros followed, but only until somebody writes.
  const page = database.prepare("PRAGMA page_size").get()?.["page_size"] as number;
  if (size % page !== 0 && !sizeOf(`${path}-wal`)) {
    return damaged(path, { is: "cut" });
  }
  if (!hasSchema(database, version.value)) return damaged(path, { is: "other-tables" });
  const table = unsoundTable(database, version.value);
  if (table !== undefined) return damaged(path, { is: "broken-row", of: table });
  const meta = database.prepare("SELECT project, epoch FROM meta").get();
  if (meta === undefined) return damaged(path, { is: "no-first-entry" });
  const runs = database.prepare("SELECT id, last_seq FROM runs ORDER BY n").all();
  const last = runs.at(-1);
  return ok({
    version: version.value,
    project: meta["project"] as string,
    epoch: meta["epoch"] as number,
    run: (last?.["id"] ?? "") as string,
    seq: (last?.["last_seq"] ?? 0) as number,
    runs: new Set(runs.map(run => run["id"] as string)),
  });
}

/** The schema a database of ours has; refuses those of other programs and of newer versions of this one. */
export function versionOf(database: DatabaseSync, path: string): Result<number, StoreFailure> {
  const application = database.prepare("PRAGMA application_id").get()?.["application_id"];
  if (application !== APPLICATION_ID) {
    return damaged(path, { is: "other-program" });
  }
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"] as number;
  if (version > SCHEMA_VERSION) return fail({ kind: "newer", found: version, supported: SCHEMA_VERSION });
  if (version < 1) return damaged(path, { is: "no-version" });
  return ok(version);
}

/** Opens a database for reading that nobody writes; leaves no companion files where there was no log. */
export function openQuietly(path: string): DatabaseSync {
  return openDatabase(path, sizeOf(`${path}-wal`) ? "read" : "immutable");
}

function sizeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.size;
}
