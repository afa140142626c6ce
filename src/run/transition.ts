import { because, type TaskStatus } from "../ports/index.ts";
import { holdFiles, releaseFiles } from "./files.ts";
import type { StepResult } from "./protocol.ts";
import {
  inScope,
  isActive,
  isBroken,
  isContainer,
  isEnded,
  isSatisfied,
  prerequisites,
  type RunState,
  runsAlone,
} from "./state.ts";
import type { TaskState } from "./task-state.ts";

const delta = (before: boolean, after: boolean): number => Number(after) - Number(before);

function count(run: RunState, state: TaskState, before: TaskStatus, after: TaskStatus): void {
  run.counts[before]--;
  run.counts[after]++;
  if (!inScope(run, state)) return;
  const ended = delta(isEnded(before), isEnded(after));
  run.scopeEnded += ended;
  const phase = run.phases[state.phaseIndex];
  if (phase === undefined || isContainer(state.task)) return;
  phase.ended += ended;
  phase.active += delta(isActive(before), isActive(after));
  if (ended < 0) {
    phase.closed = false;
    if (phase.settlement !== "under-way") phase.settlement = "open";
  }
  phase.completed += delta(before === "completed", after === "completed");
  phase.skipped += delta(before === "skipped", after === "skipped");
}

/** Writes a status with everything that is counted by it; the neighbours learn nothing. */
export function place(run: RunState, state: TaskState, next: TaskStatus): void {
  const before = state.status;
  state.status = next;
  count(run, state, before, next);
  if (before === "completed") state.verified = undefined;
  if (before === "in_progress") {
    run.running.delete(state);
    if (runsAlone(state)) run.alone--;
    const held = state.held!;
    state.held = undefined;
    releaseFiles(run, held);
  }
  if (next === "in_progress") {
    run.running.add(state);
    if (runsAlone(state)) run.alone++;
    state.held ??= state.files;
    holdFiles(run, state.held);
  }
  if (next === "waiting") run.due.add(state);
}

/** Where a task belongs that follows its neighbours (containers also once completed); undefined when it is there. */
function settled(run: RunState, state: TaskState): TaskStatus | undefined {
  const { status } = state;
  const container = isContainer(state.task);
  const follows = status === "pending" || status === "ready" || status === "blocked";
  if (!follows && !(container && status === "completed")) return undefined;
  const met = state.unmet === 0 && state.unordered === 0 && inScope(run, state);
  let wanted: TaskStatus = "pending";
  if (state.broken > 0) wanted = "blocked";
  else if (met && container) wanted = "completed";
  else if (met && state.phaseIndex <= run.open) wanted = "ready";
  return wanted === status ? undefined : wanted;
}

/** The dependency that keeps a task blocked, for the message. */
function blocker(run: RunState, state: TaskState): string {
  const broken = (id: string) => isBroken(run.byId.get(id)?.status ?? "pending");
  return prerequisites(state.task).find(broken) ?? "";
}

/** Says afresh what keeps a blocked task blocked: what did so before may have been repaired. */
export function nameBlocker(run: RunState, out: StepResult, state: TaskState): void {
  state.reason = because("blocked-by", { task: blocker(run, state) });
  out.touched.add(state);
}

function enqueue(run: RunState, state: TaskState): void {
  if (state.notBefore > 0) run.due.add(state);
  else run.ready.add(state);
}

function announce(run: RunState, out: StepResult, state: TaskState, before: TaskStatus): void {
  const task = state.task.id;
  if (before === "blocked") {
    state.reason = undefined;
    out.events.push({ type: "unblocked", task });
  }
  if (state.status === "ready") enqueue(run, state);
  else if (state.status === "blocked") {
    nameBlocker(run, out, state);
    out.events.push({ type: "blocked", task, by: blocker(run, state) });
  } else if (state.status === "completed") {
    const children = state.task.children!;
    state.verified = children.length > 0 && children.every(id => run.byId.get(id)?.verified === true);
    state.reason = undefined;
    out.events.push({ type: "completed", task, verified: state.verified, by: "children", ms: 0 });
    out.commands.push({ type: "tick-box", task });
  }
}

/** Tells those that only wait their turn that a task and all before it have ended (1), or have no longer (-1). */
function passOrder(run: RunState, from: TaskState, change: number, work: TaskState[]): void {
  const chain = [from];
  for (let state = chain.pop(); state !== undefined; state = chain.pop()) {
    for (const at of run.successors[state.index] ?? []) {
      const successor = run.tasks[at]!;
      successor.unordered -= change;
      const turned = successor.unordered === (change === 1 ? 0 : 1);
      if (turned && isEnded(successor.status)) chain.push(successor);
      if (settled(run, successor) !== undefined) work.push(successor);
    }
  }
}

/** Moves one task, then passes the change on to its neighbours; adds those that may have to move in turn to `work`. */
function move(run: RunState, out: StepResult, state: TaskState, next: TaskStatus, work: TaskState[]): void {
  const before = state.status;
  if (before === next) return;
  place(run, state, next);
  out.touched.add(state);
  const satisfied = delta(isSatisfied(before), isSatisfied(next));
  const broken = delta(isBroken(before), isBroken(next));
  if (satisfied !== 0 || broken !== 0) {
    for (const at of run.dependents[state.index]!) {
      const dependent = run.tasks[at]!;
      dependent.unmet -= satisfied;
      dependent.broken += broken;
      if (settled(run, dependent) !== undefined) work.push(dependent);
      else if (broken < 0 && dependent.status === "blocked") nameBlocker(run, out, dependent);
    }
  }
  const ended = delta(isEnded(before), isEnded(next));
  if (ended !== 0 && state.unordered === 0) passOrder(run, state, ended, work);
}

/** Moves every task of `work` to where its neighbours now put it, until nothing moves. Each edge is crossed once. */
function derive(run: RunState, out: StepResult, work: TaskState[]): void {
  for (let at = 0; at < work.length; at++) {
    const state = work[at]!;
    const next = settled(run, state);
    if (next === undefined) continue;
    const before = state.status;
    move(run, out, state, next, work);
    announce(run, out, state, before);
  }
}

/** Re-reads one task's neighbours and moves it to where it now belongs, and everything that follows from that. */
export function settle(run: RunState, out: StepResult, state: TaskState): void {
  if (settled(run, state) !== undefined) derive(run, out, [state]);
}

/**
 * Moves one task to a status and everything that follows from it: dependents become ready, blocked or unblocked,
 * containers complete. `pending` means: wherever its neighbours put it. Linear in the edges it crosses; no recursion,
 * so a chain of any length is safe.
 */
export function transition(run: RunState, out: StepResult, state: TaskState, next: TaskStatus): void {
  const work: TaskState[] = [];
  move(run, out, state, next, work);
  work.push(state);
  derive(run, out, work);
}
