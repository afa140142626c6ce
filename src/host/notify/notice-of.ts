import type { Notice, NoticeSummary, Reason, RunEvent, StampedEvent } from "../../ports/index.ts";
import { inScope, type RunState } from "../../run/index.ts";
import { shellWord } from "../../text/index.ts";
import { awaitsApproval } from "../approval/approval.ts";
import type { Aftermath } from "../run/aftermath.ts";
import { readyToMerge } from "../run/phase-work.ts";

/** When the run and its phases began, as far as they have since somebody listens. */
export interface Began {
  readonly run: number;
  readonly phases: ReadonlyMap<string, number>;
}

const SEE_ALL = "espalier status";

/** What lets a paused task go on: most often the person just says so. */
function commandFor(task: string, reason: Reason): string {
  const id = shellWord(task);
  if (awaitsApproval({ status: "paused", reason })) return "espalier resume";
  if (reason.code === "nobody-answered") return `espalier permit ${id}`;
  // Whether what was done still counts is a question of its own.
  if (reason.code === "text-changed") return `espalier task show ${id}`;
  return `espalier task resume ${id}`;
}

function budgetCommand(reason: Reason | undefined): string {
  const isReached = reason?.code === "budget-reached";
  return isReached ? `espalier resume ${reason.args.left.option}` : "espalier budget";
}

function pausedOf({ task, reason, by }: Extract<RunEvent, { type: "paused" }>): Notice | undefined {
  if (by === "person") return undefined;
  const command = commandFor(task, reason);
  if (reason.code === "agent-failed" && reason.args.kind === "budget")
    return { kind: "budget", reason, command };
  return { kind: "paused", task, reason, command };
}

/** What an event means for people who do not look; undefined for nothing. The end of a run is told by `endOf`. */
export function noticeOf({ event, at }: StampedEvent, began: Began): Notice | undefined {
  if (event.type === "paused") return pausedOf(event);
  if (event.type === "asked") {
    const { task, id, kind, title } = event;
    return { kind: "asked", task, id, wants: `${kind} ${title}`, command: `espalier permit ${id}` };
  }
  if (event.type === "phase-ended") {
    const { phase, completed, counted } = event;
    const ms = at - (began.phases.get(phase) ?? at);
    return { kind: "phase-ended", phase, completed, counted, ms, command: SEE_ALL };
  }
  if (event.type === "phase-gated") {
    const { phase, completed, counted } = event;
    return { kind: "phase-gated", phase, completed, counted, command: showPhase(phase) };
  }
  if (event.type === "phase-refused") {
    const { phase, reason } = event;
    return { kind: "phase-refused", phase, reason, command: showPhase(phase) };
  }
  if (event.type !== "phase-left") return undefined;
  const { phase, branch } = event;
  return { kind: "phase-ready", phase, branch, command: `espalier phase merge ${shellWord(phase)}` };
}

function showPhase(phase: string): string {
  return `espalier phase show ${shellWord(phase)}`;
}

/** That nothing moves any more until an agent has quota again; undefined while anything does. */
export function quotaOf({ counts, tasks }: RunState): Notice | undefined {
  if (counts.waiting === 0 || counts.in_progress > 0 || counts.ready > 0) return undefined;
  const times = tasks.flatMap(({ status, notBefore }) =>
    status === "waiting" && notBefore > 0 ? [notBefore] : [],
  );
  const until = times.length === 0 ? undefined : Math.min(...times);
  return { kind: "quota", tasks: counts.waiting, until, command: SEE_ALL };
}

function summaryOf(
  run: RunState,
  ms: number,
  { taken, work }: Pick<Aftermath, "taken" | "work">,
): NoticeSummary {
  const tasks = run.tasks.filter(state => inScope(run, state) && state.task.children === undefined);
  const having = (status: string) => tasks.filter(state => state.status === status);
  const completed = having("completed");
  return {
    completed: completed.length,
    tasks: tasks.length - having("skipped").length,
    unverified: completed.filter(({ verified }) => verified !== true).length,
    failed: having("failed").length,
    paused: having("paused").length,
    ms,
    ...(taken === undefined ? {} : { tokens: taken.tokens, cost: taken.cost }),
    ready: readyToMerge(work?.phases ?? []),
    reason: run.ended?.reason,
  };
}

function commandAtEnd(run: RunState, outcome: string, ready: readonly string[]): string {
  if (outcome === "interrupted") return "espalier resume";
  const [first] = ready;
  if (outcome === "completed" && first !== undefined)
    return ready.length === 1 ? `espalier phase merge ${shellWord(first)}` : "espalier phase merge --all";
  const paused = run.tasks.filter(state => inScope(run, state) && state.status === "paused");
  const [only] = paused;
  if (outcome === "waiting" && paused.length === 1 && only?.reason !== undefined)
    return commandFor(only.task.id, only.reason);
  return SEE_ALL;
}

/** What the end of a run means for people elsewhere. */
export function endOf(run: RunState, ms: number, left: Pick<Aftermath, "taken" | "work">): Notice {
  const { outcome = "interrupted", reason } = run.ended ?? {};
  const summary = summaryOf(run, ms, left);
  const command = commandAtEnd(run, outcome, summary.ready);
  if (run.spending?.refusal !== undefined && outcome === "waiting")
    return { kind: "budget", reason, command: budgetCommand(reason) };
  return { kind: "run-ended", outcome, summary, command };
}
