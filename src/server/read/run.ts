import { modelsSpentBy, spentBy, totalSpend } from "../../engine/index.ts";
import type { Monitor, Reading } from "../../host/monitor/types.ts";
import { takenBy } from "../../host/run/aftermath.ts";
import { criticalPath, type Plan, type Task } from "../../plan/index.ts";
import type { AttemptRow, AttemptSpan, StoredRun } from "../../ports/index.ts";
import { blockages, byPhase, heldPhase, type TaskFacts, taskFacts, timeLeft } from "../../run/index.ts";
import { type Locale, reasonText } from "../../text/index.ts";
import type { Left, RunHead, RunShape, TaskCard, TaskNow } from "../shapes/run.ts";
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

/** What one task's attempts have taken. */
interface Worked {
  agent: string;
  tookMs: number;
  endedAt: number;
  tokens: number;
  cost: number | undefined;
}

/** What the attempts of each task took, by its id. Linear. */
function workedOn(
  spans: readonly AttemptSpan[],
  usage: StoredRun["usage"],
  prices: Monitor["prices"],
): Map<string, Worked> {
  const worked = new Map<string, Worked>();
  for (const { task, agent, startedAt, endedAt } of spans) {
    const one = worked.get(task) ?? { agent, tookMs: 0, endedAt: 0, tokens: 0, cost: undefined };
    one.agent = agent;
    one.endedAt = Math.max(one.endedAt, endedAt);
    if (endedAt > 0) one.tookMs += Math.max(0, endedAt - startedAt);
    worked.set(task, one);
  }
  for (const row of usage) {
    const one = worked.get(row.task);
    if (one === undefined) continue;
    const { tokens, cost } = totalSpend(
      [spentBy(row, prices), modelsSpentBy(row)].filter(part => part !== undefined),
    );
    one.tokens += tokens;
    if (cost !== undefined) one.cost = (one.cost ?? 0) + cost;
  }
  return worked;
}

function workShape({ agent, tookMs, endedAt, tokens, cost }: Worked): Partial<TaskNow> {
  return {
    agent: shown(agent, SHORT),
    ...(endedAt === 0 ? {} : { tookMs, endedAt }),
    ...(tokens === 0 ? {} : { tokens: Math.round(tokens) }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}

/** What a person most often decides about a task that waits for one. What was given up has been decided about. */
function askOf({ status, reason }: TaskFacts): TaskNow["ask"] {
  if (status === "failed") return "retry";
  if (status !== "paused") return undefined;
  return reason?.code === "text-changed" ? "done" : "resume";
}

/** What stands around one task and is worked out once for all. */
interface Around {
  readonly open: ReadonlyMap<string, AttemptRow>;
  readonly roots: ReadonlyMap<string, string>;
  readonly worked: ReadonlyMap<string, Worked>;
  readonly locale: Locale;
}

function now(facts: TaskFacts, { open, roots, worked, locale }: Around): TaskNow {
  const { task, status, retries, attempts, verified, reason, notBefore } = facts;
  const [root, work] = [roots.get(task.id), worked.get(task.id)];
  const running = status === "in_progress" ? open.get(task.id) : undefined;
  const ask = task.children === undefined ? askOf(facts) : undefined;
  return {
    id: task.id,
    status,
    retries,
    attempts,
    verified: verified ?? null,
    reason: shown(reasonText(reason, locale), SHORT),
    notBefore,
    ...(root === undefined ? {} : { blockedBy: root }),
    ...(status === "completed" && reason?.code === "stale-context" ? { stale: true } : {}),
    ...(work === undefined ? {} : workShape(work)),
    ...(running === undefined ? {} : { agent: shown(running.agent, SHORT), since: running.startedAt }),
    ...(ask === undefined ? {} : { ask }),
  };
}

function leftShape(facts: readonly TaskFacts[], spans: readonly AttemptSpan[]): { left?: Left } {
  const found = timeLeft(facts, spans);
  if (found === undefined) return {};
  const { ms, at, atOnce, ...counts } = found;
  const { low, high } = ms;
  return {
    left: {
      at,
      ms: Math.round(ms.expected),
      ...(low === undefined || high === undefined ? {} : { low: Math.round(low), high: Math.round(high) }),
      ...counts,
      atOnce: Math.round(atOnce * 10) / 10,
    },
  };
}

function takenShape(
  stored: StoredRun,
  prices: Monitor["prices"],
): Pick<RunHead, "attempts" | "tokens" | "estimated" | "costUsd" | "unpriced"> {
  const { attempts, tokens, estimated, cost, unpriced } = takenBy(stored, prices);
  return {
    attempts,
    tokens: Math.round(tokens),
    estimated: Math.round(estimated),
    costUsd: cost ?? 0,
    unpriced,
  };
}

/**
 * The changing part: the run's head and where each task stands. `live` tells whether a process works on it, `endedAt` when
 * the last one stopped.
 */
export function standingOfRun(
  { stored, plan }: Reading,
  spans: readonly AttemptSpan[],
  { phaseGate, locale, prices }: Pick<Monitor, "phaseGate" | "locale" | "prices">,
  live: boolean,
  endedAt?: number,
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
    ...(endedAt === undefined ? {} : { endedAt }),
    forced: [...run.forced],
    reason: shown(reasonText(run.reason, locale)),
    file: shown(run.file),
    ...(gated === undefined ? {} : { gated }),
    ...takenShape(stored, prices),
    ...leftShape(facts, spans),
  };
  const around = { open, roots, worked: workedOn(spans, stored.usage, prices), locale };
  return {
    run: head,
    tasks: facts.map(one => now(one, around)),
  };
}
