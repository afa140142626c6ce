import type { RunShape, TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";

/** What is known of the run. */
interface Known {
  readonly shape: RunShape | undefined;
  readonly tasks: ReadonlyMap<string, TaskNow>;
}

/** Something that goes on only when a person decides. */
export type Need =
  | {
      readonly kind: "question";
      readonly id: number;
      readonly task: string;
      readonly wants: string;
      readonly title: string;
    }
  | { readonly kind: "gate"; readonly phase: string }
  | { readonly kind: "held" }
  | {
      readonly kind: "task";
      readonly task: string;
      readonly ask: NonNullable<TaskNow["ask"]>;
      readonly cause: string;
      /** Tasks that wait for it, near and far. */
      readonly behind: number;
    }
  /** Nobody works on the run; `cause` where it tells why. */
  | { readonly kind: "rests"; readonly cause: string };

/** Waiting tasks for which it is counted what waits behind them; of more, the first come first. */
const COUNTED = 50;

/** How many tasks wait for each of some, near and far. Linear in the plan for each. */
function behind(plan: readonly TaskCard[], ids: readonly string[]): ReadonlyMap<string, number> {
  const after = new Map<string, string[]>();
  const groups = new Set(plan.flatMap(card => (card.container ? [card.id] : [])));
  for (const card of plan)
    for (const other of card.dependsOn) {
      const list = after.get(other);
      if (list === undefined) after.set(other, [card.id]);
      else list.push(card.id);
    }
  const count = (id: string): number => {
    const seen = new Set([id]);
    let found = 0;
    for (const at of seen)
      for (const next of after.get(at) ?? []) {
        if (!seen.has(next) && !groups.has(next)) found++;
        seen.add(next);
      }
    return found;
  };
  return new Map(ids.slice(0, COUNTED).map(id => [id, count(id)]));
}

/** What waits for a person, what holds most up first. */
export function needsOf({ shape, tasks }: Known): Need[] {
  if (shape?.run == null) return [];
  const { run, link, plan } = shape;
  const waiting = plan.flatMap(({ id }) => {
    const { ask, reason = "" } = tasks.get(id) ?? {};
    return ask === undefined ? [] : [{ task: id, ask, cause: reason }];
  });
  const counts = behind(
    plan,
    waiting.map(({ task }) => task),
  );
  const stuck = waiting
    .map(one => ({ kind: "task" as const, ...one, behind: counts.get(one.task) ?? 0 }))
    .sort((a, b) => b.behind - a.behind);
  const needs: Need[] = [
    ...link.asked.map(({ id, task, kind: wants, title }) => ({
      kind: "question" as const,
      id,
      task,
      wants,
      title,
    })),
    ...(run.gated === undefined ? [] : [{ kind: "gate" as const, phase: run.gated }]),
    ...stuck,
    ...(link.live && link.held ? [{ kind: "held" as const }] : []),
  ];
  // What the tasks say already is not said again for the run.
  const cause = needs.length === 0 ? run.reason : "";
  if (!link.live && run.state !== "completed") needs.push({ kind: "rests", cause });
  else if (run.state === "waiting" && cause !== "") needs.push({ kind: "rests", cause });
  return needs;
}

/** Decisions that make sense for several tasks unseen; an approval says that somebody looked. */
const AT_ONCE: ReadonlySet<TaskNow["ask"]> = new Set(["resume", "retry"]);

/** Needs that the same decision answers, where there are several: the same act for tasks, the same wish of agents. */
export function alikeOf(needs: readonly Need[]): (readonly Need[])[] {
  const groups = Map.groupBy(needs, need => {
    if (need.kind === "task") return AT_ONCE.has(need.ask) ? need.ask : undefined;
    return need.kind === "question" ? JSON.stringify([need.wants, need.title]) : undefined;
  });
  return [...groups].flatMap(([key, group]) => (key === undefined || group.length < 2 ? [] : [group]));
}

/** Tasks at work, the longest first. */
export function runningOf({ tasks }: Pick<Known, "tasks">): TaskNow[] {
  return [...tasks.values()].filter(task => task.since !== undefined).sort((a, b) => a.since! - b.since!);
}

/** Tasks that wait for quota, and when the first of them goes on; undefined where none does. */
export function quotaOf({ tasks }: Pick<Known, "tasks">): { count: number; until: number } | undefined {
  const waiting = [...tasks.values()].filter(task => task.status === "waiting");
  if (waiting.length === 0) return undefined;
  return { count: waiting.length, until: Math.min(...waiting.map(task => task.notBefore)) };
}

/** States of tasks that wait to be worked on again, by themselves. */
const GOES_ON: ReadonlySet<TaskNow["status"]> = new Set(["pending", "ready", "in_progress", "waiting"]);

/** Tasks whose last attempt has ended and that do not run again, the newest first. */
export function latelyOf({ tasks }: Pick<Known, "tasks">, most: number): TaskNow[] {
  return [...tasks.values()]
    .filter(task => task.endedAt !== undefined && task.since === undefined && !GOES_ON.has(task.status))
    .sort((a, b) => b.endedAt! - a.endedAt!)
    .slice(0, most);
}
