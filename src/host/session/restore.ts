import { randomName } from "../../adapters/local/random.ts";
import { keptWork } from "../../engine/index.ts";
import { diffPlans, type Plan } from "../../plan/index.ts";
import {
  type AttemptRow,
  because,
  EXIT,
  few,
  type LandedAttempt,
  LEAD,
  type Reason,
  type RunEvent,
  type StoredRun,
  type TaskRow,
} from "../../ports/index.ts";
import {
  freshRun,
  type MetConflict,
  pauseChanged,
  type RunPolicy,
  type RunState,
  restoreRun,
  TEXT_CHANGED,
  weakerTasks,
} from "../../run/index.ts";
import { errorFor, textHash } from "../../text/index.ts";
import { awaitsApproval } from "../approval/approval.ts";
import type { Invocation } from "../project/invocation.ts";
import type { PlanFile } from "../project/plan-file.ts";
import type { TaskPath } from "../project/project.ts";
import { readStoredPlan } from "../project/stored-plan.ts";

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
  /** Attempts that go on on other machines, though the process that began them has died. */
  readonly underWay: readonly AttemptRow[];
  readonly removedTasks: readonly string[];
  /** Tasks that the file asks less of than before, and by what: for a person to approve before anything starts. */
  readonly weaker: ReadonlyMap<string, readonly string[]>;
  /** What a person should know about how the state came to be. */
  readonly notes: readonly Reason[];
  /** The checkpoint a new run was started from, and completions that were found to have landed: events of the run. */
  readonly news?: readonly RunEvent[];
}

export interface BeginRequest {
  readonly file: TaskPath;
  /** The stored run is one of this task file. */
  readonly isSame: boolean;
  readonly plan: PlanFile;
  readonly policyOf: (invocation: Invocation) => RunPolicy;
  readonly invocation: (before: Invocation) => Invocation;
  /** Whether an edited task file is refused. */
  readonly isFrozen: (invocation: Invocation) => boolean;
  readonly only: ReadonlySet<string> | undefined;
  readonly force: string | undefined;
  /** A lead's claims survive; a run of our own takes their tasks back. */
  readonly keepClaims: boolean;
  /** Whether an attempt of a dead process goes on without it. */
  readonly outlives?: (attempt: AttemptRow, invocation: Invocation) => boolean;
  /** Every command will have been approved before anything starts, so tasks that were paused for it go on. */
  readonly approves: boolean;
  /** Rows to begin with where there is no run yet: imported or rebuilt; undefined means the boxes of the file. */
  readonly imported: readonly TaskRow[] | undefined;
  /** A new run begins with the imported rows although this task file has one; the event says where they come from. */
  readonly origin?: RunEvent | undefined;
  /** Attempts by token whose work the repository holds: they completed, whatever the state says. */
  readonly landed?: ReadonlyMap<string, LandedAttempt>;
  /** Completed tasks whose work the repository cannot give back, and why. */
  readonly unreadable?: ReadonlyMap<string, Reason> | undefined;
  /** Conflicts that the run to go on with has met. */
  readonly conflicts?: readonly MetConflict[];
  readonly now: number;
}

/** Boxes that were ticked since the run last read the file and say more than its state: told once, not believed. */
function foreignTicks(run: RunState, before: Plan | undefined): Reason[] {
  const known = new Set((before?.tasks ?? []).filter(task => task.done).map(task => task.id));
  const foreign = run.tasks.filter(
    ({ task, status }) => task.done && status !== "completed" && status !== "paused" && !known.has(task.id),
  );
  if (foreign.length === 0) return [];
  const ids = foreign.map(state => state.task.id);
  return [because("ticks-not-believed", { tasks: few(ids, 6) })];
}

function begin(request: BeginRequest, earlier: StoredRun | undefined): Beginning {
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
  const notes: Reason[] = [];
  if (earlier !== undefined) notes.push(because("earlier-run-aside", { file: earlier.run.file }));
  const ticked = run.counts.completed;
  if (request.imported !== undefined) notes.push(...foreignTicks(run, undefined));
  else if (ticked > 0) notes.push(because("ticks-believed", { tasks: ticked, file: request.file.display }));
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
    underWay: [],
    removedTasks: [],
    weaker: new Map(),
    notes,
    ...(request.origin === undefined ? {} : { news: [request.origin] }),
  };
}

/** What changed in the file since the run last read it, told for people. */
function compare(
  before: Plan | undefined,
  request: BeginRequest,
  frozen: boolean,
): { changed: readonly string[]; notes: Reason[] } {
  if (before === undefined) return { changed: [], notes: [] };
  const { added, removed, changed } = diffPlans(before, request.plan.plan);
  if (added.length + removed.length + changed.length === 0) return { changed, notes: [] };
  const what = because("plan-changed", {
    file: request.file.display,
    added: few(added, 6),
    removed: few(removed, 6),
    changed: few(changed, 6),
  });
  if (frozen)
    throw errorFor("PLAN_CHANGED", what, {
      advice: because("put-file-back", {}),
      exitCode: EXIT.invalidPlan,
    });
  return { changed, notes: [what] };
}

/** A task whose attempt had landed when its process died. */
function completedRow(row: TaskRow, { verified }: LandedAttempt, plan: Plan | undefined): TaskRow {
  const text = plan?.tasks.find(task => task.id === row.id)?.text ?? "";
  const done = { status: "completed", verified, reason: undefined, sameError: 0, notBefore: 0 } as const;
  return { ...row, ...done, textHash: textHash(text) };
}

/** How an attempt ended whose process died. Work that it had proved is proved no more where its task was edited since. */
function endedRow(
  attempt: AttemptRow,
  landed: LandedAttempt | undefined,
  isEdited: boolean,
  now: number,
): AttemptRow {
  if (landed === undefined) {
    const { commit, ...died } = attempt;
    const proved = isEdited || commit === undefined ? {} : { commit };
    const ended = { ...died, ...proved, endedAt: now, outcome: "crashed" } as const;
    // What it still had to be reviewed for says that as well.
    const isKept = keptWork(ended) !== undefined;
    return {
      ...ended,
      reason: isKept || died.reason?.code === "sent-back" ? died.reason : because("process-died", {}),
    };
  }
  const evidence = `landed as ${landed.commit} before the orchestrator died`;
  return { ...attempt, endedAt: now, outcome: "done", evidence, commit: landed.commit };
}

/** Tasks that have not run and are asked less of than before, by edits since the run last read the file and by earlier ones. */
function weakerSince(
  before: Plan | undefined,
  { tasks }: Plan,
  rows: readonly TaskRow[],
): Map<string, readonly string[]> {
  const found = weakerTasks(before?.tasks ?? [], tasks);
  return new Map(
    rows.flatMap(({ id, status, reason }) => {
      if (status === "completed" || status === "skipped" || status === "cancelled") return [];
      const fields = status === "paused" && reason?.code === "asks-less" ? [] : found.get(id);
      return fields === undefined ? [] : [[id, fields] as const];
    }),
  );
}

function goOn(stored: StoredRun, request: BeginRequest): Beginning {
  const before = readStoredPlan(stored.run.plan);
  const invocation = request.invocation(before?.invocation ?? {});
  const { changed, notes } = compare(before?.plan, request, request.isFrozen(invocation));
  const { file } = stored.run;
  if (file !== request.file.display)
    notes.unshift(because("task-file-renamed", { from: file, file: request.file.display }));
  const claimed = request.keepClaims ? stored.openAttempts.filter(attempt => attempt.agent === LEAD) : [];
  const left = stored.openAttempts.filter(attempt => !claimed.includes(attempt));
  const landed = new Map(
    left.flatMap(({ task, token, folder }) => {
      // Its place is written down before its work lands: what stands in git without it was put there by somebody else.
      const found = folder === undefined ? undefined : request.landed?.get(token);
      return found?.task === task ? [[task, found] as const] : [];
    }),
  );
  const atWork = new Set(stored.tasks.flatMap(row => (row.status === "in_progress" ? [row.id] : [])));
  const isThere = new Set(request.plan.plan.tasks.map(({ id }) => id));
  const underWay = left.filter(
    attempt =>
      atWork.has(attempt.task) &&
      isThere.has(attempt.task) &&
      !landed.has(attempt.task) &&
      !changed.includes(attempt.task) &&
      request.outlives?.(attempt, invocation) === true,
  );
  const crashed = left.filter(attempt => !underWay.includes(attempt));
  const rows = stored.tasks.map(row => {
    const found = row.status === "in_progress" ? landed.get(row.id) : undefined;
    if (found !== undefined) return completedRow(row, found, before?.plan);
    const lost = row.status === "completed" ? request.unreadable?.get(row.id) : undefined;
    if (lost !== undefined) return { ...row, status: "paused" as const, reason: lost };
    const goesOn =
      request.approves &&
      (awaitsApproval(row) || (row.status === "paused" && row.reason?.code === "asks-less"));
    return goesOn ? { ...row, status: "pending" as const, reason: undefined } : row;
  });
  const run = restoreRun(request.plan.plan, rows, {
    policy: request.policyOf(invocation),
    forced: [...stored.run.forced, ...(request.force === undefined ? [] : [request.force])],
    held: stored.run.held === true,
    ...(request.only === undefined ? {} : { only: request.only }),
    phase: stored.run.phase,
    keepRunning: new Set([...claimed, ...underWay].map(attempt => attempt.task)),
    conflicts: request.conflicts ?? [],
    stored: stored.tasks,
  });
  const weaker = weakerSince(before?.plan, request.plan.plan, stored.tasks);
  const held = pauseChanged(run, changed, request.approves ? new Map() : weaker);
  const paused = held.filter(id => run.byId.get(id)?.reason?.code !== "asks-less");
  if (paused.length > 0) notes.push(because("done-under-another-text", { tasks: few(paused, 6) }));
  // What a person had decided about a task meanwhile stands; of one that left the plan there is nothing to tell.
  const dead = [...new Set(crashed.map(({ task }) => task))].filter(id => run.byId.has(id));
  const again = dead.filter(id => atWork.has(id) && !landed.has(id));
  const completed = dead.filter(id => atWork.has(id) && landed.has(id));
  const late = dead.filter(
    id => !atWork.has(id) && landed.has(id) && run.byId.get(id)?.status !== "completed",
  );
  if (run.held) notes.push(because("held-before", {}));
  if (again.length > 0) notes.push(because("starts-again", { tasks: few(again, 6) }));
  if (completed.length > 0) notes.push(because("landed-before", { tasks: few(completed, 6) }));
  if (late.length > 0) notes.push(because("landed-after-taken", { tasks: few(late, 6) }));
  if (underWay.length > 0)
    notes.push(
      because("goes-on-elsewhere", {
        tasks: few(
          underWay.map(({ task }) => task),
          6,
        ),
      }),
    );
  notes.push(...foreignTicks(run, before?.plan));
  return {
    runId: stored.run.id,
    run,
    invocation,
    startedAt: stored.run.startedAt,
    lastSeq: stored.lastSeq,
    leadTokens: stored.run.leadTokens,
    resumed: true,
    crashed: crashed.map(attempt =>
      endedRow(attempt, landed.get(attempt.task), changed.includes(attempt.task), request.now),
    ),
    claimed,
    underWay,
    weaker: request.approves ? weaker : new Map(),
    removedTasks: stored.tasks.flatMap(({ id }) => (run.byId.has(id) ? [] : [id])),
    news: [
      ...completed.map(task => {
        const verified = landed.get(task)?.verified === true;
        return { type: "completed", task, verified, by: "agent", ms: 0 } as const;
      }),
      ...held.map(task => {
        const reason = run.byId.get(task)?.reason ?? TEXT_CHANGED;
        return { type: "paused", task, reason, by: "rule" } as const;
      }),
    ],
    notes,
  };
}

/** Decides where a session stands: the stored run of this task file goes on, else a new one begins. */
export function beginning(stored: StoredRun | undefined, request: BeginRequest): Beginning {
  return stored !== undefined && request.isSame && request.origin === undefined
    ? goOn(stored, request)
    : begin(request, stored);
}
