import { because, type Reason } from "../ports/index.ts";
import { alike } from "./alike.ts";
import { awaitQuota, MIN_WAIT_MS } from "./await-quota.ts";
import { LEFT_OUT, TEXT_CHANGED } from "./edits.ts";
import { learnFiles } from "./files.ts";
import { countCollision } from "./hot.ts";
import { endOrphan } from "./orphans.ts";
import { pause } from "./pause.ts";
import { backoff, MAX_WAIT_MS } from "./policy.ts";
import type { AttemptOutcome, RunInput, StepResult } from "./protocol.ts";
import { dispatchAgain } from "./schedule.ts";
import { affordsNext, crowdSpend } from "./spending.ts";
import type { RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { transition } from "./transition.ts";
import { weakerReason } from "./weaker.ts";

/** Starts in a row that came to nothing until a person is asked instead of the system. */
const MAX_STALLS = 10;

/**
 * Returns a task to the queue, to be dispatched no earlier than `delayMs` from now; unless the file was edited meanwhile
 * to leave it out, or to hold it to less.
 */
function requeue(run: RunState, out: StepResult, state: TaskState, now: number, delayMs: number): void {
  const leftOut = state.edited && state.task.skip === true;
  if (state.weaker.length > 0 && !leftOut) {
    pause(run, out, state, weakerReason(state.weaker), "rule");
    return;
  }
  state.notBefore = delayMs > 0 && !leftOut ? now + delayMs : 0;
  if (leftOut) state.reason = LEFT_OUT;
  transition(run, out, state, leftOut ? "skipped" : "pending");
}

/** Records a completion. The box is ticked by the engine once the change is durable. */
export function complete(
  run: RunState,
  out: StepResult,
  state: TaskState,
  verified: boolean,
  by: "agent" | "person",
  ms: number,
  stale?: string,
): void {
  state.verified = verified;
  state.reason = stale === undefined ? undefined : because("stale-context", { held: stale });
  state.sameError = 0;
  state.clash = "";
  state.notBefore = 0;
  const { reason } = state;
  const noted = reason === undefined ? {} : { reason };
  out.events.push({ type: "completed", task: state.task.id, verified, by, ms, ...noted });
  out.commands.push({ type: "tick-box", task: state.task.id });
  transition(run, out, state, "completed");
}

/** Counts a failed attempt: try again later, pause after equal failures, or give up (document 004 sections 5.2, 9.2). */
function failAttempt(run: RunState, out: StepResult, state: TaskState, reason: Reason, now: number): void {
  const { policy } = run;
  state.sameError = alike(reason, state.reason) ? state.sameError + 1 : 1;
  state.reason = reason;
  state.retries++;
  const { retries } = state;
  const task = state.task.id;
  out.events.push({ type: "attempt-failed", task, reason, retries, maxAttempts: policy.maxAttempts });
  if (retries >= policy.maxAttempts) {
    out.events.push({ type: "failed", task, reason });
    transition(run, out, state, "failed");
  } else if (policy.sameErrorLimit > 0 && state.sameError >= policy.sameErrorLimit) {
    pause(run, out, state, reason, "rule", state.sameError);
  } else {
    const wait = backoff(policy, retries);
    if (wait > 0) out.events.push({ type: "retry-scheduled", task, inMs: wait });
    requeue(run, out, state, now, wait);
  }
}

/**
 * An attempt that never got to its end costs nothing, but a person is asked when it happens again and again: no start may come to
 * anything, or the task itself may end what works on it. `free` are those in a row after which it is ready again at once.
 */
function stall(
  run: RunState,
  out: StepResult,
  state: TaskState,
  { code, why, free = 0 }: { readonly code: string; readonly why: Reason; readonly free?: number },
  now: number,
): void {
  state.stalls++;
  if (state.stalls >= MAX_STALLS) {
    pause(run, out, state, why, "rule");
    return;
  }
  out.events.push({ type: "warning", code, message: why, task: state.task.id });
  const counted = state.stalls - free;
  requeue(run, out, state, now, counted < 1 ? 0 : Math.max(MIN_WAIT_MS, backoff(run.policy, counted)));
}

/** Another machine may have the task at once; what was at work on several that ended is a start that comes to nothing. */
function loseMachine(
  run: RunState,
  out: StepResult,
  state: TaskState,
  { reason, suspect }: Extract<AttemptOutcome, { kind: "machine-lost" }>,
  now: number,
): void {
  const code = "MACHINE_LOST";
  if (suspect) {
    stall(run, out, state, { code, why: reason, free: 1 }, now);
    return;
  }
  out.events.push({ type: "warning", code, message: reason, task: state.task.id });
  requeue(run, out, state, now, 0);
}

/** Milliseconds until a service that had too much to do is asked again, the first time and at most. */
const BUSY_MS = 5_000;
const MOST_BUSY_MS = 60_000;
/** Refusals in a row after which the wait is the longest. */
const LONGEST_AFTER = Math.ceil(Math.log2(MOST_BUSY_MS / BUSY_MS));

/** The task alone is tried again later, longer each time: others of its agent may get through, and no quota is used up. */
function awaitService(
  run: RunState,
  out: StepResult,
  state: TaskState,
  { agent, until }: Extract<AttemptOutcome, { kind: "busy" }>,
  now: number,
): void {
  const pause = Math.min(MOST_BUSY_MS, BUSY_MS * 2 ** Math.min(10, state.stalls));
  // Those that make the wait the longest are enough: a service that is busy all night has no person asked at the next refused start.
  state.stalls = Math.max(state.stalls, Math.min(state.stalls + 1, LONGEST_AFTER));
  const at = until === undefined || Number.isNaN(until) ? now + pause : until;
  const delay = Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, at - now));
  const message = because("service-busy", { agent, until: now + delay });
  out.events.push({ type: "warning", code: "SERVICE_BUSY", message, task: state.task.id });
  requeue(run, out, state, now, delay);
}

/** Whether a task whose attempt has ended may go on in its place: no rule, person or edit holds it back. */
function mayGoOn(run: RunState, state: TaskState): boolean {
  const { stopping, held, policy } = run;
  const isHeldBack =
    stopping || held || state.weaker.length > 0 || (state.edited && state.task.skip === true);
  return !isHeldBack && policy.advance === "auto" && affordsNext(run, state.task.id);
}

/**
 * Work that does not join with what landed since goes back to its agent at once, in the slot that it has: nothing of its phase
 * lands meanwhile, so that each conflict is met once. The same one met again is a person's.
 */
function meetConflict(
  run: RunState,
  out: StepResult,
  state: TaskState,
  { files, others, reason, again, content }: Extract<AttemptOutcome, { kind: "conflict" }>,
  now: number,
): void {
  const task = state.task.id;
  out.events.push({ type: "conflict", task, files, others, reason });
  learnFiles(state, files);
  for (const id of others) {
    const other = run.byId.get(id);
    if (other !== undefined && other.status === "completed") learnFiles(other, files);
  }
  countCollision(run, out, files);
  const isSame = content === state.clash;
  state.clash = content;
  if (!again || isSame) pause(run, out, state, reason, "rule");
  else if (mayGoOn(run, state)) dispatchAgain(run, out, state);
  else requeue(run, out, state, now, 0);
}

/** Ends that say nothing about whether the next start will come to something. */
const COMES_TO_NOTHING: ReadonlySet<AttemptOutcome["kind"]> = new Set([
  "stalled",
  "busy",
  "cancelled",
  "machine-lost",
]);

function settleOutcome(
  run: RunState,
  out: StepResult,
  state: TaskState,
  outcome: AttemptOutcome,
  ms: number,
  now: number,
): void {
  const task = state.task.id;
  if (!COMES_TO_NOTHING.has(outcome.kind)) state.stalls = 0;
  switch (outcome.kind) {
    case "done":
      state.textHash = outcome.textHash;
      if (state.edited) pause(run, out, state, TEXT_CHANGED, "rule");
      else {
        if (outcome.joined !== undefined) out.events.push({ type: "joined", task, ...outcome.joined });
        complete(run, out, state, outcome.verified, "agent", ms, outcome.stale);
      }
      return;
    case "failed":
      failAttempt(run, out, state, outcome.reason, now);
      return;
    case "conflict":
      meetConflict(run, out, state, outcome, now);
      return;
    case "no-signal":
      out.events.push({
        type: "warning",
        code: "NO_SIGNAL",
        message: because("signal-missing", outcome.said === undefined ? {} : { said: outcome.said }),
        task: state.task.id,
      });
      failAttempt(run, out, state, because("no-signal", {}), now);
      return;
    case "stalled":
      stall(run, out, state, { code: "SPAWN_REFUSED", why: outcome.reason }, now);
      return;
    case "quota":
      awaitQuota(run, out, state, outcome.agent, outcome.until, now);
      return;
    case "busy":
      awaitService(run, out, state, outcome, now);
      return;
    case "unaffordable":
      crowdSpend(run, state.task.id, outcome);
      requeue(run, out, state, now, 0);
      return;
    case "needs-person":
      pause(run, out, state, outcome.reason, "agent");
      return;
    case "machine-lost":
      loseMachine(run, out, state, outcome, now);
      return;
    case "cancelled":
      // A stop was asked for, or something outside ended the agent.
      if (run.stopping) requeue(run, out, state, now, 0);
      else stall(run, out, state, { code: "CANCELLED", why: because("cancelled-outside", {}) }, now);
      return;
    default:
      outcome satisfies never;
  }
}

/** Applies the end of an attempt. Late, repeated and foreign results change nothing: only the newest attempt counts. */
export function endAttempt(
  run: RunState,
  out: StepResult,
  input: Extract<RunInput, { type: "attempt-ended" }>,
): void {
  if (run.orphans.has(input.task)) {
    endOrphan(run, out, input);
    return;
  }
  const state = run.byId.get(input.task);
  if (state?.status !== "in_progress" || state.attempts !== input.attempt) return;
  settleOutcome(run, out, state, input.outcome, input.ms, input.now);
}
