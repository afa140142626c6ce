import type { AttemptSpan, TaskStatus } from "../ports/index.ts";
import { type Amount, sumLike } from "./estimate.ts";
import type { TaskFacts } from "./facts.ts";
import { isBroken, isContainer, prerequisites } from "./state.ts";

/** How long a run still takes, as its own attempts tell it. */
export interface TimeLeft {
  /** Milliseconds from the last beginning or end of an attempt on. */
  readonly ms: Amount;
  readonly at: number;
  /** Completed tasks that this is made of. */
  readonly basis: number;
  /** Tasks that can go on by themselves. */
  readonly ahead: number;
  /** Tasks that wait for a person, or behind one that does: they are in none of the figures. */
  readonly held: number;
  /** Attempts that were at work at once, while any was. */
  readonly atOnce: number;
}

type Facts = Pick<TaskFacts, "task" | "status">;

const AHEAD: ReadonlySet<TaskStatus> = new Set(["pending", "ready", "in_progress", "waiting"]);

/** Tasks that depend on each, by its id. */
function dependents(tasks: readonly Facts[]): ReadonlyMap<string, readonly Facts[]> {
  const after = new Map<string, Facts[]>();
  for (const facts of tasks)
    for (const id of prerequisites(facts.task)) {
      const list = after.get(id);
      if (list === undefined) after.set(id, [facts]);
      else list.push(facts);
    }
  return after;
}

/** The tasks that go on only when a person decides, and all that wait for one of them. */
function heldTasks(tasks: readonly Facts[], after: ReadonlyMap<string, readonly Facts[]>): Set<string> {
  const needs = tasks.filter(({ status }) => status === "paused" || isBroken(status));
  const held = new Set(needs.map(({ task }) => task.id));
  for (const id of held)
    for (const { task, status } of after.get(id) ?? []) if (AHEAD.has(status)) held.add(task.id);
  return held;
}

/** The longest chain of tasks ahead within each phase, all phases together: one begins when the one before has ended. */
function longestChain(ahead: readonly Facts[], after: ReadonlyMap<string, readonly Facts[]>): number {
  const inside = new Map(ahead.map(({ task }) => [task.id, task]));
  const waits = new Map<string, number>();
  for (const { task } of ahead)
    waits.set(task.id, prerequisites(task).filter(id => inside.get(id)?.phase === task.phase).length);
  const depth = new Map(ahead.map(({ task }) => [task.id, 1]));
  const free = ahead.flatMap(({ task }) => (waits.get(task.id) === 0 ? [task] : []));
  for (const task of free)
    for (const { task: next } of after.get(task.id) ?? []) {
      if (!inside.has(next.id) || next.phase !== task.phase) continue;
      depth.set(next.id, Math.max(depth.get(next.id)!, depth.get(task.id)! + 1));
      const left = waits.get(next.id)! - 1;
      waits.set(next.id, left);
      if (left === 0) free.push(next);
    }
  const longest = new Map<unknown, number>();
  for (const { task } of ahead)
    longest.set(task.phase, Math.max(longest.get(task.phase) ?? 0, depth.get(task.id)!));
  return longest.values().reduce((sum, one) => sum + one, 0);
}

/** How many attempts were at work at once, on average over the time in which any was. */
function together(spans: readonly AttemptSpan[], at: number): number {
  let [worked, any, until] = [0, 0, 0];
  for (const { startedAt, endedAt } of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const end = endedAt === 0 ? at : endedAt;
    worked += Math.max(0, end - startedAt);
    any += Math.max(0, end - Math.max(startedAt, until));
    until = Math.max(until, end);
  }
  return any === 0 ? 1 : Math.max(1, worked / any);
}

/** All work shared among `by`, and no less than the chain; `done` is what each of the running attempts has been at it. */
function shared(work: Amount, chain: Amount, by: number, done: readonly number[]): Amount {
  const sum = done.reduce((total, one) => total + one, 0);
  const least = (all: number, longest: number) =>
    Math.max(0, (all - sum) / by, longest - sum / Math.max(1, done.length));
  const expected = least(work.expected, chain.expected);
  if (work.low === undefined || work.high === undefined) return { expected };
  return {
    expected,
    low: least(work.low, chain.low ?? 0),
    high: least(work.high, chain.high ?? 0),
  };
}

/** How long a run still takes; undefined where nothing is left that goes on by itself, or no task has shown how long one takes. */
export function timeLeft(tasks: readonly Facts[], spans: readonly AttemptSpan[]): TimeLeft | undefined {
  const work = tasks.filter(({ task }) => !isContainer(task));
  const completed = new Set(work.flatMap(({ task, status }) => (status === "completed" ? [task.id] : [])));
  const took = new Map<string, number>();
  let at = 0;
  for (const { task, startedAt, endedAt } of spans) {
    at = Math.max(at, startedAt, endedAt);
    if (completed.has(task) && endedAt > 0)
      took.set(task, (took.get(task) ?? 0) + Math.max(0, endedAt - startedAt));
  }
  const known = [...took.values()];
  const after = dependents(tasks);
  const held = heldTasks(tasks, after);
  const ahead = work.filter(({ task, status }) => AHEAD.has(status) && !held.has(task.id));
  if (known.length === 0 || ahead.length === 0) return undefined;
  const running = new Set(ahead.flatMap(({ task, status }) => (status === "in_progress" ? [task.id] : [])));
  const each = sumLike(known, 1).expected;
  const begun = spans.filter(({ task, endedAt }) => endedAt === 0 && running.has(task));
  const done = begun.map(({ startedAt }) => Math.min(each, at - startedAt));
  const atOnce = together(spans, at);
  const chain = sumLike(known, longestChain(ahead, after));
  return {
    ms: shared(sumLike(known, ahead.length), chain, atOnce, done),
    at,
    basis: known.length,
    ahead: ahead.length,
    held: work.filter(({ task, status }) => held.has(task.id) && status !== "cancelled").length,
    atOnce,
  };
}
