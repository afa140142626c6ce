import type { Monitor, Reading } from "../../host/monitor/types.ts";
import { criticalPath, type Plan, type Task } from "../../plan/index.ts";
import type { AttemptRow, StoredRun } from "../../ports/index.ts";
import { blockages, byPhase, heldPhase, type TaskFacts, taskFacts } from "../../run/index.ts";
import { type Locale, reasonText } from "../../text/index.ts";
import type { RunHead, RunShape, TaskCard, TaskNow } from "../shapes/run.ts";
import { shown } from "../shown.ts";

/** Characters of a title or id on a card. */
const SHORT = 200;

/** What a task waits for: what it and its containers declare, and for a container its children. */
function edges(task: Task): string[] {
  return [...new Set([...task.dependsOn, ...(task.inherited ?? []), ...(task.children ?? [])])];
}

function card(task: Task, critical: ReadonlySet<string>): TaskCard {
  const role = task.role ?? task.specialist ?? task.agent?.toString();
  return {
    id: task.id,
    phase: String(task.phase),
    title: shown(task.title, SHORT),
    kind: task.kind,
    dependsOn: edges(task),
    ...(role === undefined ? {} : { role: shown(role, SHORT) }),
    ...(task.risk === undefined ? {} : { risk: task.risk }),
    container: task.children !== undefined,
    critical: critical.has(task.id),
  };
}

/** The part of the graph that changes only with the plan. */
export function planCards(plan: Plan): Pick<RunShape, "phases" | "plan"> {
  const critical = new Set(criticalPath(plan));
  const titles = new Map(plan.phases.map(({ phase, title }) => [phase, title]));
  const phases = byPhase(plan.phases, taskFacts(plan, [])).map(({ label, tasks }) => ({
    label,
    title: shown(titles.get(tasks[0]!.task.phase) ?? "", SHORT),
  }));
  return { phases, plan: plan.tasks.map(task => card(task, critical)) };
}

function now(
  facts: TaskFacts,
  open: AttemptRow | undefined,
  root: string | undefined,
  locale: Locale,
): TaskNow {
  const { task, status, retries, attempts, verified, reason, notBefore } = facts;
  const running = status === "in_progress" ? open : undefined;
  return {
    id: task.id,
    status,
    retries,
    attempts,
    verified: verified ?? null,
    reason: shown(reasonText(reason, locale), SHORT),
    notBefore,
    ...(root === undefined ? {} : { blockedBy: root }),
    ...(running === undefined ? {} : { agent: shown(running.agent, SHORT), since: running.startedAt }),
  };
}

/** Tokens an attempt cost, as far as its agent tells. */
function spent({ usage }: StoredRun): { tokens: number; costUsd: number } {
  let [tokens, costUsd] = [0, 0];
  for (const { usage: one } of usage) {
    tokens += (one.inputTokens ?? 0) + (one.outputTokens ?? 0);
    costUsd += one.costUsd ?? 0;
  }
  return { tokens, costUsd };
}

/** The changing part: the run's head and where each task stands. `live` tells whether a process works on it. */
export function standingOfRun(
  { stored, plan }: Reading,
  { phaseGate, locale }: Pick<Monitor, "phaseGate" | "locale">,
  live: boolean,
): { readonly run: RunHead; readonly tasks: readonly TaskNow[] } {
  const { run } = stored;
  // What a process was doing when it died is done again: its tasks are ready for the next one.
  const facts = taskFacts(plan, stored.tasks).map(one =>
    live || one.status !== "in_progress" ? one : { ...one, status: "ready" as const },
  );
  const roots = new Map<string, string>();
  for (const { by, tasks } of blockages(facts)) for (const one of tasks) roots.set(one.task.id, by);
  const open = new Map(stored.openAttempts.map(attempt => [attempt.task, attempt]));
  const gated = heldPhase(byPhase(plan.phases, facts), phaseGate, new Set(run.forced));
  const head: RunHead = {
    id: run.id,
    project: shown(run.project, SHORT),
    state: run.state === "running" && !live ? "interrupted" : run.state,
    phase: run.phase,
    startedAt: run.startedAt,
    updatedAt: run.updatedAt,
    forced: [...run.forced],
    reason: shown(reasonText(run.reason, locale)),
    file: shown(run.file),
    ...(gated === undefined ? {} : { gated }),
    ...spent(stored),
  };
  return {
    run: head,
    tasks: facts.map(one => now(one, open.get(one.task.id), roots.get(one.task.id), locale)),
  };
}
