import { because, type Reason } from "../ports/index.ts";
import type { RunInput, StepResult } from "./protocol.ts";
import { isEnded, type PhaseState, type RunState } from "./state.ts";
import { settle } from "./transition.ts";

/** How many tasks the gate counts: all of the phase but skipped ones. */
export function countedTasks(phase: PhaseState): number {
  return phase.members.length - phase.skipped;
}

/** Whether enough of a phase completed for the next one to start. A phase with nothing to count passes. */
export function passesGate(phase: PhaseState, gate: number): boolean {
  const counted = countedTasks(phase);
  return counted === 0 || phase.completed >= gate * counted - 1e-9;
}

/** Whether nothing of a phase will change any more without a person. A paused task has not ended. */
export function hasEnded(phase: PhaseState): boolean {
  return phase.ended === phase.members.length;
}

/**
 * Whether the phase after `phase` may start. One that a person forced need not wait for tasks that wait for a person
 * themselves, but it waits for what still moves.
 */
function mayOpen(run: RunState, phase: PhaseState, next: PhaseState): boolean {
  if (phase.settlement === "under-way") return false;
  if (phase.settlement === "refused" && !run.forced.has(next.label)) return false;
  if (run.forced.has(next.label)) return hasEnded(phase) || phase.active === 0;
  return hasEnded(phase) && passesGate(phase, run.policy.phaseGate);
}

function close(run: RunState, out: StepResult, phase: PhaseState): void {
  if (phase.closed || !hasEnded(phase)) return;
  phase.closed = true;
  out.runTouched = true;
  const numbers = { phase: phase.label, completed: phase.completed, counted: countedTasks(phase) };
  out.events.push({ type: "phase-ended", ...numbers });
  if (phase === run.phases[run.open] && isGated(run)) out.events.push({ type: "phase-gated", ...numbers });
}

/** Whether the end of a phase has to be worked off first: only where that was not done, and there was work in it. */
function needsSettling(run: RunState, phase: PhaseState): boolean {
  // A run about a part of the plan leaves its phases unfinished.
  if (run.only !== undefined) return false;
  return run.policy.settlePhases && phase.settlement === "open" && hasEnded(phase) && phase.completed > 0;
}

/** Whether a phase has ended whose end nobody has worked off. */
export function isUnsettled(run: RunState): boolean {
  return run.phases.some(phase => needsSettling(run, phase));
}

/** Asks for a phase's end to be worked off. */
function settlePhase(run: RunState, out: StepResult, phase: PhaseState): void {
  if (run.stopping || !needsSettling(run, phase)) return;
  phase.settlement = "under-way";
  out.commands.push({ type: "settle-phase", phase: phase.phase });
}

/** Takes the answer. A person who had the tasks taken up again meanwhile has the end worked off anew. */
export function phaseSettled(
  run: RunState,
  out: StepResult,
  { phase: named, outcome, reason }: Extract<RunInput, { type: "phase-settled" }>,
): void {
  const phase = run.phases.find(({ phase }) => phase === named);
  if (phase === undefined) return;
  phase.settlement = hasEnded(phase) && outcome !== "stopped" ? outcome : "open";
  phase.refusal = reason;
  out.runTouched = true;
  if (reason !== undefined) out.events.push({ type: "phase-refused", phase: phase.label, reason });
}

/** Phases that had been passed already and were repaired since. */
function closeEarlier(run: RunState, out: StepResult): void {
  for (const state of out.touched) {
    const phase = run.phases[state.phaseIndex];
    if (phase !== undefined && state.phaseIndex < run.open) close(run, out, phase);
  }
}

function open(run: RunState, out: StepResult, at: number): void {
  const phase = run.phases[at]!;
  run.open = at;
  out.runTouched = true;
  const tasks = phase.members.length;
  if (!hasEnded(phase))
    out.events.push({ type: "phase-started", phase: phase.label, title: phase.title, tasks });
  else if (phase.completed + phase.skipped === tasks) phase.closed = true;
  for (const index of phase.members) settle(run, out, run.tasks[index]!);
}

/**
 * Closes the open phase when its tasks have ended and opens the next one when the gate allows it.
 * `asked` is true when a lead asks for the next phase; with `advance: "auto"` nobody needs to.
 */
export function advancePhases(run: RunState, out: StepResult, asked: boolean): void {
  if (run.stopping) return;
  closeEarlier(run, out);
  let mayAdvance = asked || run.policy.advance === "auto" || run.open < 0;
  for (;;) {
    const current = run.phases[run.open];
    const next = run.phases[run.open + 1];
    if (current !== undefined) close(run, out, current);
    if (current !== undefined && passesGate(current, run.policy.phaseGate)) settlePhase(run, out, current);
    if (next === undefined || !mayAdvance) return;
    if (current !== undefined && !mayOpen(run, current, next)) return;
    if (current !== undefined && needsSettling(run, current)) {
      settlePhase(run, out, current);
      return;
    }
    open(run, out, run.open + 1);
    mayAdvance = run.policy.advance === "auto" || hasEnded(next);
  }
}

/** Why a phase was refused its end. */
export function refusalOf({ label, refusal }: PhaseState): Reason | undefined {
  return refusal && because("phase-refused", { phase: label, why: refusal });
}

/** Why a lead may not have the next phase yet; undefined when it may. */
export function cannotAdvance(run: RunState): Reason | undefined {
  const current = run.phases[run.open];
  const next = run.phases[run.open + 1];
  if (run.stopping) return because("run-stopping", {});
  if (next === undefined) return because("phase-none-left", {});
  if (current === undefined || mayOpen(run, current, next)) return undefined;
  const phase = current.label;
  if (current.settlement === "under-way") return because("phase-ending", { phase });
  if (current.settlement === "refused") return refusalOf(current);
  if (hasEnded(current)) return because("phase-gated", { phase, next: next.label });
  const left = current.members.map(index => run.tasks[index]!).find(state => !isEnded(state.status))!;
  return because("phase-unended", { phase, task: left.task.id, status: left.status });
}

/** Whether the open phase has ended below its gate, nobody has forced the next one, and there is work behind it. */
export function isGated(run: RunState): boolean {
  const current = run.phases[run.open];
  const next = run.phases[run.open + 1];
  if (current === undefined || next === undefined || !hasEnded(current)) return false;
  if (mayOpen(run, current, next)) return false;
  return run.phases.some((phase, at) => at > run.open && phase.completed < countedTasks(phase));
}

/** Whether the open phase has ended, its gate is passed, and only a lead's word is missing for the next one. */
export function awaitsLead(run: RunState): boolean {
  const current = run.phases[run.open];
  const next = run.phases[run.open + 1];
  return current !== undefined && next !== undefined && mayOpen(run, current, next);
}
