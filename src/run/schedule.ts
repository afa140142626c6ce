import type { StepResult } from "./protocol.ts";
import type { RunState, TaskState } from "./state.ts";
import { transition, wakeWaiter } from "./transition.ts";

/** Phase 0 prepares the main checkout and critical tasks touch what others rely on: both run by themselves. */
export function runsAlone(state: TaskState): boolean {
  return state.task.phase === 0 || state.task.risk === "critical";
}

function freeSlots(run: RunState): number {
  return run.policy.parallel - run.running.size - run.orphans.size;
}

/** A path of the task that another running task holds. */
function heldFile(run: RunState, state: TaskState): string | undefined {
  return run.heldFiles.size === 0 ? undefined : state.task.files.find(file => run.heldFiles.has(file));
}

function isDispatchable(state: TaskState, now: number): boolean {
  return state.status === "ready" && state.notBefore <= now;
}

/** Puts a task aside until a path is free. Paths it had been woken for, and cannot use now, wake the next waiter. */
function park(run: RunState, state: TaskState, file: string): void {
  const waiters = run.parked.get(file);
  if (waiters === undefined) run.parked.set(file, new Set([state]));
  else waiters.add(state);
  passOn(run, state);
}

function passOn(run: RunState, state: TaskState): void {
  for (const file of state.task.files) if (!run.heldFiles.has(file)) wakeWaiter(run, file);
}

function start(run: RunState, out: StepResult, state: TaskState, batch: TaskState[]): void {
  state.attempts++;
  state.notBefore = 0;
  transition(run, out, state, "in_progress");
  batch.push(state);
  out.commands.push({ type: "dispatch", task: state.task.id, attempt: state.attempts });
}

/** Partners of a task that may go out together with it right now. */
function startPartners(
  run: RunState,
  out: StepResult,
  state: TaskState,
  now: number,
  batch: TaskState[],
): void {
  for (const id of state.task.parallelWith) {
    if (freeSlots(run) <= 0) return;
    const partner = run.byId.get(id);
    if (partner === undefined || !isDispatchable(partner, now) || runsAlone(partner)) continue;
    if (heldFile(run, partner) === undefined && declaredTogether(run, partner))
      start(run, out, partner, batch);
  }
}

/** With `parallel: declared`, everything that runs must have declared this task as its partner. */
function declaredTogether(run: RunState, state: TaskState): boolean {
  if (run.policy.parallelMode === "auto") return true;
  for (const other of run.running) if (!state.task.parallelWith.includes(other.task.id)) return false;
  return true;
}

/** Why nothing more may start for the moment, whatever is ready. */
function isDraining(run: RunState): boolean {
  for (const state of run.running) if (runsAlone(state)) return true;
  return false;
}

/** Moves tasks whose time has come back among the ready ones. */
function wakeDue(run: RunState, out: StepResult, now: number): void {
  for (const state of run.due.take(now)) {
    if (state.notBefore > now) continue;
    if (state.status === "waiting") {
      state.notBefore = 0;
      transition(run, out, state, "ready");
    } else if (state.status === "ready") run.ready.add(state);
  }
}

function fill(run: RunState, out: StepResult, now: number, batch: TaskState[]): void {
  if (isDraining(run)) return;
  if (run.policy.parallelMode === "declared" && run.running.size > 0) {
    for (const state of [...run.running]) startPartners(run, out, state, now, batch);
    return;
  }
  while (freeSlots(run) > 0) {
    const state = run.ready.next();
    if (state === undefined) return;
    if (!isDispatchable(state, now)) {
      if (state.status === "ready") run.due.add(state);
      else passOn(run, state);
      continue;
    }
    const busy = run.running.size > 0 || run.orphans.size > 0;
    if (busy && (runsAlone(state) || !declaredTogether(run, state))) {
      run.ready.add(state);
      return;
    }
    const held = heldFile(run, state);
    if (held !== undefined) {
      park(run, state, held);
      continue;
    }
    start(run, out, state, batch);
    if (runsAlone(state)) return;
    startPartners(run, out, state, now, batch);
  }
}

/**
 * Starts what may start now: in plan order, partners together, never two tasks that name a common path, phase 0 and
 * critical tasks alone. A task that must run alone is not overtaken: the others drain first.
 */
export function schedule(run: RunState, out: StepResult, now: number): void {
  if (run.stopping || run.ended !== undefined) return;
  wakeDue(run, out, now);
  const batch: TaskState[] = [];
  fill(run, out, now, batch);
  if (batch.length === 0) return;
  const fresh = batch.filter(state => state.retries === 0).map(state => state.task.id);
  const again = batch.filter(state => state.retries > 0).map(state => state.task.id);
  if (fresh.length > 0) out.events.push({ type: "dispatched", tasks: fresh, retry: false });
  if (again.length > 0) out.events.push({ type: "dispatched", tasks: again, retry: true });
}
