import type { TaskStatus } from "../../src/ports/index.ts";
import {
  inScope,
  isBroken,
  isEnded,
  isSatisfied,
  type RunState,
  type TaskState,
} from "../../src/run/index.ts";
import { reasonText } from "../../src/text/index.ts";

/** Everything a run's own counters must equal, computed from the statuses alone. */
function waitsFor(state: TaskState): string[] {
  const { dependsOn, inherited = [], children = [] } = state.task;
  return [...new Set([...dependsOn, ...inherited, ...children])];
}

/** Whether the file order still holds a task back, straight from its definition. */
function heldBackByOrder(run: RunState, state: TaskState): boolean {
  const { order } = state.task;
  if (order === undefined || !inScope(run, state)) return false;
  const before = run.tasks
    .slice(0, state.index)
    .filter(s => s.task.order !== undefined && s.phaseIndex === state.phaseIndex && inScope(run, s));
  const barrier =
    order === "sequential" ? before.length : before.findLastIndex(s => s.task.order === "sequential") + 1;
  return before.slice(0, barrier).some(s => !isEnded(s.status));
}

function checkTask(run: RunState, state: TaskState, say: (what: string) => void): void {
  const { status, task } = state;
  const others = waitsFor(state)
    .map(id => run.byId.get(id))
    .filter(s => s !== undefined);
  const unmet = others.filter(s => !isSatisfied(s.status)).length;
  const broken = others.filter(s => isBroken(s.status)).length;
  const held = heldBackByOrder(run, state);
  if (state.unmet !== unmet) say(`${task.id} counts ${state.unmet} unmet dependencies, ${unmet} are`);
  if (state.broken !== broken) say(`${task.id} counts ${state.broken} broken dependencies, ${broken} are`);
  if (state.unordered > 0 !== held)
    say(`${task.id} counts ${state.unordered} before it in order, held=${held}`);
  const container = task.children !== undefined;
  const open = state.phaseIndex <= run.open && inScope(run, state);
  const free = (container ? inScope(run, state) : open) && unmet === 0 && !held;
  const follows = status === "pending" || status === "ready" || status === "blocked";
  const should: TaskStatus = broken > 0 ? "blocked" : free ? (container ? "completed" : "ready") : "pending";
  if (follows && status !== should) say(`${task.id} is ${status}, its neighbours say ${should}`);
  if (container && status === "completed" && (unmet > 0 || broken > 0)) say(`${task.id} completed too early`);
  if (container && (status === "in_progress" || status === "failed"))
    say(`container ${task.id} is ${status}`);
  if (
    status === "blocked" &&
    !others.some(
      s => isBroken(s.status) && state.reason?.code === "blocked-by" && state.reason.args.task === s.task.id,
    )
  )
    say(`${task.id} says "${reasonText(state.reason, "en")}", which is not so`);
  if (state.retries > run.policy.maxAttempts) say(`${task.id} has ${state.retries} retries`);
  if (status === "failed" && state.retries < run.policy.maxAttempts) say(`${task.id} failed too early`);
  if (status !== "completed" && state.verified !== undefined)
    say(`${task.id} is ${status} but verified is set`);
  if (status === "completed" && state.verified === undefined)
    say(`${task.id} completed without a word on proof`);
  const reason = reasonText(state.reason, "en");
  if (reason.length > 100 || reason.includes("\n")) say(`${task.id} has a long reason`);
}

function checkPhases(run: RunState, say: (what: string) => void): void {
  for (const [at, phase] of run.phases.entries()) {
    const isOne = (s: TaskState) => s.phaseIndex === at && inScope(run, s) && s.task.children === undefined;
    const tasks = run.tasks.filter(isOne);
    const count = (...statuses: TaskStatus[]) => tasks.filter(s => statuses.includes(s.status)).length;
    const real = {
      members: tasks.length,
      ended: tasks.filter(s => isEnded(s.status)).length,
      completed: count("completed"),
      skipped: count("skipped"),
      active: count("ready", "in_progress", "waiting"),
    };
    const { ended, completed, skipped, active } = phase;
    const told = { members: phase.members.length, ended, completed, skipped, active };
    if (JSON.stringify(real) !== JSON.stringify(told)) {
      say(`phase ${phase.label} counts ${JSON.stringify(told)}, real is ${JSON.stringify(real)}`);
    }
    if (phase.closed && ended < tasks.length) say(`phase ${phase.label} is closed but has not ended`);
  }
}

function checkPlaces(run: RunState, say: (what: string) => void): void {
  const working = run.tasks.filter(s => s.status === "in_progress");
  if (working.length !== run.running.size || working.some(s => !run.running.has(s))) say("running is wrong");
  const held = [...working.map(s => s.held ?? []), ...[...run.orphans.values()].map(o => o.held)].map(
    files => new Set(files),
  );
  const all = held.flatMap(files => [...files]);
  if (new Set(all).size !== all.length) say(`a path is held twice: ${all.join(" ")}`);
  if (all.length !== run.heldFiles.size || all.some(file => !run.heldFiles.has(file))) {
    say(`heldFiles is ${[...run.heldFiles].join(" ")}, held are ${all.join(" ")}`);
  }
  const lone = (s: TaskState) => s.task.phase === 0 || s.task.risk === "critical";
  const alone = working.filter(lone).length + [...run.orphans.values()].filter(o => o.alone).length;
  if (alone !== run.alone) say(`alone is ${run.alone}, real is ${alone}`);
  if (alone > 0 && working.length + run.orphans.size > 1) say("something runs beside what must run alone");
  for (const s of run.tasks)
    if ((s.held !== undefined) !== (s.status === "in_progress")) say(`${s.task.id} holds`);
}

/** Nothing that could go now is left lying, and a run that has not ended has something that will wake it. */
function checkProgress(run: RunState, now: number, say: (what: string) => void): void {
  if (run.policy.advance !== "auto" || run.stopping || run.ended !== undefined || run.open < 0) return;
  const busy = run.running.size + run.orphans.size;
  if (busy === 0 && run.due.nextAt() === undefined)
    say("nothing runs, nothing is due, and the run has not ended");
  if (run.alone > 0 || busy >= run.policy.parallel || run.policy.parallelMode === "declared") return;
  for (const s of run.tasks) {
    if (s.status !== "ready" || s.notBefore > now || run.orphans.has(s.task.id)) continue;
    // The first that must run alone is not overtaken.
    if (s.task.phase === 0 || s.task.risk === "critical") return;
    if (!s.task.files.some(file => run.heldFiles.has(file))) say(`${s.task.id} could run and does not`);
  }
}

/** Compares everything a run counts and keeps with the same computed afresh; returns what is wrong. */
export function brokenInvariants(run: RunState, now: number): string[] {
  const wrong: string[] = [];
  const say = (what: string) => wrong.push(what);
  const counts = new Map<string, number>();
  for (const s of run.tasks) counts.set(s.status, (counts.get(s.status) ?? 0) + 1);
  for (const [status, n] of Object.entries(run.counts)) {
    if ((counts.get(status) ?? 0) !== n) say(`counts.${status} is ${n}, real is ${counts.get(status) ?? 0}`);
  }
  const scope = run.tasks.filter(s => inScope(run, s));
  if (run.scopeTotal !== scope.length) say(`scopeTotal is ${run.scopeTotal}, real is ${scope.length}`);
  const ended = scope.filter(s => isEnded(s.status)).length;
  if (run.scopeEnded !== ended) say(`scopeEnded is ${run.scopeEnded}, real is ${ended}`);
  for (const s of run.tasks) checkTask(run, s, say);
  checkPhases(run, say);
  checkPlaces(run, say);
  checkProgress(run, now, say);
  if (run.ended !== undefined && run.running.size + run.orphans.size > 0) say("ended while agents work");
  return wrong;
}
