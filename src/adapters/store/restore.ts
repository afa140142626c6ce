import { join } from "node:path";
import { because, type Reason } from "../../ports/reason.ts";
import { ok, type Result } from "../../ports/result.ts";
import type { StateDamage } from "../../ports/state-news.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { fileStamp, moveAside, setAsideDatabase } from "./aside.ts";
import { disbelieve, disputes, isUndisputed, sealAll, sealedBy } from "./believe.ts";
import { copyDatabase, createDatabase, discard, publishDatabase } from "./create.ts";
import { type DatabaseSync, openDatabase } from "./database.ts";
import type { Decision, Findings } from "./decide.ts";
import { bringForward, type Moved, raiseEpoch } from "./forward.ts";
import { openQuietly } from "./inspect.ts";
import { hasSeals, migrate } from "./schema.ts";
import type { Head, Seal } from "./seal.ts";

/** Changes of tasks that are told by name. */
const MOST_CHANGES = 16;

/** Names in the state directory. */
export const STATE_NAMES = { database: "espalier.db", thin: "orchestrate-state.json" } as const;

/** The name of the thin state a decision rests on. */
export function thinName({ thinFrom }: Decision): string {
  return thinFrom === "thin" ? STATE_NAMES.thin : `${STATE_NAMES.thin}.bak`;
}

interface RestoreOptions {
  readonly project: string;
  readonly now: number;
  readonly seal?: Seal | undefined;
  /** How far it had come, as far as that is remembered. */
  readonly head?: Head | undefined;
}

/** Puts the database a decision asks for under its name. Returns what was done. */
export function restoreDatabase(
  directory: string,
  decision: Decision,
  found: Findings,
  options: RestoreOptions,
): Result<readonly Reason[], StoreFailure> {
  const path = join(directory, STATE_NAMES.database);
  const stamp = fileStamp(options.now);
  if (decision.rebuild) return rebuild(path, decision, found, options);
  if (decision.base === "main") return ok(correctMeta(path, decision, found, options.project));
  const kept = setAsideDatabase(path, stamp);
  const created = createDatabase(path, { project: options.project, epoch: decision.epoch });
  if (!created.ok) return created;
  return ok(kept === undefined ? [] : [mainStory(found, kept), because("state-began-anew", {})]);
}

function rebuild(
  path: string,
  decision: Decision,
  found: Findings,
  options: RestoreOptions,
): Result<readonly Reason[], StoreFailure> {
  const { base, forward, epoch } = decision;
  const source = base === "main" ? path : `${path}.bak`;
  let moved: readonly Moved[] = [];
  const told: Reason[] = [];
  const amend = (copy: DatabaseSync): void => {
    const { seal } = options;
    if (!hasSeals(copy)) migrate(copy);
    // What is taken from a sealed file is taken on top of rows that are believed.
    const isSealed = seal !== undefined && sealedBy(copy).id === seal.id;
    const found = isSealed ? disputes(copy, seal, options.head) : undefined;
    migrate(copy);
    raiseEpoch(copy, epoch);
    setProject(copy, options.project);
    if (found !== undefined && !isUndisputed(found)) told.push(...disbelieve(copy, found, options.now));
    if (forward !== undefined) moved = bringForward(copy, forward, options.now);
    if (isSealed) sealAll(copy, seal);
  };
  const reader = openQuietly(source);
  let copy: Result<string, StoreFailure>;
  try {
    copy = copyDatabase(reader, path, amend);
  } finally {
    reader.close();
  }
  if (!copy.ok) return copy;
  let kept: string | undefined;
  try {
    kept = setAsideDatabase(path, fileStamp(options.now));
  } catch (error) {
    discard(copy.value);
    throw error;
  }
  const published = publishDatabase(copy.value, path);
  if (!published.ok) return published;
  const report = [mainStory(found, kept)];
  if (base === "backup") report.push(because("state-from-backup", { file: `${STATE_NAMES.database}.bak` }));
  if (forward !== undefined) {
    const file = thinName(decision);
    const changes = moved.slice(0, MOST_CHANGES).map(({ id, from, to }) => ({ id, from, to }));
    const more = moved.length - changes.length;
    report.push(because("state-brought-forward", { file, event: forward.seq, changes, more }));
    report.push(...forward.warnings.map(what => because("state-file-odd", { file, what })));
  }
  return ok([...report, ...told]);
}

/** How the database was found. */
function mainStory({ main }: Findings, kept: string | undefined): Reason {
  const found = { file: STATE_NAMES.database, ...(kept === undefined ? {} : { kept }) };
  if (main === "missing") return because("state-file-missing", found);
  if ("damaged" in main) return because("state-file-damaged", { ...found, damage: main.damaged });
  return because("state-file-behind", found);
}

function correctMeta(
  path: string,
  decision: Decision,
  { main }: Findings,
  project: string,
): readonly Reason[] {
  if (main === "missing" || "damaged" in main) return [];
  const foreign = main.sound.project !== project;
  if (!foreign && main.sound.epoch === decision.epoch) return [];
  const database = openDatabase(path, "write");
  try {
    raiseEpoch(database, decision.epoch);
    setProject(database, project);
  } finally {
    database.close();
  }
  return foreign ? [because("state-moved", { from: main.sound.project, to: project })] : [];
}

function setProject(database: DatabaseSync, project: string): void {
  database.prepare("UPDATE meta SET project = ?").run(project);
}

/** Moves aside what is damaged beside the database, so that nothing overwrites it. Returns what was done. */
export function clearDamaged(directory: string, found: Findings, now: number): readonly Reason[] {
  const report: Reason[] = [];
  const clear = (file: string, damage: StateDamage): void => {
    const kept = moveAside(join(directory, file), fileStamp(now));
    if (kept !== undefined) report.push(because("state-file-damaged", { file, damage, kept }));
  };
  const { backup, thin, thinBackup } = found;
  if (backup !== "missing" && "damaged" in backup) clear(`${STATE_NAMES.database}.bak`, backup.damaged);
  if (thin.kind === "damaged") clear(STATE_NAMES.thin, thin.how);
  if (thinBackup.kind === "damaged") clear(`${STATE_NAMES.thin}.bak`, thinBackup.how);
  return report;
}
