import { join } from "node:path";
import type { Reason } from "../../ports/reason.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { ownedFileCalls, sweepTemporaries } from "../file/index.ts";
import { anyFailure } from "./create.ts";
import { type Decision, decide, type Findings, type Foreign, type Found, foreignIn } from "./decide.ts";
import { type ImportedState, importOf, keepLegacy } from "./import.ts";
import { inspectDatabase } from "./inspect.ts";
import { clearDamaged, restoreDatabase, STATE_NAMES } from "./restore.ts";
import type { Seal, Sealing } from "./seal.ts";
import { isSealed, settle, type Unbelieved } from "./settle.ts";
import { openInspected, type SqliteStore } from "./sqlite.ts";
import { ensureStateDirectory } from "./state-directory.ts";
import { readThin } from "./thin-json.ts";

/** How the state of a project is opened. */
export interface OpenStateOptions {
  /** By what the project is told from others, such as its absolute path. */
  readonly project: string;
  /** Wall time in epoch milliseconds; it names what is moved aside. */
  readonly now: number;
  /** Take over state that says it is another project's, such as one that was moved. */
  readonly adopt?: boolean;
  /** Believes only what this program wrote; without it everything is. */
  readonly sealing?: Sealing | undefined;
  /** A person says that the state is to be believed as it stands. */
  readonly trust?: boolean;
}

/** The state of a project, ready to be written. */
export interface OpenedState {
  readonly store: SqliteStore;
  /** What it was made from. */
  readonly source: "fresh" | "database" | "backup" | "thin";
  /** What was found and done about it; empty when all was well. */
  readonly report: readonly Reason[];
  /** Task states the store does not hold; what to do with them is for the caller to decide. */
  readonly imported?: ImportedState;
  /** It began anew although the project is known to have had a run. */
  readonly isLost: boolean;
}

/** Why the state could not be opened; nothing was changed except what `report` tells. */
export type OpenFailure = (
  | StoreFailure
  | Foreign
  | Unbelieved
  /** The state directory cannot be made or written. */
  | { readonly kind: "unwritable"; readonly path: string; readonly message: string }
) & { readonly report: readonly Reason[] };

/**
 * Opens the state in `directory`, recovering what can be recovered: the database, else its backup, either brought
 * forward by the thin state, else the thin state alone, else nothing. What is damaged is moved aside, never deleted.
 * Only for the holder of the lock, and only while this process has none of the files open.
 */
export function openState(directory: string, options: OpenStateOptions): Result<OpenedState, OpenFailure> {
  const report: Reason[] = [];
  const failed = <F extends StoreFailure | Foreign | Unbelieved>(failure: F) => fail({ ...failure, report });
  // Whoever takes a state over from elsewhere has looked at it.
  const trust = options.trust === true || options.adopt === true;
  const seal = trust ? undefined : options.sealing?.seal;
  const ready = ensureStateDirectory(directory);
  if (!ready.ok) {
    const { message } = ready.failure;
    return fail({ kind: "unwritable", path: directory, message, report });
  }
  report.push(...ready.value);
  const found = look(directory, seal);
  if (!found.ok) return failed(found.failure);
  const foreign = options.adopt === true ? undefined : foreignIn(found.value, options.project);
  if (foreign !== undefined) return failed(foreign);

  const decision = decide(found.value);
  try {
    sweepTemporaries(directory, ownedFileCalls);
    const restored = restoreDatabase(directory, decision, found.value, {
      ...options,
      seal,
      head: options.sealing?.head,
    });
    if (!restored.ok) return failed(restored.failure);
    report.push(...restored.value, ...clearDamaged(directory, found.value, options.now));
    const kept = keepLegacy(directory, found.value.thin);
    if (!kept.ok) return failed(kept.failure);
    report.push(...kept.value);
    const imported = importOf(decision, directory);
    if (imported !== undefined) report.push(...imported.told);
    const path = join(directory, STATE_NAMES.database);
    const { sealing } = options;
    const isNew = decision.base === "none";
    const state = { now: options.now, trust, isNew, isRestored: decision.rebuild };
    if (sealing === undefined && !trust && !isNew && isSealed(path))
      return failed({ kind: "unsealed", isOfAnother: true });
    const settled = sealing === undefined ? ok({ report: [], isLost: false }) : settle(path, sealing, state);
    if (!settled.ok) return failed(settled.failure);
    report.push(...settled.value.report);
    const store = openInspected({ path, project: options.project, sealing });
    if (!store.ok) return failed(store.failure);
    return ok({
      store: store.value,
      source: sourceOf(decision),
      report,
      isLost: settled.value.isLost,
      // Claims of another orchestrator are for a project that had no run of ours.
      ...(imported === undefined || (settled.value.isLost && decision.orphan === undefined)
        ? {}
        : { imported: imported.state }),
    });
  } catch (error) {
    return failed(anyFailure(directory, error));
  }
}

function sourceOf({ base, orphan }: Decision): OpenedState["source"] {
  if (orphan !== undefined) return "thin";
  const sources = { none: "fresh", main: "database", backup: "backup" } as const;
  return sources[base];
}

function look(directory: string, seal: Seal | undefined): Result<Findings, StoreFailure> {
  const database = join(directory, STATE_NAMES.database);
  const thinPath = join(directory, STATE_NAMES.thin);
  const main = lookAt(database);
  if (!main.ok) return main;
  const backup = lookAt(`${database}.bak`);
  if (!backup.ok) return backup;
  const thin = readThin(thinPath, seal);
  if (!thin.ok) return thin;
  const thinBackup = readThin(`${thinPath}.bak`, seal);
  if (!thinBackup.ok) return thinBackup;
  return ok({ main: main.value, backup: backup.value, thin: thin.value, thinBackup: thinBackup.value });
}

function lookAt(path: string): Result<Found, StoreFailure> {
  const inspected = inspectDatabase(path);
  if (inspected.ok) return ok(inspected.value === undefined ? "missing" : { sound: inspected.value });
  const { failure } = inspected;
  if (failure.kind !== "damaged") return fail(failure);
  return ok({ damaged: failure.how ?? { said: failure.message } });
}
