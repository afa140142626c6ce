import { randomName } from "../../adapters/local/random.ts";
import { textHash } from "../../engine/index.ts";
import { diffPlans, type Plan } from "../../plan/index.ts";
import { type AttemptRow, EspalierError, EXIT, type StoredRun, type TaskRow } from "../../ports/index.ts";
import { freshRun, pauseChanged, type RunPolicy, type RunState, restoreRun } from "../../run/index.ts";
import type { PlanFile } from "../plan-file.ts";
import type { TaskPath } from "../project.ts";
import type { Invocation } from "../settings.ts";
import { readStoredPlan } from "./stored-plan.ts";

/** What a session begins with. */
export interface Beginning {
  readonly runId: string;
  readonly run: RunState;
  readonly invocation: Invocation;
  readonly startedAt: number;
  readonly lastSeq: number;
  readonly leadTokens: number;
  readonly resumed: boolean;
  /** Attempts of dead processes, closed as crashed. */
  readonly crashed: readonly AttemptRow[];
  /** Attempts a lead still works on. */
  readonly claimed: readonly AttemptRow[];
  readonly removedTasks: readonly string[];
  /** What a person should know about how the state came to be. */
  readonly notes: readonly string[];
}

export interface BeginRequest {
  readonly file: TaskPath;
  readonly plan: PlanFile;
  readonly policyOf: (invocation: Invocation) => RunPolicy;
  readonly invocation: (before: Invocation) => Invocation;
  readonly only: ReadonlySet<string> | undefined;
  readonly force: string | undefined;
  /** A lead's claims survive; a run of our own takes their tasks back. */
  readonly keepClaims: boolean;
  /** Rows to begin with where there is no run yet: imported or rebuilt; undefined means the boxes of the file. */
  readonly imported: readonly TaskRow[] | undefined;
  readonly now: number;
}

function some(ids: readonly string[]): string {
  return ids.length <= 6 ? ids.join(", ") : `${ids.slice(0, 6).join(", ")} and ${ids.length - 6} more`;
}

function begin(request: BeginRequest): Beginning {
  const { plan } = request.plan;
  const invocation = request.invocation({});
  const options = {
    policy: request.policyOf(invocation),
    forced: request.force === undefined ? [] : [request.force],
    ...(request.only === undefined ? {} : { only: request.only }),
  };
  const run =
    request.imported === undefined
      ? freshRun(plan, options, textHash)
      : restoreRun(plan, request.imported, options);
  const ticked = run.counts.completed;
  return {
    runId: randomName(12),
    run,
    invocation,
    startedAt: request.now,
    lastSeq: 0,
    leadTokens: 0,
    resumed: false,
    crashed: [],
    claimed: [],
    removedTasks: [],
    notes:
      ticked > 0 && request.imported === undefined
        ? [`${ticked} tasks are ticked in ${request.file.display}: taken as completed, unverified`]
        : [],
  };
}

/** What changed in the file since the run last read it, told for people. */
function compare(
  before: Plan | undefined,
  request: BeginRequest,
  frozen: boolean,
): { removed: readonly string[]; changed: readonly string[]; notes: string[] } {
  if (before === undefined) return { removed: [], changed: [], notes: [] };
  const { added, removed, changed } = diffPlans(before, request.plan.plan);
  if (added.length + removed.length + changed.length === 0) return { removed, changed, notes: [] };
  const parts = [
    added.length > 0 ? `${added.length} added (${some(added)})` : "",
    removed.length > 0 ? `${removed.length} removed (${some(removed)})` : "",
    changed.length > 0 ? `${changed.length} changed (${some(changed)})` : "",
  ].filter(part => part !== "");
  const what = `${request.file.display} has changed since the run read it: ${parts.join(", ")}`;
  if (frozen) {
    throw new EspalierError("PLAN_CHANGED", what, {
      hint: "put the file back, or leave out --plan frozen to reconcile",
      exitCode: EXIT.invalidPlan,
    });
  }
  return { removed, changed, notes: [what] };
}

function goOn(stored: StoredRun, request: BeginRequest): Beginning {
  const before = readStoredPlan(stored.run.plan);
  const invocation = request.invocation(before?.invocation ?? {});
  const { removed, changed, notes } = compare(before?.plan, request, invocation.plan === "frozen");
  const claimed = request.keepClaims ? stored.openAttempts.filter(attempt => attempt.agent === "lead") : [];
  const crashed = stored.openAttempts.filter(attempt => !claimed.includes(attempt));
  const run = restoreRun(request.plan.plan, stored.tasks, {
    policy: request.policyOf(invocation),
    forced: [...stored.run.forced, ...(request.force === undefined ? [] : [request.force])],
    ...(request.only === undefined ? {} : { only: request.only }),
    phase: stored.run.phase,
    keepRunning: new Set(claimed.map(attempt => attempt.task)),
  });
  const paused = pauseChanged(run, changed);
  if (paused.length > 0) {
    notes.push(
      `completed under another text: ${some(paused)}. Keep the work with "espalier task done ID", or do it again with "espalier task retry ID"`,
    );
  }
  if (crashed.length > 0)
    notes.push(`was in progress when the last process died, starts again: ${some(crashed.map(a => a.task))}`);
  const foreign = run.tasks.filter(
    state => state.task.done && state.status !== "completed" && state.status !== "paused",
  );
  if (foreign.length > 0) {
    const ids = some(foreign.map(state => state.task.id));
    notes.push(
      `ticked in the file, but not by Espalier, so not believed: ${ids}. "espalier task done ID" accepts one`,
    );
  }
  return {
    runId: stored.run.id,
    run,
    invocation,
    startedAt: stored.run.startedAt,
    lastSeq: stored.lastSeq,
    leadTokens: stored.run.leadTokens,
    resumed: true,
    crashed: crashed.map(attempt => ({
      ...attempt,
      endedAt: request.now,
      outcome: "crashed",
      reason: "the orchestrator died",
    })),
    claimed,
    removedTasks: removed,
    notes,
  };
}

/** Decides where a session stands: the stored run of this task file goes on, else a new one begins. */
export function beginning(stored: StoredRun | undefined, request: BeginRequest): Beginning {
  return stored !== undefined && stored.run.file === request.file.path
    ? goOn(stored, request)
    : begin(request);
}
