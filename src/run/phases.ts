import type { StepResult } from "./protocol.ts";
import type { PhaseState, RunState } from "./state.ts";
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

function hasEnded(phase: PhaseState): boolean {
  return phase.ended === phase.members.length;
}

function close(run: RunState, out: StepResult, phase: PhaseState): void {
  if (phase.closed) return;
  phase.closed = true;
  out.runTouched = true;
  const counted = countedTasks(phase);
  out.events.push({ type: "phase-ended", phase: phase.label, completed: phase.completed, counted });
  const next = run.phases[run.open + 1];
  if (next !== undefined && !mayOpen(run, phase, next)) {
    out.events.push({ type: "phase-gated", phase: phase.label, completed: phase.completed, counted });
  }
}

function mayOpen(run: RunState, phase: PhaseState, next: PhaseState): boolean {
  return passesGate(phase, run.policy.phaseGate) || run.forced.has(next.label);
}

function open(run: RunState, out: StepResult, at: number): void {
  const phase = run.phases[at];
  if (phase === undefined) return;
  run.open = at;
  out.runTouched = true;
  if (hasEnded(phase)) phase.closed = true;
  else
    out.events.push({
      type: "phase-started",
      phase: phase.label,
      title: phase.title,
      tasks: phase.members.length,
    });
  for (const index of phase.members) settle(run, out, run.tasks[index]!);
}

/**
 * Closes the open phase when its tasks have ended and opens the next one when the gate allows it.
 * `asked` is true when a lead asks for the next phase; with `advance: "auto"` nobody needs to.
 */
export function advancePhases(run: RunState, out: StepResult, asked: boolean): void {
  if (run.stopping) return;
  let mayAdvance = asked || run.policy.advance === "auto";
  while (run.open < run.phases.length) {
    const current = run.phases[run.open];
    if (current !== undefined) {
      if (!hasEnded(current)) return;
      close(run, out, current);
      const next = run.phases[run.open + 1];
      if (next === undefined || !mayAdvance || !mayOpen(run, current, next)) return;
    }
    if (run.open + 1 >= run.phases.length) return;
    open(run, out, run.open + 1);
    mayAdvance = run.policy.advance === "auto" || hasEnded(run.phases[run.open]!);
  }
}

/** Whether the open phase has ended below its gate and nobody has forced the next one. */
export function isGated(run: RunState): boolean {
  const current = run.phases[run.open];
  const next = run.phases[run.open + 1];
  return current !== undefined && next !== undefined && hasEnded(current) && !mayOpen(run, current, next);
}
