import type { TaskStatus } from "../ports/index.ts";
import type { StepResult } from "./protocol.ts";
import { inScope, isBroken, isEnded, isSatisfied, type RunState, type TaskState } from "./state.ts";

const delta = (before: boolean, after: boolean): number => Number(after) - Number(before);

function count(run: RunState, state: TaskState, before: TaskStatus, after: TaskStatus): void {
  run.counts[before]--;
  run.counts[after]++;
  if (!inScope(run, state)) return;
  const ended = delta(isEnded(before), isEnded(after));
  run.scopeEnded += ended;
  const phase = run.phases[state.phaseIndex];
  if (phase === undefined) return;
  phase.ended += ended;
  phase.completed += delta(before === "completed", after === "completed");
  phase.skipped += delta(before === "skipped", after === "skipped");
  if (ended < 0) phase.closed = false;
}

/** Frees the paths a task held and lets the first waiter of each try again. */
function releaseFiles(run: RunState, state: TaskState): void {
  for (const file of state.task.files) {
    run.heldFiles.delete(file);
    wakeWaiter(run, file);
  }
}

/** Lets the first task that waits for a free path try again; it wakes the next one when it cannot use it. */
export function wakeWaiter(run: RunState, file: string): void {
  const waiters = run.parked.get(file);
  if (waiters === undefined) return;
  for (const first of waiters) {
    waiters.delete(first);
    run.ready.add(first);
    break;
  }
  if (waiters.size === 0) run.parked.delete(file);
}

function setStatus(run: RunState, out: StepResult, state: TaskState, next: TaskStatus): void {
  const before = state.status;
  state.status = next;
  out.touched.add(state);
  count(run, state, before, next);
  if (before === "in_progress") {
    run.running.delete(state);
    releaseFiles(run, state);
  }
  if (next === "in_progress") {
    run.running.add(state);
    for (const file of state.task.files) run.heldFiles.add(file);
  }
}

/** What a pending, ready or blocked task should be, given its neighbours; undefined when it stays. */
function settled(run: RunState, state: TaskState): TaskStatus | undefined {
  if (state.status !== "pending" && state.status !== "ready" && state.status !== "blocked") return undefined;
  if (state.broken > 0) return state.status === "blocked" ? undefined : "blocked";
  const open = state.phaseIndex <= run.open && inScope(run, state);
  const free = open && state.unmet === 0 && state.unordered === 0;
  const wanted = !free ? "pending" : state.task.children !== undefined ? "completed" : "ready";
  return wanted === state.status ? undefined : wanted;
}

function announce(run: RunState, out: StepResult, state: TaskState, before: TaskStatus, cause: string): void {
  if (state.status === "ready") run.ready.add(state);
  else if (state.status === "blocked") {
    state.reason = `blocked by ${cause}`;
    out.events.push({ type: "blocked", task: state.task.id, by: cause });
  } else if (state.status === "completed") {
    state.verified = (state.task.children ?? []).every(id => run.byId.get(id)?.verified === true);
    out.events.push({
      type: "completed",
      task: state.task.id,
      verified: state.verified,
      by: "children",
      ms: 0,
    });
    out.commands.push({ type: "tick-box", task: state.task.id });
  }
  if (before === "blocked") {
    state.reason = state.status === "blocked" ? state.reason : "";
    out.events.push({ type: "unblocked", task: state.task.id });
  }
}

/** The dependency that keeps a task blocked, for the message. */
function blocker(run: RunState, state: TaskState): string {
  for (const id of state.task.dependsOn) {
    const dependency = run.byId.get(id);
    if (dependency !== undefined && isBroken(dependency.status)) return id;
  }
  return state.task.children?.find(id => isBroken(run.byId.get(id)?.status ?? "pending")) ?? "";
}

/** Moves one task, then passes the change on to its neighbours; returns those that may have to move in turn. */
function move(run: RunState, out: StepResult, state: TaskState, next: TaskStatus, work: TaskState[]): void {
  const before = state.status;
  if (before === next) return;
  setStatus(run, out, state, next);
  const satisfied = delta(isSatisfied(before), isSatisfied(next));
  const broken = delta(isBroken(before), isBroken(next));
  const ended = delta(isEnded(before), isEnded(next));
  if (satisfied !== 0 || broken !== 0) {
    for (const at of run.dependents[state.index] ?? []) {
      const dependent = run.tasks[at]!;
      dependent.unmet -= satisfied;
      dependent.broken += broken;
      if (settled(run, dependent) !== undefined) work.push(dependent);
    }
  }
  if (ended !== 0) {
    for (const at of run.successors[state.index] ?? []) {
      const successor = run.tasks[at]!;
      successor.unordered -= ended;
      if (settled(run, successor) !== undefined) work.push(successor);
    }
  }
}

/** Moves every task of `work` to where its neighbours now put it, until nothing moves. Each edge is crossed once. */
function derive(run: RunState, out: StepResult, work: TaskState[]): void {
  for (let state = work.pop(); state !== undefined; state = work.pop()) {
    const next = settled(run, state);
    if (next === undefined) continue;
    const before = state.status;
    move(run, out, state, next, work);
    announce(run, out, state, before, next === "blocked" ? blocker(run, state) : "");
  }
}

/** Re-reads one task's neighbours and moves it to where it now belongs, and everything that follows from that. */
export function settle(run: RunState, out: StepResult, state: TaskState): void {
  derive(run, out, [state]);
}

/**
 * Moves one task to a status and everything that follows from it: dependents become ready, blocked or unblocked,
 * containers complete. Linear in the edges it crosses; no recursion, so a chain of any length is safe.
 */
export function transition(run: RunState, out: StepResult, state: TaskState, next: TaskStatus): void {
  const work: TaskState[] = [];
  move(run, out, state, next, work);
  if (next === "ready") run.ready.add(state);
  derive(run, out, work);
}
