import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isTemporaryName } from "../../src/adapters/file/index.ts";
import { inspectDatabase, openSqliteReader, openState } from "../../src/adapters/store/index.ts";
import type { Reason } from "../../src/ports/index.ts";
import { reasonText } from "../../src/text/index.ts";
import { copyFiles } from "../adapters/store-fixtures.ts";
import { killedAmid } from "./killed-amid.ts";

/** How much is killed. */
export interface KillOptions {
  readonly kills: number;
  /** An empty directory to work in. */
  readonly directory: string;
  /** Fixes every choice but the kernel's. */
  readonly seed: number;
  /** How many are killed side by side. */
  readonly lanes: number;
}

/** What came of it. */
export interface KillReport {
  readonly kills: number;
  /** Completions that were acknowledged. */
  readonly acknowledged: number;
  /** Backups that were said to be made. */
  readonly backups: number;
  /** Times a state was damaged on purpose and recovered. */
  readonly recoveries: number;
  /** Times that recovery itself was killed before it was done again. */
  readonly recoveriesKilled: number;
  /** Every broken promise, one sentence each. */
  readonly broken: readonly string[];
}

const CHILD = fileURLToPath(new URL("store-kills-child.ts", import.meta.url));
const OPTIONS = { project: "/torture", now: 0 };
/** After so many kills a lane begins a new state, so that none grows without end. */
const KILLS_PER_PLACE = 100;
/** A child that has its state says up to so many lines before it is killed, up to so many milliseconds after the last of them. */
const LINES_PER_LIFE = 20;
const WITHIN_MS = 10;
const BEFORE_READY_MS = 25;
/** So many recoveries are done once for each that is killed first. */
const RECOVERIES_PER_KILL = 5;

interface Tally {
  acknowledged: number;
  backups: number;
  recoveries: number;
  recoveriesKilled: number;
  readonly broken: string[];
}

/** What the children of one place have been promised. */
interface Promises {
  readonly completed: Map<string, number>;
  /** The thin state tells of every event up to this one. */
  told: number;
  /** The backup holds every event up to this one. */
  backed: number;
}

/** Kills writers at random moments, looks at what they leave, damages copies of it and recovers them. */
export async function storeKills(options: KillOptions): Promise<KillReport> {
  const tally: Tally = { acknowledged: 0, backups: 0, recoveries: 0, recoveriesKilled: 0, broken: [] };
  const share = Math.ceil(options.kills / options.lanes);
  const lanes = Array.from({ length: options.lanes }, (_, index) => {
    const kills = Math.min(share, options.kills - index * share);
    return lane(join(options.directory, `lane-${index}`), kills, random(options.seed + index), tally);
  });
  await Promise.all(lanes);
  return { kills: options.kills, ...tally };
}

function noPromises(): Promises {
  return { completed: new Map(), told: 0, backed: 0 };
}

async function lane(directory: string, kills: number, next: () => number, tally: Tally): Promise<void> {
  let promises = noPromises();
  const place = join(directory, "state");
  for (let kill = 0; kill < kills; kill++) {
    if (kill % KILLS_PER_PLACE === 0) {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      promises = noPromises();
    }
    const lines = await killed(place, "work", next);
    for (const line of lines) hear(line, promises, tally);
    if (!existsSync(place)) continue;
    lookAt(place, join(directory, "copy"), promises, tally);
    await damageAndRecover(place, join(directory, "damaged"), promises, next, tally);
  }
}

/** The lines of a child that was killed at a random moment, mostly after it said that it is ready. */
function killed(directory: string, mode: "work" | "recover", next: () => number): Promise<string[]> {
  const isEarly = mode === "recover" || next() < 0.15;
  return killedAmid([CHILD, directory, mode], {
    after: isEarly ? mode : "ready",
    lines: isEarly ? 0 : Math.floor(next() * LINES_PER_LIFE),
    ms: next() * (isEarly ? BEFORE_READY_MS : WITHIN_MS),
  });
}

function hear(line: string, promises: Promises, tally: Tally): void {
  const [what, first = "", second = ""] = line.split(" ");
  if (what === "A") {
    promises.completed.set(first, Number(second));
    tally.acknowledged++;
  } else if (what === "J") promises.told = Number(first);
  else if (what === "B") {
    promises.backed = Number(first);
    tally.backups++;
  } else if (what === "!") tally.broken.push(`a child could not go on: ${line}`);
}

/** After a kill alone: the database itself is whole, and everything acknowledged is in it. */
function lookAt(place: string, copy: string, promises: Promises, tally: Tally): void {
  copyTo(place, copy);
  if (!existsSync(join(copy, "espalier.db"))) {
    if (promises.completed.size > 0) tally.broken.push("the database is gone");
    return;
  }
  const inspected = inspectDatabase(join(copy, "espalier.db"));
  if (!inspected.ok) tally.broken.push(`unreadable after a kill: ${JSON.stringify(inspected.failure)}`);
  const found = completedIn(copy, tally);
  if (found === undefined) return;
  if (found.source !== "database" || found.report.length > 0) {
    tally.broken.push(
      `a kill alone led to a recovery: ${found.source}: ${found.report.map(told => reasonText(told, "en")).join("; ")}`,
    );
  }
  for (const [id, seq] of promises.completed) {
    if (!found.completed.has(id)) tally.broken.push(`${id} (event ${seq}) was acknowledged and is lost`);
  }
  if (promises.backed > 0) lookAtBackup(join(copy, "espalier.db.bak"), promises, tally);
}

/** The backup by itself: what it was said to hold is in it. */
function lookAtBackup(path: string, { completed, backed }: Promises, tally: Tally): void {
  const opened = openSqliteReader({ path });
  const loaded = opened.ok ? opened.value?.load() : opened;
  if (opened.ok) opened.value?.close();
  if (loaded?.ok !== true) {
    tally.broken.push(`the backup cannot be read: ${JSON.stringify(loaded?.failure)}`);
    return;
  }
  const tasks = loaded.value?.tasks ?? [];
  const kept = new Set(tasks.flatMap(({ id, status }) => (status === "completed" ? [id] : [])));
  for (const [id, seq] of completed)
    if (seq <= backed && !kept.has(id))
      tally.broken.push(`${id} (event ${seq}) is not in the backup made after ${backed}`);
}

/** After damage to the database: everything the thin state was said to tell is known, also when recovery is killed. */
async function damageAndRecover(
  place: string,
  copy: string,
  promises: Promises,
  next: () => number,
  tally: Tally,
): Promise<void> {
  copyTo(place, copy);
  const done = damage(copy, next);
  if (done === undefined) return;
  if (tally.recoveries++ % RECOVERIES_PER_KILL === 0) {
    await killed(copy, "recover", next);
    tally.recoveriesKilled++;
  }
  const found = completedIn(copy, tally);
  if (found === undefined) return;
  for (const [id, seq] of promises.completed) {
    if (seq <= promises.told && !found.completed.has(id)) {
      tally.broken.push(
        `${done}: ${id} (event ${seq}, told up to ${promises.told}) is lost from ${found.source}`,
      );
    }
  }
}

function damage(directory: string, next: () => number): string | undefined {
  const database = join(directory, "espalier.db");
  const log = `${database}-wal`;
  if (!existsSync(database)) return undefined;
  const withoutLog = next() < 0.5;
  if (withoutLog) rmSync(log, { force: true });
  const size = statSync(database).size;
  const kind = Math.floor(next() * 4);
  const suffix = withoutLog ? ", log removed" : "";
  if (kind === 0) {
    const length = Math.floor(next() * size);
    truncateSync(database, length);
    return `cut to ${length} of ${size}${suffix}`;
  }
  if (kind === 1) {
    const bytes = readFileSync(database);
    const from = Math.floor(next() * size);
    writeFileSync(database, bytes.fill(0, from, Math.min(from + 4096, size)));
    return `zeros from ${from}${suffix}`;
  }
  if (kind === 2 && existsSync(log)) {
    const length = Math.floor(next() * statSync(log).size);
    truncateSync(log, length);
    return `log cut to ${length}`;
  }
  rmSync(database);
  return `removed${suffix}`;
}

interface Found {
  readonly completed: ReadonlySet<string>;
  readonly source: string;
  readonly report: readonly Reason[];
}

function completedIn(directory: string, tally: Tally): Found | undefined {
  const opened = openState(directory, OPTIONS);
  if (!opened.ok) {
    tally.broken.push(`cannot be opened: ${JSON.stringify(opened.failure)}`);
    return undefined;
  }
  const { store, source, report, imported } = opened.value;
  const loaded = store.load();
  store.close();
  if (!loaded.ok) tally.broken.push(`cannot be loaded: ${JSON.stringify(loaded.failure)}`);
  const left = readdirSync(directory).filter(isTemporaryName);
  if (left.length > 0) tally.broken.push(`temporary files are left: ${left.join(", ")}`);
  const completed = new Set<string>();
  for (const { id, status } of (loaded.ok ? loaded.value?.tasks : undefined) ?? []) {
    if (status === "completed") completed.add(id);
  }
  for (const [id, { status }] of imported?.tasks ?? []) if (status === "completed") completed.add(id);
  return { completed, source, report };
}

function copyTo(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  copyFiles(from, to);
}

/** A small generator of numbers from 0 to 1 (mulberry32): the same seed, the same numbers. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
