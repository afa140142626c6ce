import { resolve } from "node:path";
import type { ContextWork } from "../../context/shared/index.ts";
import {
  type AgentSession,
  type AgentUsage,
  type AttemptRow,
  because,
  type SessionRequest,
} from "../../ports/index.ts";
import { REASON_LENGTH } from "../../run/index.ts";
import { firstLine } from "../../text/index.ts";
import { addUsage } from "../spent.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { brief } from "./briefing.ts";
import { converse } from "./converse.ts";
import { harvest, judgeFill, questionsOf, wordsOf } from "./harvest.ts";
import { landWork, openPlace, seenFrom } from "./place.ts";
import { mayRefactor, refactor } from "./refactor.ts";
import type { AttemptRequest, Place, RunningAttempt, StopSignals } from "./types.ts";
import { fromFailure, judgeTurn, pausedBy, tail, type Verdict, verdict } from "./verdict.ts";

/** The controls of a running attempt, and whether they were used. */
interface Control {
  readonly cancel: AbortController;
  readonly kill: AbortController;
  session: AgentSession | undefined;
}

/** How an attempt went: the verdict, and what its row and the shared context keep of it. */
type Judged = Verdict & {
  readonly finalMessage: string;
  /** Usage, session, folder, branch, commit. */
  readonly kept?: Partial<AttemptRow>;
  readonly context?: ContextWork;
  readonly questions?: readonly string[];
};

const CANCELLED: Judged = { ...verdict({ kind: "cancelled" }, "cancelled"), finalMessage: "" };

/** A claim that was proved comes home: its work into the branch, its findings into the shared context. */
async function settle(
  request: AttemptRequest,
  place: Place,
  judged: Judged,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Judged> {
  const filled = judgeFill(request, place, judged, world, options);
  const words = wordsOf(request, filled.finalMessage, world);
  // What has landed counts as done whatever dies next: what was said with it must not be lost then, nor where it was done.
  if (place.workspace !== undefined && place.sealed !== undefined && filled.outcome.kind === "done") {
    // Its folder may be gone as soon as its work is home.
    if (filled.document !== undefined)
      world.files.keepDocument?.(request.task.id, request.row.number, filled.document);
    const isKept = await request.secure({
      finalMessage: words,
      folder: place.cwd,
      branch: place.workspace.branch,
    });
    if (!isKept) return CANCELLED;
  }
  const landed = await landWork(request, place, filled, world, options, stop);
  const kept = { ...judged.kept, ...landed.kept };
  const home = { ...filled, ...landed.verdict, kept };
  const context = harvest(request, home, words);
  const questions = questionsOf(home);
  return { ...home, questions, ...(context === undefined ? {} : { context }) };
}

async function work(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
): Promise<Judged> {
  const { task, row, agent } = request;
  const { cancel, kill } = control;
  await request.after;
  if (cancel.signal.aborted) return CANCELLED;
  const stop = { cancel: cancel.signal, kill: kill.signal };
  const opening = await openPlace(request, world, options, stop);
  if (!opening.ok) return { ...opening.failure, finalMessage: "" };
  const place = opening.value;
  const log = world.files.attemptLog(task.id, row.number);
  try {
    const seen = seenFrom(place, world, options);
    const briefing = await brief(request, place, seen, options);
    const lessons = seen.files.learningsPath(task.id, row.number);
    const unaffordable = request.refuses(briefing.likely);
    if (unaffordable !== undefined) {
      const { reason } = unaffordable;
      return {
        ...verdict({ kind: "unaffordable", ...unaffordable }, "cancelled", { reason }),
        finalMessage: "",
      };
    }
    briefing.handOver();
    const asker = world.questions?.asker(task.id, row.number);
    const wish: SessionRequest = {
      task: task.id,
      attempt: row.number,
      token: row.token,
      cwd: place.cwd,
      env: {
        ...world.env,
        ...briefing.env,
        ESPALIER_TASK: task.id,
        ESPALIER_SIGNAL_ID: `${task.id}#${row.nonce}`,
      },
      limits: options.limits,
      ...(task.run === undefined ? {} : { script: task.run }),
      writable: [resolve(options.cwd, lessons), ...briefing.writable],
      ...(asker === undefined ? {} : { ask: asker }),
      ...(agent.abilities?.mcp !== true || world.tools === undefined
        ? {}
        : { mcp: [world.tools(task.id, row.token)] }),
      log: (_stream, chunk) => log.write(chunk),
    };
    const opened = await agent.open(wish);
    if (!opened.ok)
      return { ...fromFailure(agent.name, opened.failure, "", request.now()), finalMessage: "" };
    control.session = opened.value;
    // A turn that is asked for now would run to its end: nobody cancels it any more.
    if (cancel.signal.aborted) return CANCELLED;
    const talk = await converse(opened.value, briefing, request, options);
    const { end } = talk;
    let kept = { ...briefing.kept, ...talk.kept };
    await opened.value.close();
    const { finalMessage } = end;
    if (talk.paused !== undefined) return { ...pausedBy(talk.paused), finalMessage, kept };
    const first =
      end.kind === "failed"
        ? fromFailure(agent.name, end.failure, finalMessage, request.now())
        : await judgeTurn(request, end, place, world, options, stop);
    let judged = first;
    if (mayRefactor(request, place, first, options) && !cancel.signal.aborted) {
      const again = await agent.open(wish);
      if (again.ok) {
        control.session = again.value;
        // Another session counts from nothing again.
        const spend = (more: AgentUsage) => {
          kept = { ...kept, usage: addUsage(talk.kept.usage, more) };
          request.keep(kept);
        };
        judged = await refactor(request, place, first, { session: again.value, spend }, world, options, stop);
      }
    }
    return await settle(request, place, { ...judged, finalMessage, kept }, world, options, stop);
  } finally {
    await control.session?.close();
    await place.leave();
    log.close();
  }
}

/** Starts one attempt: the agent's turn, its claim, and the proof. */
export function startAttempt(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
): RunningAttempt {
  const { task, row, agent } = request;
  const control: Control = { cancel: new AbortController(), kill: new AbortController(), session: undefined };
  const finished = work(request, world, options, control)
    .catch((error: unknown): Judged => {
      // What is thrown was not expected: it came in past the mask.
      const words = world.redact(error instanceof Error ? error.message : String(error));
      const reason = because("internal-error", { said: firstLine(words, REASON_LENGTH) });
      return { ...verdict({ kind: "needs-person", reason }, "failed", { reason }), finalMessage: "" };
    })
    .then(
      ({
        outcome,
        stored,
        reason,
        feedback,
        evidence,
        foreign,
        finalMessage,
        kept,
        context,
        questions = [],
      }) => {
        world.files.collectLearnings(task.id, row.number, agent.name);
        const ended: AttemptRow = {
          ...row,
          ...kept,
          endedAt: request.now(),
          outcome: stored,
          reason,
          feedback: tail(feedback),
          evidence: tail(evidence),
          finalMessage,
        };
        const told = { outcome, row: ended, foreign, questions };
        return context === undefined ? told : { ...told, context };
      },
    );
  return {
    row,
    finished,
    cancel(how) {
      control.cancel.abort();
      if (how === "hard") control.kill.abort();
      void control.session?.cancel(how);
    },
  };
}
