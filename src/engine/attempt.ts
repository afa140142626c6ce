import { resolve } from "node:path";
import type { Task } from "../plan/index.ts";
import type {
  Agent,
  AgentSession,
  AgentUsage,
  AttemptRow,
  PermissionQuestion,
  RunEvent,
  SessionRequest,
} from "../ports/index.ts";
import type { AttemptOutcome, AttemptSpend } from "../run/index.ts";
import { brief, harvest, judgeFill, questionsOf } from "./briefing.ts";
import type { ContextWork, Desk } from "./context/index.ts";
import { converse } from "./converse.ts";
import type { PhaseRequest } from "./grounds/index.ts";
import { landWork, openPlace, type Place, type StopSignals, seenFrom } from "./place.ts";
import { mayRefactor, refactor } from "./refactor.ts";
import { addUsage } from "./spent.ts";
import type { Library, Reader } from "./tree/index.ts";
import { fromFailure, judgeTurn, pausedBy, tail, type Verdict, verdict } from "./verdict.ts";
import type { EngineOptions, World } from "./world.ts";

/** A running attempt, as the loop holds it. */
export interface RunningAttempt {
  readonly row: AttemptRow;
  cancel(how: "soft" | "hard"): void;
  /** Settles when every process of the attempt is gone; never rejects. */
  readonly finished: Promise<AttemptResult>;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly row: AttemptRow;
  readonly foreign: readonly string[];
  /** What it adds to the shared context, made durable with its end. */
  readonly context?: ContextWork;
  /** What it wants researched before it is tried again. */
  readonly questions?: readonly string[];
}

export interface AttemptRequest {
  readonly task: Task;
  /** The shared context; a teammate whose session is the row's token leaves when the attempt ends. */
  readonly desk: Desk;
  /** The context tree with everything that is read through it. */
  readonly library: Library;
  readonly row: AttemptRow;
  readonly agent: Agent;
  readonly textHash: string;
  /** What the attempt before failed of; empty for the first. */
  readonly feedback: string;
  /** Which of `maxAttempts` this is; crashes of ours do not count. */
  readonly tries: number;
  readonly maxAttempts: number;
  /** What the run's budget says to an attempt that is to read so many tokens; undefined when it may go. */
  readonly refuses: (tokens: number) => (AttemptSpend & { readonly reason: string }) | undefined;
  /** The phase it belongs to. */
  readonly phase: PhaseRequest;
  /** Makes a part of the row durable while the attempt runs, for whoever finds it after a crash. */
  readonly keep: (part: Partial<AttemptRow>, context?: ContextWork) => void;
  /** Whose tokens its package is counted in. */
  readonly reader: Reader;
  /** Counts in the run's budget what a model took for its package. */
  readonly charge: (spent: AttemptSpend) => void;
  /** Nothing else runs or can start before it has ended. */
  readonly alone: boolean;
  /** Stops the whole run until a person has looked. */
  readonly halt: (reason: string) => void;
  /** Wall time that does not jump, epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: RunEvent) => void;
  /** An earlier attempt of the task that is still dying; never two agents at once on one task. */
  readonly after: Promise<unknown> | undefined;
}

/** Masks secrets in raw output. Latin-1 keeps every byte what it was. */
function redactBytes(chunk: Uint8Array, redact: (text: string) => string): Uint8Array {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
  const clean = redact(text);
  return clean === text ? chunk : Buffer.from(clean, "latin1");
}

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
  world: World,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Judged> {
  const filled = judgeFill(request, place, judged, world, options);
  const landed = await landWork(request, place, filled, world, options, stop);
  const kept = { ...judged.kept, ...landed.kept };
  const home = { ...filled, ...landed.verdict, kept };
  const context = harvest(request, home, world);
  const questions = questionsOf(home, world);
  return { ...home, questions, ...(context === undefined ? {} : { context }) };
}

async function work(
  request: AttemptRequest,
  world: World,
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
      ...(asker === undefined
        ? {}
        : { ask: ({ kind, title }: PermissionQuestion) => asker({ kind, title: world.redact(title) }) }),
      ...(agent.abilities?.mcp !== true || world.tools === undefined
        ? {}
        : { mcp: [world.tools(task.id, row.token)] }),
      log: (_stream, chunk) => log.write(redactBytes(chunk, world.redact)),
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
export function startAttempt(request: AttemptRequest, world: World, options: EngineOptions): RunningAttempt {
  const { task, row, agent } = request;
  const control: Control = { cancel: new AbortController(), kill: new AbortController(), session: undefined };
  const finished = work(request, world, options, control)
    .catch((error: unknown): Judged => {
      const reason = `internal error: ${error instanceof Error ? error.message : String(error)}`;
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
          reason: world.redact(reason),
          feedback: world.redact(tail(feedback)),
          evidence: world.redact(tail(evidence)),
          finalMessage: world.redact(finalMessage),
        };
        const clean = "reason" in outcome ? { ...outcome, reason: world.redact(outcome.reason) } : outcome;
        const told = {
          outcome: clean,
          row: ended,
          foreign: foreign.map(line => world.redact(line)),
          questions,
        };
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
