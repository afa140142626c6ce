import type { StampedEvent } from "../../ports/event.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { AttemptRow, AttemptSpan, Change, RunRow, StoredRun, TaskRow } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { checkContext, needsRun } from "./context-check.ts";
import { type EpochStore, misuse } from "./epoch-store.ts";
import {
  applyContext,
  contextLog,
  loadContext,
  type MemoryContext,
  memoryContext,
  receiptsOf,
} from "./memory-context.ts";

interface MemoryRun {
  run: RunRow;
  readonly tasks: Map<string, TaskRow>;
  /** By task, then by number; `order` counts first commits. */
  readonly attempts: Map<string, Map<number, { readonly order: number; readonly row: AttemptRow }>>;
  attemptCount: number;
  readonly events: StampedEvent[];
}

/** What stands for the disk: stores opened over one place see the same state, like processes over one database. */
export interface MemoryPlace {
  epoch: number;
  readonly runs: Map<string, MemoryRun>;
  readonly context: MemoryContext;
}

/** A new, empty place. */
export function memoryPlace(): MemoryPlace {
  return { epoch: 0, runs: new Map(), context: memoryContext() };
}

/** How a store in memory behaves. */
export interface MemoryOptions {
  /** What it holds; a new place unless given. Open another store over the same place to simulate a restart. */
  readonly place?: MemoryPlace;
  /** Asked before each commit; what it returns is the answer, and the change has no effect. */
  readonly refuse?: (change: Change) => StoreFailure | undefined;
}

/** A store for simulations and tests: the same contract as the durable one, forgotten with the process. */
export function openMemoryStore(options: MemoryOptions = {}): EpochStore {
  const place = options.place ?? memoryPlace();
  let open = true;
  const whileOpen = <T>(answer: () => Result<T, StoreFailure>): Result<T, StoreFailure> =>
    open ? answer() : fail({ kind: "io", message: "the store is closed" });

  return {
    portVersion: 1,
    load: () => whileOpen(() => ok(loadLatest(place))),
    commit: change =>
      whileOpen(() => {
        const refused = options.refuse?.(change);
        return refused === undefined ? apply(place, change) : fail(refused);
      }),
    events: (run, afterSeq, limit) => whileOpen(() => ok(eventsOf(place.runs.get(run), afterSeq, limit))),
    attempts: (run, task) => whileOpen(() => ok(attemptsOf(place.runs.get(run), task))),
    spans: run => whileOpen(() => ok(spansOf(place.runs.get(run)))),
    context: {
      load: () => whileOpen(() => ok(loadContext(place.context))),
      text: hash => whileOpen(() => ok(place.context.texts.get(hash))),
      log: (afterSeq, limit) => whileOpen(() => ok(contextLog(place.context, afterSeq, limit))),
      receipts: (run, task) => whileOpen(() => ok(receiptsOf(place.context, run, task))),
    },
    claimEpoch: () => whileOpen(() => ok(++place.epoch)),
    close: () => {
      open = false;
    },
  };
}

function loadLatest(place: MemoryPlace): StoredRun | undefined {
  const latest = [...place.runs.values()].at(-1);
  if (latest === undefined) return undefined;
  const attempts = [...latest.attempts.values()].flatMap(byNumber => [...byNumber.values()]);
  const openAttempts = attempts.filter(({ row }) => row.endedAt === 0).sort((a, b) => a.order - b.order);
  return {
    run: copyRun(latest.run),
    tasks: [...latest.tasks.values()].map(task => ({ ...task })),
    openAttempts: openAttempts.map(({ row }) => copyAttempt(row)),
    lastSeq: latest.events.length,
    usage: attempts
      .filter(({ row }) => row.endedAt !== 0)
      .sort((a, b) => a.order - b.order)
      .filter(({ row: { usage, estimate } }) => usage !== undefined || estimate !== undefined)
      .map(({ row: { task, number, agent, usage, estimate } }) => {
        const row = { task, number, agent, usage: { ...usage } };
        return estimate === undefined ? row : { ...row, estimate };
      }),
  };
}

function eventsOf(run: MemoryRun | undefined, afterSeq: number, limit: number): StampedEvent[] {
  const from = Math.max(afterSeq, 0);
  return run === undefined ? [] : run.events.slice(from, from + limit).map(copyEvent);
}

function attemptsOf(run: MemoryRun | undefined, task: string): AttemptRow[] {
  const attempts = [...(run?.attempts.get(task)?.values() ?? [])];
  return attempts.map(({ row }) => copyAttempt(row)).sort((a, b) => a.number - b.number);
}

function spansOf(run: MemoryRun | undefined): AttemptSpan[] {
  const attempts = [...(run?.attempts.values() ?? [])].flatMap(byNumber => [...byNumber.values()]);
  return attempts
    .sort((a, b) => a.order - b.order)
    .map(({ row: { task, number, agent, startedAt, endedAt, outcome, machine } }) => ({
      task,
      number,
      agent,
      startedAt,
      endedAt,
      outcome,
      ...(machine === undefined ? {} : { machine }),
    }));
}

// Everything that can be wrong is found before anything is changed.
function apply(place: MemoryPlace, change: Change): Result<void, StoreFailure> {
  const { epoch, runId, context } = change;
  if (epoch !== place.epoch) return fail({ kind: "fenced", epoch, stored: place.epoch });
  if (context !== undefined) checkContext(context);
  if (needsRun(change)) applyToRun(place, change);
  if (context !== undefined) applyContext(place.context, context, runId);
  return ok(undefined);
}

function applyToRun(place: MemoryPlace, change: Change): void {
  const { runId } = change;
  if (change.run !== undefined && change.run.id !== runId) {
    throw misuse(`run ${change.run.id} in a change of run ${runId}`);
  }
  const known = place.runs.get(runId);
  if (known === undefined && change.run === undefined) throw misuse(`run ${runId} was never committed`);
  let last = known?.events.length ?? 0;
  for (const { seq } of change.events ?? []) {
    if (seq !== last + 1) throw misuse(`event ${seq} after event ${last} of run ${runId}`);
    last = seq;
  }

  const run = known ?? newRun(change.run as RunRow);
  place.runs.set(runId, run);
  if (change.run !== undefined) run.run = copyRun(change.run);
  for (const task of change.tasks ?? []) run.tasks.set(task.id, { ...task });
  for (const id of change.removedTasks ?? []) run.tasks.delete(id);
  for (const attempt of change.attempts ?? []) putAttempt(run, attempt);
  for (const event of change.events ?? []) run.events.push(copyEvent(event));
}

function putAttempt(run: MemoryRun, attempt: AttemptRow): void {
  const attempts = run.attempts.get(attempt.task) ?? new Map();
  const order = attempts.get(attempt.number)?.order ?? run.attemptCount++;
  run.attempts.set(attempt.task, attempts.set(attempt.number, { order, row: copyAttempt(attempt) }));
}

function newRun(run: RunRow): MemoryRun {
  return { run, tasks: new Map(), attempts: new Map(), attemptCount: 0, events: [] };
}

// Rows are nearly flat, so a shallow copy keeps the state from changing with what a caller does to its objects.
function copyRun(run: RunRow): RunRow {
  return { ...run, forced: [...run.forced] };
}

function copyAttempt(attempt: AttemptRow): AttemptRow {
  return attempt.usage === undefined ? { ...attempt } : { ...attempt, usage: { ...attempt.usage } };
}

function copyEvent(stamped: StampedEvent): StampedEvent {
  return { ...stamped, event: { ...stamped.event } };
}
