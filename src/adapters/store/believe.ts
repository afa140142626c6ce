import type { RunEvent } from "../../ports/event.ts";
import { few } from "../../ports/names.ts";
import { because, type Reason } from "../../ports/reason.ts";
import type { DatabaseSync } from "./database.ts";
import { digestOf, sharesOf } from "./digest.ts";
import { type Row, reasonColumn } from "./rows.ts";
import { attemptSeal, eventSeal, type Head, runSeal, type Seal, sealedAt, taskSeal } from "./seal.ts";

/** Rows of the latest run that this program did not write, or that contradict what it wrote later. */
export interface Disputes {
  /** The run was put in whole by somebody else. */
  readonly isForged: boolean;
  readonly run: boolean;
  readonly tasks: readonly { readonly id: string; readonly status: string }[];
  readonly attempts: readonly { readonly task: string; readonly number: number }[];
  /** Events as they stand from the first one on that does not follow from those before it. */
  readonly events: readonly number[];
  /** Something was not written by this program. */
  readonly isForeign: boolean;
  /** The rows are not those, all together, that were written last: some are older, or gone. Which ones, nothing tells. */
  readonly isMixed: boolean;
}

interface Latest {
  readonly n: number;
  readonly id: string;
  readonly row: Row;
}

function latestRun(database: DatabaseSync): Latest | undefined {
  const row = database
    .prepare(
      "SELECT runs.*, coalesce(plan, '') AS plan FROM runs LEFT JOIN plans ON plans.run = n ORDER BY n DESC LIMIT 1",
    )
    .get();
  return row === undefined ? undefined : { n: row["n"] as number, id: row["id"] as string, row };
}

const stampOf = (row: Row) => ({
  seq: row["seq"] as number,
  at: row["at"] as number,
  event: row["event"] as string,
});

/** Events in their order, with whether each follows from the one before it. */
function* chain(database: DatabaseSync, seal: Seal, { n, id }: Latest) {
  let before = "";
  let isSound = true;
  const events = database.prepare("SELECT seq, at, event, seal FROM events WHERE run = ? ORDER BY seq");
  for (const row of events.iterate(n)) {
    isSound &&= row["seal"] === eventSeal(seal, id, before, stampOf(row));
    before = (row["seal"] ?? "") as string;
    yield { ...stampOf(row), isSound };
  }
}

const GIVES_BACK: ReadonlySet<string> = new Set(["retry", "resume", "send-back"]);

/** The last event at which a person gave each task back to its agents. */
function givenBack(text: string): string | undefined {
  if (!text.startsWith('{"type":"person"')) return undefined;
  const event = JSON.parse(text) as RunEvent;
  return event.type === "person" && GIVES_BACK.has(event.action) ? event.task : undefined;
}

/** The task an event brought to an end or took back from it. */
function moved(text: string): string | undefined {
  if (!MOVES.test(text)) return undefined;
  const event = JSON.parse(text) as RunEvent;
  // What is approved stays where it is, or moves by what follows.
  if (event.type === "person" && event.action === "approve") return undefined;
  return "task" in event ? event.task : undefined;
}
const MOVES = /^\{"type":"(?:completed|failed|attempt-failed|paused|blocked|waiting|person)"/;

/** Whether the rows of a run are, all together, those that were written last. */
function areWhole(
  database: DatabaseSync,
  seal: Seal,
  { n, id, row }: Latest,
  head: Head | undefined,
): boolean {
  // Before schema 4 there was no digest; since there is one that is remembered, none is one that was taken away.
  if ((row["digest"] ?? null) === null) return head?.whole !== true;
  const { sum } = sharesOf(database, seal, { n, id });
  return row["digest"] === digestOf(seal, id, row["last_seq"] as number, sum);
}

/** Compares every row of the latest run with its seal, and all of them with theirs; undefined where there is none. */
export function disputes(database: DatabaseSync, seal: Seal, head?: Head): Disputes | undefined {
  const latest = latestRun(database);
  if (latest === undefined) return undefined;
  const { n, id, row } = latest;
  const isMixed = !areWhole(database, seal, latest, head);
  const lastMove = new Map<string, string>();
  const returned = new Map<string, number>();
  const events: number[] = [];
  let believed = 0;
  for (const { seq, event, isSound } of chain(database, seal, latest)) {
    if (!isSound) events.push(seq);
    else believed++;
    const task = isSound ? givenBack(event) : undefined;
    if (task !== undefined) returned.set(task, seq);
    const about = isMixed && isSound ? moved(event) : undefined;
    if (about !== undefined) lastMove.set(about, event);
  }
  const tasks = database.prepare("SELECT * FROM tasks WHERE run = ? ORDER BY n").all(n);
  const isBelieved = (task: Row) => {
    const seq = sealedAt(task["seal"]);
    if (task["seal"] !== taskSeal(seal, id, seq, task)) return false;
    // An older row that was true once, put back in the place of a newer one.
    const isDone = task["status"] === "completed" || task["status"] === "skipped";
    return !isDone || seq >= (returned.get(task["id"] as string) ?? 0);
  };
  // Where rows of others stand among ours, an end counts that the history tells last.
  const isTold = (task: Row) => {
    const status = task["status"] as string;
    const event = lastMove.get(task["id"] as string) ?? "";
    if (status === "completed")
      return event.startsWith('{"type":"completed"') || event.includes('"action":"done"');
    return status !== "skipped" || event.includes('"action":"skip"');
  };
  const isForeignAttempt = (row: Row) => row["seal"] !== attemptSeal(seal, id, row);
  const attempts = database
    .prepare("SELECT * FROM attempts WHERE run = ? ORDER BY n")
    .all(n)
    .filter(isForeignAttempt)
    .map(attempt => ({ task: attempt["task"] as string, number: attempt["number"] as number }));
  const wrong = new Set(tasks.filter(task => !isBelieved(task)));
  const run = row["seal"] !== runSeal(seal, row, row["plan"] as string);
  return {
    isForged: run && believed === 0 && wrong.size === tasks.length,
    isForeign: run || wrong.size + attempts.length + events.length > 0,
    isMixed,
    run,
    tasks: tasks
      .filter(task => wrong.has(task) || (isMixed && !isTold(task)))
      .map(task => ({ id: task["id"] as string, status: task["status"] as string })),
    attempts,
    events,
  };
}

/** Whether every row of the latest run is believed. */
export function isUndisputed({ isForged, run, tasks, attempts, events, isMixed }: Disputes): boolean {
  return !isForged && !run && !isMixed && tasks.length + attempts.length + events.length === 0;
}

/** Whether rows of ours are wrong together and nothing else is: what to take back, nothing tells. */
export function isOnlyMixed(found: Disputes): boolean {
  return found.isMixed && !found.isForeign;
}

/**
 * Takes back what is not believed: its task is pending again, or waits for a person where an attempt worked on it; an
 * attempt counts as crashed, of a run nothing is left that a person decides. The caller has kept a copy. Returns what was
 * done.
 */
export function disbelieve(database: DatabaseSync, found: Disputes, now: number): readonly Reason[] {
  const latest = latestRun(database);
  if (latest === undefined) return [];
  const { n, id } = latest;
  if (found.isForged) {
    for (const table of ["tasks", "attempts", "events", "plans"])
      database.prepare(`DELETE FROM ${table} WHERE run = ?`).run(n);
    database.prepare("DELETE FROM runs WHERE n = ?").run(n);
    return [because("state-run-forged", { run: id })];
  }
  const crash = database.prepare(
    "UPDATE attempts SET outcome = 'crashed', ended_at = ?, why = ?, evidence = '', commit_id = NULL WHERE run = ? AND task = ? AND number = ?",
  );
  for (const { task, number } of found.attempts)
    crash.run(now, reasonColumn(because("attempt-not-ours", {})), n, task, number);
  const forged = new Set(found.attempts.map(({ task, number }) => `${task}#${number}`));
  const worked = new Set(
    database
      .prepare("SELECT task, number FROM attempts WHERE run = ?")
      .all(n)
      .flatMap(row =>
        forged.has(`${String(row["task"])}#${String(row["number"])}`) ? [] : [row["task"] as string],
      ),
  );
  const take = database.prepare(
    "UPDATE tasks SET status = ?, why = ?, verified = NULL, retries = max(retries, 0), same_error = 0, text_hash = '', not_before = 0, stalls = NULL, clash = NULL WHERE run = ? AND id = ?",
  );
  for (const { id: task, status } of found.tasks) {
    const isWorked = worked.has(task);
    take.run(
      isWorked ? "paused" : "pending",
      reasonColumn(isWorked ? because("state-not-believed", { status }) : undefined),
      n,
      task,
    );
  }
  if (found.run)
    database
      .prepare("UPDATE runs SET forced = '[]', why = '', lead_tokens = 0, state = 'interrupted' WHERE n = ?")
      .run(n);
  if (found.run) database.prepare("UPDATE plans SET plan = '' WHERE run = ?").run(n);
  const [first] = found.events;
  const message = because("rows-not-believed", {
    tasks: found.tasks.slice(0, 8).map(task => ({ task: task.id, status: task.status })),
    more: Math.max(0, found.tasks.length - 8),
    attempts: few([...forged], 8),
    run: found.run,
    mixed: found.isMixed,
    ...(first === undefined ? {} : { event: first }),
  });
  const event: RunEvent = { type: "warning", code: "STATE_NOT_BELIEVED", message };
  const last = database.prepare("SELECT coalesce(max(seq), 0) AS seq FROM events WHERE run = ?").get(n);
  const seq = (last?.["seq"] as number) + 1;
  database
    .prepare("INSERT INTO events (run, seq, at, event) VALUES (?, ?, ?, ?)")
    .run(n, seq, now, JSON.stringify(event));
  database.prepare("UPDATE runs SET last_seq = ? WHERE n = ?").run(seq, n);
  return [message];
}

/** Seals the latest run as it stands, and the database with it. */
export function sealAll(database: DatabaseSync, seal: Seal): void {
  database.prepare("UPDATE meta SET sealed_by = ?").run(seal.id);
  const latest = latestRun(database);
  if (latest === undefined) return;
  const { n, id, row } = latest;
  const set = (table: string, key: string) =>
    database.prepare(`UPDATE ${table} SET seal = ? WHERE run = ? AND ${key}`);
  database.prepare("UPDATE runs SET seal = ? WHERE n = ?").run(runSeal(seal, row, row["plan"] as string), n);
  const seq = row["last_seq"] as number;
  const ofTask = set("tasks", "id = ?");
  for (const task of database.prepare("SELECT * FROM tasks WHERE run = ?").all(n))
    ofTask.run(taskSeal(seal, id, seq, task), n, task["id"] as string);
  const ofAttempt = set("attempts", "task = ? AND number = ?");
  for (const attempt of database.prepare("SELECT * FROM attempts WHERE run = ?").all(n))
    ofAttempt.run(attemptSeal(seal, id, attempt), n, attempt["task"] as string, attempt["number"] as number);
  const ofEvent = set("events", "seq = ?");
  let before = "";
  for (const event of database
    .prepare("SELECT seq, at, event FROM events WHERE run = ? ORDER BY seq")
    .all(n)) {
    before = eventSeal(seal, id, before, stampOf(event));
    ofEvent.run(before, n, event["seq"] as number);
  }
  const { sum } = sharesOf(database, seal, { n, id });
  database.prepare("UPDATE runs SET digest = ? WHERE n = ?").run(digestOf(seal, id, seq, sum), n);
}

/** The last event of the latest run, as it is remembered elsewhere. */
export function headOf(database: DatabaseSync): Head | undefined {
  const row = database
    .prepare(
      "SELECT id, seq, events.seal AS seal, digest FROM runs JOIN events ON run = n WHERE n = (SELECT max(n) FROM runs) ORDER BY seq DESC LIMIT 1",
    )
    .get();
  if (row === undefined) return undefined;
  const [run, seq, seal] = [row["id"] as string, row["seq"] as number, (row["seal"] ?? "") as string];
  return { run, seq, seal, whole: row["digest"] !== null };
}

/** Whether a state has everything that is remembered of it. */
export function hasReached(database: DatabaseSync, { run, seq, seal }: Head): boolean {
  const row = database
    .prepare("SELECT seal FROM events WHERE run = (SELECT n FROM runs WHERE id = ?) AND seq = ?")
    .get(run, seq);
  return row?.["seal"] === seal;
}

/** Who sealed a database; undefined where nobody did, and whether it holds anything that could be believed. */
export function sealedBy(database: DatabaseSync): {
  readonly id: string | undefined;
  readonly isEmpty: boolean;
} {
  const id = database.prepare("SELECT sealed_by FROM meta").get()?.["sealed_by"] as string | null;
  const holds = ["runs", "labels", "nodes", "documents"].some(
    table => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
  );
  return { id: id ?? undefined, isEmpty: !holds };
}
