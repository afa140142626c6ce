import { isMute } from "../../context/library/index.ts";
import type { AttemptRow, Loss, Order } from "../../ports/index.ts";
import { REASON_LENGTH } from "../../run/index.ts";
import { firstLine } from "../../text/index.ts";
import { openMaskedLog } from "../masked-log.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { broken } from "./broken.ts";
import { compete } from "./candidates.ts";
import { type Control, createControl, endWork, stopOf } from "./control.ts";
import { converse } from "./converse.ts";
import { createCrew, mayBeTried } from "./crew.ts";
import { type Execution, execute } from "./execution.ts";
import { moreSessions } from "./more-sessions.ts";
import { type AlreadyProved, type Prepared, prepare } from "./prepare.ts";
import { proveNow } from "./prove-now.ts";
import { awaitedReview, isClaimed, keepClaimed, stillToProve } from "./proved.ts";
import { mayRefactor, refactor } from "./refactor.ts";
import { type ReviewScene, review, type Told } from "./review.ts";
import { CANCELLED, type Judged, settle } from "./settle.ts";
import { signalAskedAgain } from "./signal-asked.ts";
import type { AttemptRequest, RunningAttempt } from "./types.ts";
import {
  fromFailure,
  heldBack,
  judgeTurn,
  pausedBy,
  refuseStale,
  tail,
  toldOf,
  type Verdict,
} from "./verdict.ts";

/** One attempt: made ready, carried out by a machine of the fleet, judged and brought home. */
async function work(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
): Promise<Judged> {
  await request.after;
  if (control.cancel.signal.aborted) return CANCELLED;
  const stop = stopOf(control);
  const crew = createCrew(request, options);
  const prepared = await prepare(crew.requests[0], world, options, stop);
  if (!prepared.ok) return { ...prepared.failure, finalMessage: "" };
  const ready = prepared.value;
  const { place } = ready;
  try {
    if (ready.proved !== undefined) {
      const proved = await proveNow(crew.requests[0], ready, world, options, stop);
      const judged = await reviewNow(crew.requests[0], { ...ready, proved }, world, options, control);
      return await settle(request, place, judged, world, options, stop);
    }
    if (mayBeTried(crew, place)) return await compete(request, crew, ready, world, options, control, hold);
    const judged = await hold(crew.requests[0], ready, world, options, control);
    return await settle(request, place, judged, world, options, stop);
  } finally {
    await place.leave();
  }
}

/** How sessions of an attempt are begun, and what their output is written to. */
function sessionsOf(
  { task, row, keep }: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
) {
  const log = openMaskedLog(world, row, options.limits.logBytes);
  const ask = world.questions?.asker(task.id, row.number);
  const { answer } = world;
  let loss: Loss | undefined;
  const begin = (session: Order): Execution => {
    const execution = execute(world.fleet, session, {
      log: log.write,
      lost: told => (loss = told),
      waits: reason => keep({ reason }),
      ...(answer === undefined ? {} : { serve: asked => answer(task.id, session.token, asked) }),
      ...(ask === undefined ? {} : { ask }),
    });
    control.execution = execution;
    return execution;
  };
  const close = async () => {
    await control.execution?.close();
    const why = loss === undefined ? "" : firstLine(loss.why, REASON_LENGTH);
    log.close(
      loss === undefined ? undefined : `the machine is lost (${why}): what it said after this never came`,
    );
  };
  return { begin, close };
}

/** Has proved work reviewed for as long as its result counts. */
async function reviewed(control: Control, scene: ReviewScene, proved: Told): Promise<Told> {
  const end = () => endWork(control, "soft");
  control.reviews.add(end);
  try {
    return await review(scene, proved);
  } finally {
    control.reviews.delete(end);
  }
}

/** Has work reviewed that an earlier attempt had proved, where it still has to be: its agent hears of findings alone. */
async function reviewNow(
  request: AttemptRequest,
  { place, proved, order, assignment }: AlreadyProved,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
): Promise<Judged> {
  const isOpen = isClaimed(request.proved) && proved.outcome.kind === "done";
  if (!isOpen && (request.proved === undefined || awaitedReview(request.proved) === undefined)) return proved;
  const { begin, close } = sessionsOf(request, world, options, control);
  const stop = stopOf(control);
  const { resume } = order;
  try {
    const kept = resume === undefined ? {} : { session: resume };
    const sessions = moreSessions(request, order, begin, kept, world, options, stop);
    const told = await reviewed(
      control,
      { request, place, sessions, assignment, world, options, stop },
      proved,
    );
    const { session } = sessions.kept;
    return { ...told, ...(session === undefined ? {} : { session }), kept: sessions.kept };
  } catch (error) {
    return broken(error, world);
  } finally {
    await close();
  }
}

/** An agent at work in its place: from its order to the verdict on what it claims. Nothing comes home yet. */
async function hold(
  request: AttemptRequest,
  { place, briefing, order }: Prepared,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
): Promise<Judged> {
  const { agent } = request;
  const { cancel } = control;
  const stop = stopOf(control);
  const { begin, close } = sessionsOf(request, world, options, control);
  const { locale } = options.messages;
  try {
    // While its folder was made ready its task may have left the plan.
    if (cancel.signal.aborted || !request.isWanted()) return CANCELLED;
    const execution = begin(order);
    const opened = await execution.opened();
    if (!opened.ok)
      return { ...fromFailure(agent.name, opened.failure, "", request.now(), locale), finalMessage: "" };
    const { workspace } = place;
    const where = workspace === undefined ? {} : { branch: workspace.branch };
    // What a further agent makes is looked for nowhere before it has come into the task's own place.
    request.keep({ machine: opened.value, ...(request.candidate === undefined ? where : {}) });
    const talk = await converse(execution, briefing, request, world, options);
    const kept: Partial<AttemptRow> = { ...briefing.kept, machine: opened.value, ...talk.kept };
    await execution.close();
    if (talk.paused !== undefined)
      return { ...pausedBy(talk.paused), finalMessage: talk.end.finalMessage, kept };
    const sessions = moreSessions(request, order, begin, kept, world, options, stop);
    const end = await signalAskedAgain(talk.end, request, sessions, briefing.message, options);
    const { finalMessage } = end;
    const stale = talk.stale === undefined ? {} : { stale: talk.stale };
    const mayCount = talk.stale === undefined || options.staleContext !== "refuse";
    const sealed = async () => mayCount && keepClaimed(request, place, { finalMessage, ...stale });
    let judged: Verdict =
      end.kind === "failed"
        ? fromFailure(agent.name, end.failure, finalMessage, request.now(), locale)
        : await judgeTurn(request, end, place, world, options, stop, sealed);
    judged = stillToProve(request, place, { ...judged, ...stale });
    if (talk.unanswered !== undefined) judged = heldBack(judged, talk.unanswered);
    if (talk.stale !== undefined && options.staleContext === "refuse")
      judged = refuseStale(judged, talk.stale, locale);
    if (mayRefactor(request, place, judged, options) && !cancel.signal.aborted)
      judged = await refactor(request, place, judged, sessions, briefing.message, world, options, stop);
    const assignment = () => briefing.message;
    const scene = { request, place, sessions, assignment, world, options, stop };
    const told = await reviewed(control, scene, { ...judged, ...stale, finalMessage });
    const { session } = sessions.kept;
    const goesOn = session === undefined || end.kind === "failed" ? {} : { session };
    return { ...told, ...goesOn, ...stale, kept: sessions.kept };
  } catch (error) {
    return broken(error, world);
  } finally {
    await close();
  }
}

/** Starts one attempt: the agent's turn, its claim, and the proof. */
export function startAttempt(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
): RunningAttempt {
  const { task, row, agent } = request;
  const control = createControl();
  const finished = work(request, world, options, control)
    .catch((error: unknown): Judged => broken(error, world))
    .then(judged => {
      const { outcome, stored, reason, feedback, evidence, foreign, finalMessage, kept, context } = judged;
      world.files.collectLearnings(task.id, row.number, agent.name);
      const ended: AttemptRow = {
        ...row,
        ...kept,
        endedAt: request.now(),
        outcome: stored,
        reason,
        feedback: isMute({ outcome: stored, reason }) ? "" : toldOf(feedback, options.messages.locale),
        evidence: tail(evidence),
        finalMessage,
      };
      const { session, questions = [], stale } = judged;
      return {
        outcome: outcome.kind === "done" && stale !== undefined ? { ...outcome, stale } : outcome,
        row: ended,
        foreign,
        questions,
        ...(session === undefined ? {} : { session }),
        ...(context === undefined ? {} : { context }),
      };
    });
  return {
    row,
    finished,
    cancel: how => endWork(control, how),
    giveUp() {
      for (const end of control.reviews) end();
    },
  };
}
