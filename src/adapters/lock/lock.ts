import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Reason } from "../../ports/reason.ts";
import type { NotOwn } from "../../ports/refusal.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import {
  makeOwnedFolder,
  NotOwned,
  ownedFileCalls,
  requireOwnFile,
  type WriteFailure,
} from "../file/index.ts";
import { type DatabaseSync, openDatabase, sqliteCode } from "../store/database.ts";
import { type Holder, holderReason, livingHolder, readHolder, removeHolder, writeHolder } from "./holder.ts";
import { type Liveness, thisHost, thisProcess } from "./liveness.ts";

/** A lock this process holds until it is released or ends, however it ends. */
export interface Lock {
  readonly holder: Holder;
  /** Adds to what others are told about the holder. */
  describe(part: { readonly epoch?: number; readonly controlSocket?: string }): Result<void, WriteFailure>;
  /** False when the lock file was removed or replaced: another process could then take a lock of its own. */
  intact(): boolean;
  /** Idempotent. */
  release(): void;
}

/** Why the lock was not taken. */
export type LockFailure =
  | {
      readonly kind: "held";
      /** Absent when the holder has not yet said who it is. */
      readonly holder?: Holder;
      readonly liveness?: Liveness;
      /** Names the holder. */
      readonly reason: Reason;
    }
  /** What stands in the lock's place is none of ours; it was not touched. */
  | {
      readonly kind: "not-owned";
      readonly path: string;
      readonly message: string;
      readonly what: NotOwn;
    }
  /** The place cannot be written, or its file system knows no locks. */
  | { readonly kind: "io"; readonly path: string; readonly message: string };

/** How the lock is taken. */
export interface LockOptions {
  /** Of the program, for messages. */
  readonly version?: string;
  /**
   * How long one holder is waited for, in milliseconds: two that begin at once both see the other. Where the lock has
   * gone from hand to hand meanwhile, the new holder is waited for as long again, a minute in all.
   */
  readonly waitMs?: number;
}

/** How long holders that follow one another are waited for, in seconds. */
const LONGEST_WAIT = 60;

const SQLITE_BUSY = 5;

/**
 * Takes the one lock of a state directory, making the directory where it is missing. The lock is one of the kernel's on
 * `lock.db`: it cannot be stale, and a stopped holder keeps it. Nothing else in this process may open that file:
 * closing any descriptor of it would give the lock away.
 */
export function acquireLock(directory: string, options: LockOptions = {}): Result<Lock, LockFailure> {
  const path = join(directory, "lock.db");
  try {
    makeOwnedFolder(directory);
    const deadline = process.uptime() + LONGEST_WAIT;
    let waitedFor = holderName(directory);
    for (;;) {
      makeLockFile(path);
      const before = identityOf(path);
      const database = lockFile(path, options.waitMs ?? 400);
      if (database === undefined) {
        const holder = holderName(directory);
        if (holder === waitedFor || process.uptime() > deadline) return fail(heldFailure(directory));
        waitedFor = holder;
        continue;
      }
      const after = identityOf(path);
      // Removed and made anew between looking and locking: what we hold may be a file without a name.
      if (before === after) return lockOver(directory, path, database, options);
      database.close();
    }
  } catch (error) {
    // Both SQLite's errors and the system's carry a code; what carries none is a bug.
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error instanceof NotOwned)
      return fail({ kind: "not-owned", path, message: error.message, what: error.what });
    return fail({ kind: "io", path, message: `${path}: ${error.message}` });
  }
}

/** The connection that holds the lock; undefined when another process does. Throws what the system throws. */
function lockFile(path: string, waitMs: number): DatabaseSync | undefined {
  const database = openDatabase(path, "write", waitMs);
  try {
    // The write is never committed. It fails where the file may only be read, and there SQLite would otherwise
    // pretend to have locked it.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1");
    return database;
  } catch (error) {
    database.close();
    if (sqliteCode(error) === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/**
 * Makes the lock file where there is none. Nothing is ever written to it, and its transaction keeps its journal in memory:
 * what holds anything, or has a companion, came from elsewhere, and SQLite would remove or play back what lies beside it.
 */
function makeLockFile(path: string): void {
  try {
    ownedFileCalls.close(ownedFileCalls.open(path, "create", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  requireOwnFile(path);
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0) throw new NotOwned(path, "filled-lock", size);
  for (const ending of ["-journal", "-wal", "-shm"]) {
    if (lstatSync(path + ending, { throwIfNoEntry: false }) !== undefined)
      throw new NotOwned(path + ending, "beside-lock");
  }
}

function lockOver(
  directory: string,
  path: string,
  database: DatabaseSync,
  options: LockOptions,
): Result<Lock, LockFailure> {
  let holder: Holder = {
    ...thisProcess(),
    host: thisHost(),
    startedAt: Date.now(),
    cwd: process.cwd(),
    version: options.version ?? "",
  };
  const identity = identityOf(path);
  // Held by this listener too: a connection that nothing refers to is collected, and the lock with it.
  const release = (): void => {
    process.off("exit", release);
    if (!database.isOpen) return;
    removeHolder(directory);
    database.close();
  };
  process.on("exit", release);
  const written = writeHolder(directory, holder);
  if (!written.ok) {
    release();
    return fail({ kind: "io", path: written.failure.path, message: written.failure.message });
  }
  return ok({
    get holder() {
      return holder;
    },
    describe: part => {
      if (!database.isOpen) return ok(undefined);
      holder = { ...holder, ...part };
      const told = writeHolder(directory, holder);
      return told.ok ? ok(undefined) : told;
    },
    intact: () => database.isOpen && identityOf(path) === identity,
    release,
  });
}

/** What tells one holder from the next. Until one has said who it is, its folder says when the one before has gone. */
function holderName(directory: string): string {
  const holder = readHolder(directory);
  if (holder !== undefined) return `${holder.host} ${holder.pid} ${holder.startedAt}`;
  return `since ${lstatSync(directory, { bigint: true }).mtimeNs}`;
}

function heldFailure(directory: string): LockFailure {
  const living = livingHolder(directory);
  return { kind: "held", ...living, reason: holderReason(living) };
}

// Only by name: opening the file and closing it again would give the lock away.
function identityOf(path: string): string | undefined {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? undefined : `${facts.dev}:${facts.ino}`;
}
