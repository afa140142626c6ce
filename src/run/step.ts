import { because } from "../ports/index.ts";
import { act } from "./actions.ts";
import { endAttempt } from "./attempts.ts";
import { claim } from "./claim.ts";
import { concludeIfIdle } from "./outcome.ts";
import { advancePhases, cannotAdvance, phaseSettled } from "./phases.ts";
import { MAX_WAIT_MS } from "./policy.ts";
import { emptyStep, type RunInput, type StepResult } from "./protocol.ts";
import { reconcile } from "./reconcile.ts";
import { schedule, wakeDue } from "./schedule.ts";
import { chargeSpend, settleSpend } from "./spending.ts";
import { isActive, type RunState } from "./state.ts";

/** The clock may have jumped while nobody ran: no task waits longer than a wait of its kind can be. */
function clampWaits(run: RunState, out: StepResult, now: number): void {
  for (const state of run.tasks) {
    if (state.notBefore === 0) continue;
    const longest = state.status === "waiting" ? MAX_WAIT_MS : run.policy.backoffMaxMs;
    if (!(state.notBefore <= now + longest)) {
      state.notBefore = now + longest;
      out.touched.add(state);
    }
    if (isActive(state.status)) run.due.add(state);
  }
}

function start(run: RunState, out: StepResult, resumed: boolean, now: number): void {
  out.runTouched = true;
  out.events.push({ type: "run-started", project: run.plan.project, tasks: run.scopeTotal, resumed });
  for (const state of run.tasks) {
    if (state.unsaved || !resumed) out.touched.add(state);
    state.unsaved = false;
  }
  clampWaits(run, out, now);
}

function forcePhase(run: RunState, out: StepResult, label: string, by: string): void {
  if (!run.phases.some(phase => phase.label === label)) {
    out.refused = because("phase-unknown", { phase: label });
    return;
  }
  run.forced.add(label);
  out.runTouched = true;
  out.events.push({ type: "phase-forced", phase: label, by });
}

function hold(run: RunState, out: StepResult, held: boolean, by: string): void {
  if (run.held === held) {
    out.refused = because(held ? "run-held" : "run-not-held", { asked: false });
    return;
  }
  run.held = held;
  out.runTouched = true;
  out.events.push({ type: held ? "run-held" : "run-released", by });
}

function advance(run: RunState, out: StepResult): void {
  if (run.policy.advance === "auto") return;
  out.refused = cannotAdvance(run);
  if (out.refused === undefined) advancePhases(run, out, true);
}

function stop(run: RunState, out: StepResult, { by, how, halt }: Extract<RunInput, { type: "stop" }>): void {
  run.halt ??= halt;
  // Who goes on later means it: only a hold that nobody took back outlives its process.
  run.held = false;
  if (!run.stopping) {
    run.stopping = true;
    out.events.push({ type: "stopping", by });
  }
  for (const state of run.running) {
    out.commands.push({ type: "cancel", task: state.task.id, attempt: state.attempts, how });
  }
  for (const [task, { attempt }] of run.orphans) out.commands.push({ type: "cancel", task, attempt, how });
}

function apply(run: RunState, out: StepResult, input: RunInput): void {
  switch (input.type) {
    case "start":
      start(run, out, input.resumed, input.now);
      return;
    case "attempt-ended":
      out.events.push(...settleSpend(run, input.task, input.attempt, input.spent));
      endAttempt(run, out, input);
      return;
    case "charge":
      out.events.push(...chargeSpend(run, input.spent));
      return;
    case "claim":
      claim(run, out, input.task);
      return;
    case "tick":
      return;
    case "act":
      act(run, out, input);
      return;
    case "force-phase":
      forcePhase(run, out, String(input.phase), input.by);
      return;
    case "hold":
      hold(run, out, input.held, input.by);
      return;
    case "advance":
      advance(run, out);
      return;
    case "plan-changed":
      reconcile(run, out, input.plan);
      return;
    case "phase-settled":
      phaseSettled(run, out, input);
      return;
    case "stop":
      stop(run, out, input);
      return;
    default:
      input satisfies never;
  }
}

/** Inputs that cannot take back the end of a run. */
const PASSIVE: ReadonlySet<RunInput["type"]> = new Set([
  "tick",
  "charge",
  "attempt-ended",
  "phase-settled",
  "stop",
]);

function isApproval(run: RunState, input: RunInput): boolean {
  if (input.type !== "act" || input.action !== "approve") return false;
  return run.byId.get(input.task)?.status === "completed";
}

/**
 * Advances a run by one input: updates `run` in place and returns what the engine must make durable and then do.
 * Deterministic: the same state and input always give the same result. After the run has ended only a person's
 * acts, a forced phase or a new plan change anything; they take the end back when work becomes possible again.
 */
export function step(run: RunState, input: RunInput): StepResult {
  const out = emptyStep();
  if (run.ended !== undefined && PASSIVE.has(input.type)) return out;
  apply(run, out, input);
  if (out.refused !== undefined) return out;
  // Nothing moves where a completion is approved.
  if (run.ended !== undefined && isApproval(run, input)) return out;
  // Who reads the record must not find an end that was taken back.
  if (run.ended !== undefined) out.runTouched = true;
  run.ended = undefined;
  // Whether its agents still work is known to the lead alone.
  if (input.type === "stop" && run.policy.advance === "asked") return out;
  advancePhases(run, out, false);
  if (run.policy.advance === "auto") schedule(run, out, input.now);
  else {
    // What was refused a lead before is asked about again when it asks again.
    if (run.spending !== undefined) run.spending.refusal = undefined;
    wakeDue(run, out, input.now);
  }
  concludeIfIdle(run, out);
  return out;
}
