import { act } from "./actions.ts";
import { endAttempt } from "./attempts.ts";
import { concludeIfIdle } from "./outcome.ts";
import { advancePhases } from "./phases.ts";
import { emptyStep, type RunInput, type StepResult } from "./protocol.ts";
import { reconcile } from "./reconcile.ts";
import { schedule } from "./schedule.ts";
import { isSatisfied, type RunState } from "./state.ts";
import { transition } from "./transition.ts";

function start(run: RunState, out: StepResult, resumed: boolean): void {
  out.runTouched = true;
  out.events.push({ type: "run-started", project: run.plan.project, tasks: run.scopeTotal, resumed });
  for (const state of run.tasks) {
    if (state.notBefore > 0 && (state.status === "ready" || state.status === "waiting")) run.due.add(state);
  }
}

/** A lead takes one ready task; the slots are its own business, shared files and lone tasks are not. */
function claim(run: RunState, out: StepResult, id: string): void {
  const state = run.byId.get(id);
  if (state === undefined) out.refused = `no task ${id} in this plan`;
  else if (state.status !== "ready") {
    const missing = state.task.dependsOn.filter(dep => !isSatisfied(run.byId.get(dep)?.status ?? "pending"));
    const why = missing.length > 0 ? `; it waits for ${missing.slice(0, 5).join(", ")}` : "";
    out.refused = `${id} is ${state.status}, not ready${why}`;
  } else {
    const held = state.task.files.find(file => run.heldFiles.has(file));
    if (held !== undefined) {
      out.refused = `${id} shares ${held} with a running task`;
      return;
    }
    state.attempts++;
    state.notBefore = 0;
    transition(run, out, state, "in_progress");
    out.events.push({ type: "dispatched", tasks: [id], retry: state.retries > 0 });
    out.commands.push({ type: "dispatch", task: id, attempt: state.attempts });
  }
}

function stop(run: RunState, out: StepResult, by: string, how: "soft" | "hard"): void {
  if (!run.stopping) {
    run.stopping = true;
    out.events.push({ type: "stopping", by });
  }
  for (const state of run.running) {
    out.commands.push({ type: "cancel", task: state.task.id, attempt: state.attempts, how });
  }
  for (const [task, attempt] of run.orphans) out.commands.push({ type: "cancel", task, attempt, how });
}

function apply(run: RunState, out: StepResult, input: RunInput): void {
  switch (input.type) {
    case "start":
      start(run, out, input.resumed);
      return;
    case "attempt-ended":
      endAttempt(run, out, input);
      return;
    case "claim":
      claim(run, out, input.task);
      return;
    case "tick":
      return;
    case "act":
      act(run, out, input);
      return;
    case "force-phase": {
      const phase = run.phases.find(candidate => candidate.label === String(input.phase));
      if (phase === undefined) {
        out.refused = `no phase ${String(input.phase)} in this plan`;
        return;
      }
      run.forced.add(phase.label);
      out.runTouched = true;
      out.events.push({ type: "phase-forced", phase: phase.label, by: input.by });
      return;
    }
    case "advance":
      advancePhases(run, out, true);
      return;
    case "plan-changed":
      reconcile(run, out, input.plan);
      return;
    case "stop":
      stop(run, out, input.by, input.how);
      return;
    default: {
      const never: never = input;
      throw new Error(`unknown input ${JSON.stringify(never)}`);
    }
  }
}

/**
 * Advances a run by one input: updates `run` in place and returns what the engine must make durable and then do.
 * Deterministic: the same state and input always give the same result. After the run has ended only a person's
 * acts, a forced phase or a new plan change anything; they take the end back when work becomes possible again.
 */
export function step(run: RunState, input: RunInput): StepResult {
  const out = emptyStep();
  apply(run, out, input);
  if (out.refused !== undefined) return out;
  if (run.ended !== undefined && input.type !== "tick" && input.type !== "attempt-ended")
    run.ended = undefined;
  if (input.type === "stop" && run.policy.advance === "asked") return out;
  advancePhases(run, out, false);
  if (run.policy.advance === "auto") schedule(run, out, input.now);
  concludeIfIdle(run, out);
  return out;
}
