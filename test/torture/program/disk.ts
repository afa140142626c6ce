import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isTemporaryName } from "../../../src/adapters/file/index.ts";

/** A task as it stands in a database. */
interface TaskOnDisk {
  readonly status: string;
  readonly retries: number;
}

/** What a database says; read from a copy and by SQLite alone, so that neither the program nor its state takes part. */
export interface Database {
  readonly tasks: ReadonlyMap<string, TaskOnDisk>;
  /** In their order. */
  readonly events: readonly { readonly seq: number; readonly text: string }[];
}

/** Everything a process left on disk that something was promised about. */
export interface Disk {
  readonly database: Database | undefined;
  readonly backup: Database | undefined;
  readonly thin: { readonly seq: number; readonly completed: readonly string[] } | undefined;
  /** The task file with every box empty, and the ids of the ticked ones. */
  readonly file: { readonly unticked: string; readonly ticked: readonly string[] };
  /** Names of half-written files. */
  readonly temporaries: readonly string[];
  /** Lines that the log holds whole. */
  readonly log: readonly string[];
  /** What could not be read, in words. */
  readonly unreadable: readonly string[];
}

interface Sight {
  readonly state: string;
  readonly copies: string;
  readonly unreadable: string[];
}

function readDatabase(name: string, { state, copies, unreadable }: Sight): Database | undefined {
  if (!existsSync(join(state, name))) return undefined;
  const copy = join(copies, name);
  for (const ending of ["", "-wal"])
    if (existsSync(join(state, name + ending))) copyFileSync(join(state, name + ending), copy + ending);
  try {
    const database = new DatabaseSync(copy);
    try {
      const all = <Row>(sql: string, ...values: number[]) => database.prepare(sql).all(...values) as Row[];
      const check = all<{ readonly quick_check: string }>("PRAGMA quick_check")[0]?.quick_check;
      if (check !== "ok") unreadable.push(`${name}: ${check}`);
      const run = all<{ readonly n: number }>("SELECT n FROM runs ORDER BY n DESC LIMIT 1")[0]?.n ?? -1;
      const tasks = all<TaskOnDisk & { readonly id: string }>(
        "SELECT id, status, retries FROM tasks WHERE run = ?",
        run,
      );
      const events = "SELECT seq, event AS text FROM events WHERE run = ? ORDER BY seq";
      return { tasks: new Map(tasks.map(task => [task.id, task])), events: all(events, run) };
    } finally {
      database.close();
    }
  } catch (error) {
    unreadable.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
}

function readThin({ state, unreadable }: Sight): Disk["thin"] {
  const path = join(state, "orchestrate-state.json");
  if (!existsSync(path)) return undefined;
  try {
    const thin = JSON.parse(readFileSync(path, "utf8")) as {
      readonly seq: number;
      readonly tasks: readonly { readonly id: string; readonly status: string }[];
    };
    return {
      seq: thin.seq,
      completed: thin.tasks.flatMap(({ id, status }) => (status === "completed" ? [id] : [])),
    };
  } catch (error) {
    unreadable.push(`orchestrate-state.json: ${(error as Error).message}`);
    return undefined;
  }
}

/** Reads what stands in a project's state and in its task file; `copies` is an empty folder or none. */
export function readDisk(project: string, copies: string): Disk {
  const state = join(project, ".espalier");
  rmSync(copies, { recursive: true, force: true });
  mkdirSync(copies);
  const unreadable: string[] = [];
  const sight: Sight = { state, copies, unreadable };
  const tasks = join(project, "TASKS.md");
  const text = existsSync(tasks) ? readFileSync(tasks, "utf8") : "";
  const log = join(state, "orchestrate.log");
  const there = existsSync(state);
  return {
    database: readDatabase("espalier.db", sight),
    backup: readDatabase("espalier.db.bak", sight),
    thin: readThin(sight),
    file: {
      unticked: text.replaceAll("### [x] ", "### [ ] "),
      ticked: [...text.matchAll(/^### \[x\] (\S+):/gm)].map(match => match[1] ?? ""),
    },
    temporaries: [...readdirSync(project), ...(there ? readdirSync(state) : [])].filter(isTemporaryName),
    log: existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [],
    unreadable,
  };
}

/** The ids of completed tasks. */
export function completedIn(database: Database | undefined): Set<string> {
  const all = [...(database?.tasks ?? [])];
  return new Set(all.flatMap(([id, { status }]) => (status === "completed" ? [id] : [])));
}
