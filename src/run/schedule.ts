import { awaitQuota } from "./await-quota.ts";
import { heldFile, holdMore, park, parkOthers, passOn } from "./files.ts";
import { wouldCollide } from "./hot.ts";
import { pause } from "./pause.ts";
import type { StepResult } from "./protocol.ts";
import { furtherSlots, slotsOf } from "./resources.ts";
import { affordsNext, promiseSpend } from "./spending.ts";
import { type RunState, runsAlone } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { transition } from "./transition.ts";

function freeSlots(run: RunState): number {
  return Math.max(1, run.policy.parallel) - run.running.size - run.orphans.size - furtherSlots(run);
}

function isBusy(run: RunState): boolean {
  return run.running.size > 0 || run.orphans.size > 0;
}

/** Whether a task that came out of the queue may go at all; an orphan of its own comes back for it when it ends. */
function isDispatchable(run: RunState, state: TaskState, now: number): boolean {
  return state.status === "ready" && state.notBefore <= now && !run.orphans.has(state.task.id);
}

/** Gives a task its next attempt; the caller has checked that it may go. */
export function dispatch(run: RunState, out: StepResult, state: TaskState): void {
  state.attempts++;
  state.notBefore = 0;
  state.asksAnew = undefined;
  state.edited = false;
  state.weaker = [];
  transition(run, out, state, "in_progress");
  parkOthers(run, state);
  promiseSpend(run, state.task.id, state.attempts);
  out.commands.push({ type: "dispatch", task: state.task.id, attempt: state.attempts });
}

/** Gives a task in progress another attempt in its place: it keeps its slot and its paths, and holds what it has learned of. */
export function dispatchAgain(run: RunState, out: StepResult, state: TaskState): void {
  holdMore(run, state);
  out.touched.add(state);
  dispatch(run, out, state);
  out.events.push({ type: "dispatched", tasks: [state.task.id], retry: false });
}

/** Who has to have quota again before a task can be worked on, and when; undefined where nobody has to. */
function missingQuota({ policy }: RunState, { task, asksAnew }: TaskState, now: number) {
  return asksAnew === undefined ? policy.outOfQuota?.(task, now) : undefined;
}

/** Why a person has to act before anybody can work on a task; undefined where nobody has to. */
function missingLogin({ policy }: RunState, { task, asksAnew }: TaskState) {
  return policy.shutOut?.(task, asksAnew);
}

/** With `parallel: declared`, everything that runs must have declared this task as its partner. */
function declaredTogether(run: RunState, state: TaskState): boolean {
  if (run.policy.parallelMode === "auto") return true;
  if (run.orphans.size > 0) return false;
  let partners = 0;
  for (const id of state.task.parallelWith) if (run.byId.get(id)?.status === "in_progress") partners++;
  return partners === run.running.size;
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
    if (partner === undefined || !isDispatchable(run, partner, now) || runsAlone(partner)) continue;
    if (slotsOf(partner) > freeSlots(run)) continue;
    if (heldFile(run, partner) !== undefined || !declaredTogether(run, partner)) continue;
    if (missingQuota(run, partner, now) !== undefined || missingLogin(run, partner) !== undefined) continue;
    if (!affordsNext(run, id)) return;
    dispatch(run, out, partner);
    batch.push(partner);
  }
}

/** Moves tasks whose time has come back among the ready ones. */
export function wakeDue(run: RunState, out: StepResult, now: number): void {
  for (const state of run.due.take(now)) {
    if (state.notBefore > now) continue;
    if (state.status === "waiting") {
      state.notBefore = 0;
      transition(run, out, state, "pending");
    } else if (state.status === "ready") run.ready.add(state);
  }
}

/** Tasks that are looked past for one that collides with nothing that runs. */
const MOST_PASSED = 32;

/** Starts what may start; tasks that would collide with what runs come back where others may go instead. */
function take(
  run: RunState,
  out: StepResult,
  now: number,
  batch: TaskState[],
  mostPassed: number,
): readonly TaskState[] {
  const passed: TaskState[] = [];
  while (freeSlots(run) > 0) {
    const state = run.ready.next();
    if (state === undefined) break;
    if (!isDispatchable(run, state, now)) {
      if (state.status === "ready" && state.notBefore > now) run.due.add(state);
      passOn(run, state);
      continue;
    }
    const quota = missingQuota(run, state, now);
    if (quota !== undefined) {
      awaitQuota(run, out, state, quota.agent, quota.until, now);
      continue;
    }
    const shut = missingLogin(run, state);
    if (shut !== undefined) {
      pause(run, out, state, shut, "agent");
      continue;
    }
    const isWide = slotsOf(state) > freeSlots(run);
    if (isBusy(run) && (isWide || runsAlone(state) || !declaredTogether(run, state))) {
      run.ready.add(state);
      break;
    }
    const held = heldFile(run, state);
    if (held !== undefined) {
      park(run, state, held);
      continue;
    }
    if (!affordsNext(run, state.task.id)) {
      run.ready.add(state);
      break;
    }
    if (passed.length < mostPassed && wouldCollide(run, state)) {
      passed.push(state);
      continue;
    }
    dispatch(run, out, state);
    batch.push(state);
    if (runsAlone(state)) break;
    startPartners(run, out, state, now, batch);
  }
  return passed;
}

function fill(run: RunState, out: StepResult, now: number, batch: TaskState[]): void {
  if (run.alone > 0) return;
  if (run.policy.parallelMode === "declared" && run.running.size > 0) {
    // All that run are partners of each other, so the partners of one of them are all that may join.
    for (const state of run.running) {
      startPartners(run, out, state, now, batch);
      return;
    }
  }
  const passed = take(run, out, now, batch, MOST_PASSED);
  for (const state of passed) run.ready.add(state);
  // Nothing else could go: then they do, side by side.
  if (passed.length > 0) take(run, out, now, batch, 0);
}

/**
 * Starts what may start now: in plan order, partners together, never two tasks that name a common path, phase 0 and
 * critical tasks alone. A task that must run alone is not overtaken, nor one whose agents need more slots than are free: the
 * others drain first. Of tasks that are likely to meet
 * in a file that keeps colliding, another one goes first. Nothing while a person holds the run.
 */
export function schedule(run: RunState, out: StepResult, now: number): void {
  if (run.stopping || run.ended !== undefined) return;
  wakeDue(run, out, now);
  if (run.held) return;
  if (run.spending !== undefined) run.spending.refusal = undefined;
  const batch: TaskState[] = [];
  fill(run, out, now, batch);
  if (batch.length === 0) return;
  const fresh: string[] = [];
  const again: string[] = [];
  for (const { retries, task } of batch) (retries > 0 ? again : fresh).push(task.id);
  if (fresh.length > 0) out.events.push({ type: "dispatched", tasks: fresh, retry: false });
  if (again.length > 0) out.events.push({ type: "dispatched", tasks: again, retry: true });
}
