import { told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import type { State } from "../syntax/marks.ts";
import type { Task } from "../types.ts";
import { placeOf } from "./place.ts";

/** What a state says of not working on a task. */
export function leftOut(state: State): Pick<Task, "skip" | "putOff"> {
  if (state === "put off") return { skip: true, putOff: "itself" };
  return state === "skip" ? { skip: true } : {};
}

const NAMED = 10;

/** Leaves out with what is put off whatever waits for it, and tells so: it would begin before what it builds on is there. */
export function withPutOff(tasks: readonly Task[], report: Report): readonly Task[] {
  const waiting = behind(tasks);
  const held = tasks.filter(({ id }) => waiting.has(id));
  const [first] = held;
  if (first === undefined) return tasks;
  const ids = held.slice(0, NAMED).map(({ id }) => id);
  const named = ids.join(", ");
  report.add(
    "warning",
    "PUT_OFF",
    placeOf(first, report),
    told`left out, because they lie in or wait for what is put off: ${held.length > NAMED ? told`${named} and ${held.length - NAMED} more` : named}`,
    told`open what they wait for, or take the dependency out`,
  );
  return tasks.map(task => (waiting.has(task.id) ? { ...task, skip: true, putOff: "behind" } : task));
}

/**
 * Open tasks that wait for some which are put off, near or far: for those themselves, for a container that holds one, or because a container
 * around them waits or is put off. Linear in tasks and edges.
 */
function behind(tasks: readonly Task[]): ReadonlySet<string> {
  const waiting = new Set<string>();
  const own = tasks.flatMap(({ id, putOff }) => (putOff === "itself" ? [id] : []));
  if (own.length === 0) return waiting;
  const queue = new Set(own);
  const byId = new Map(tasks.map(task => [task.id, task]));
  const around = new Map(tasks.flatMap(({ id, children = [] }) => children.map(child => [child, id])));
  const dependents = new Map<string, string[]>();
  for (const { id, dependsOn, preparedBy = [] } of tasks)
    for (const on of [...dependsOn, ...preparedBy]) {
      const known = dependents.get(on);
      if (known === undefined) dependents.set(on, [id]);
      else known.push(id);
    }
  const hold = (ids: readonly string[]): void => {
    const held = [...ids];
    for (let next = held.pop(); next !== undefined; next = held.pop()) {
      const task = byId.get(next);
      if (task === undefined || task.done || task.skip === true || waiting.has(next)) continue;
      waiting.add(next);
      queue.add(next);
      for (const child of task.children ?? []) held.push(child);
    }
  };
  for (const id of own) hold(byId.get(id)?.children ?? []);
  // A set is gone through as it grows.
  for (const id of queue) {
    const container = around.get(id);
    if (container !== undefined) queue.add(container);
    hold(dependents.get(id) ?? []);
  }
  return waiting;
}
