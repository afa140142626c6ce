import type { Task } from "../plan/index.ts";
import type { Agent, AgentSession, AttemptRow, RunEvent, TurnEnd } from "../ports/index.ts";
import type { AttemptOutcome } from "../run/index.ts";
import type { PromptFacts } from "../text/index.ts";
import { fromFailure, judgeTurn, tail, type Verdict, verdict } from "./verdict.ts";
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
}

export interface AttemptRequest {
  readonly task: Task;
  readonly row: AttemptRow;
  readonly agent: Agent;
  readonly textHash: string;
  /** What the attempt before failed of; empty for the first. */
  readonly feedback: string;
  /** Which of `maxAttempts` this is; crashes of ours do not count. */
  readonly tries: number;
  readonly maxAttempts: number;
  /** Wall time that does not jump, epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: RunEvent) => void;
  /** An earlier attempt of the task that is still dying; never two agents at once on one task. */
  readonly after: Promise<unknown> | undefined;
}

function promptFacts(request: AttemptRequest, world: World, options: EngineOptions): PromptFacts {
  const { task, row } = request;
  const verify = task.verify ?? options.verify;
  return {
    task: task.id,
    phase: String(task.phase),
    title: task.title,
    file: world.taskFile.displayPath,
    line: task.line,
    learnings: world.files.learningsPath(task.id, row.number),
    signalId: `${task.id}#${row.nonce}`,
    kind: task.kind,
    ...(task.fills === undefined ? {} : { fills: task.fills }),
    ...(verify === undefined ? {} : { verify }),
    ...(request.feedback === "" ? {} : { feedback: request.feedback }),
    attempt: request.tries,
    maxAttempts: request.maxAttempts,
  };
}

/** Masks secrets in raw output. Latin-1 keeps every byte what it was. */
function redactBytes(chunk: Uint8Array, redact: (text: string) => string): Uint8Array {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
  const clean = redact(text);
  return clean === text ? chunk : Buffer.from(clean, "latin1");
}

async function turn(session: AgentSession, message: string, request: AttemptRequest): Promise<TurnEnd> {
  for await (const event of session.turn(message)) {
    if (event.type === "ended") return event.end;
    if (event.type !== "line") continue;
    request.emit({
      type: "attempt-line",
      task: request.task.id,
      attempt: request.row.number,
      text: event.text,
    });
  }
  throw new Error(`agent ${request.agent.name} ended its turn without an 'ended' event`);
}

/** The controls of a running attempt, and whether they were used. */
interface Control {
  readonly cancel: AbortController;
  readonly kill: AbortController;
  session: AgentSession | undefined;
}

type Judged = Verdict & { readonly finalMessage: string };

const CANCELLED: Judged = { ...verdict({ kind: "cancelled" }, "cancelled"), finalMessage: "" };

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
  const log = world.files.attemptLog(task.id, row.number);
  try {
    const opened = await agent.open({
      task: task.id,
      attempt: row.number,
      token: row.token,
      cwd: options.cwd,
      env: { ...world.env, ESPALIER_TASK: task.id, ESPALIER_SIGNAL_ID: `${task.id}#${row.nonce}` },
      limits: options.limits,
      ...(task.run === undefined ? {} : { script: task.run }),
      log: (_stream, chunk) => log.write(redactBytes(chunk, world.redact)),
    });
    if (!opened.ok)
      return { ...fromFailure(agent.name, opened.failure, "", request.now()), finalMessage: "" };
    control.session = opened.value;
    // A turn that is asked for now would run to its end: nobody cancels it any more.
    if (cancel.signal.aborted) return CANCELLED;
    const prompt = options.messages.prompt(promptFacts(request, world, options));
    const end = await turn(opened.value, prompt, request);
    await opened.value.close();
    const { finalMessage } = end;
    if (end.kind === "failed")
      return { ...fromFailure(agent.name, end.failure, finalMessage, request.now()), finalMessage };
    const stop = { cancel: cancel.signal, kill: kill.signal };
    return { ...(await judgeTurn(request, end, world, options, stop)), finalMessage };
  } finally {
    await control.session?.close();
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
    .then(({ outcome, stored, reason, feedback, evidence, foreign, finalMessage }) => {
      world.files.collectLearnings(task.id, row.number, agent.name);
      const ended: AttemptRow = {
        ...row,
        endedAt: request.now(),
        outcome: stored,
        reason: world.redact(reason),
        feedback: world.redact(tail(feedback)),
        evidence: world.redact(tail(evidence)),
        finalMessage: world.redact(finalMessage),
      };
      const clean = "reason" in outcome ? { ...outcome, reason: world.redact(outcome.reason) } : outcome;
      return { outcome: clean, row: ended, foreign: foreign.map(line => world.redact(line)) };
    });
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
