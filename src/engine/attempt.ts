import type { Task } from "../plan/index.ts";
import type { Agent, AgentFailure, AgentSession, AttemptRow, RunEvent, TurnEnd } from "../ports/index.ts";
import { type AttemptOutcome, type Claim, judgeMessage } from "../run/index.ts";
import { firstLine, type PromptFacts } from "../text/index.ts";
import { type Proof, prove } from "./proof.ts";
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
  readonly maxAttempts: number;
  readonly emit: (event: RunEvent) => void;
  /** An earlier attempt of the task that is still dying; never two agents at once on one task. */
  readonly after: Promise<unknown> | undefined;
}

/** Milliseconds until an overloaded agent is asked again. */
const OVERLOAD_PAUSE = 60_000;
/** Characters of a failing output that the next attempt is told. */
const FEEDBACK_LENGTH = 4096;

interface Verdict {
  readonly outcome: AttemptOutcome;
  readonly stored: AttemptRow["outcome"];
  readonly reason: string;
  readonly feedback: string;
  readonly evidence: string;
  readonly foreign: readonly string[];
}

function verdict(
  outcome: AttemptOutcome,
  stored: AttemptRow["outcome"],
  more: Partial<Pick<Verdict, "reason" | "feedback" | "evidence" | "foreign">> = {},
): Verdict {
  return { outcome, stored, reason: "", feedback: "", evidence: "", foreign: [], ...more };
}

function failed(reason: string, feedback: string, more: Partial<Verdict> = {}): Verdict {
  return verdict({ kind: "failed", reason }, more.stored ?? "failed", { ...more, reason, feedback });
}

/** What a failure of the agent itself means for the task. */
function fromFailure(agent: string, failure: AgentFailure, message: string, now: number): Verdict {
  const reason = firstLine(failure.message, 100);
  switch (failure.kind) {
    case "cancelled":
      return verdict({ kind: "cancelled" }, "cancelled", { reason });
    case "spawn":
      return verdict({ kind: "stalled", reason }, "failed", { reason });
    case "quota":
      return verdict({ kind: "quota", agent, until: failure.retryAt ?? now + OVERLOAD_PAUSE }, "failed", {
        reason,
      });
    case "overloaded":
      return verdict({ kind: "quota", agent, until: failure.retryAt ?? now + OVERLOAD_PAUSE }, "failed", {
        reason,
      });
    case "auth":
    case "not-found":
    case "unsuitable":
      return verdict({ kind: "needs-person", reason }, "failed", { reason });
    case "exit":
    case "killed":
    case "wall-clock":
    case "idle":
      return failed(reason, tail(message));
    default: {
      const never: never = failure.kind;
      throw new Error(`unknown failure ${String(never)}`);
    }
  }
}

function tail(text: string): string {
  return text.length <= FEEDBACK_LENGTH ? text : text.slice(-FEEDBACK_LENGTH);
}

function lastLine(text: string): string {
  for (let to = text.length; to > 0; ) {
    const from = text.lastIndexOf("\n", to - 1) + 1;
    const line = firstLine(text.slice(from, to), 100);
    if (line !== "") return line;
    to = from - 1;
  }
  return "";
}

/** The claim of a turn that ended by itself: by exit code or by signal, as the agent reports. */
function claimOf(
  request: AttemptRequest,
  end: Extract<TurnEnd, { kind: "completed" }>,
  signals: EngineOptions["signals"],
): { claim: Claim; foreign: readonly string[] } {
  if (request.agent.reports === "exit") {
    if (end.exitCode === 0) return { claim: { kind: "done" }, foreign: [] };
    const said = lastLine(end.finalMessage);
    return { claim: { kind: "fail", reason: said === "" ? `exit code ${end.exitCode}` : said }, foreign: [] };
  }
  const rules = { task: request.task.id, nonce: request.row.nonce, signals };
  const { claim, foreign } = judgeMessage(end.finalMessage, rules);
  if (claim.kind === "done" && end.exitCode !== 0) {
    return { claim: { kind: "fail", reason: `DONE_BUT_EXIT_${end.exitCode}` }, foreign };
  }
  return { claim, foreign };
}

function describe(proof: Proof): string {
  return proof.kind === "none" ? "" : `${proof.what}\n${proof.detail}`.trim();
}

async function judgeTurn(
  request: AttemptRequest,
  end: Extract<TurnEnd, { kind: "completed" }>,
  world: World,
  options: EngineOptions,
  stop: { readonly cancel: AbortSignal; readonly kill: AbortSignal },
): Promise<Verdict> {
  const { claim, foreign } = claimOf(request, end, options.signals);
  if (claim.kind === "fail") return failed(claim.reason, tail(end.finalMessage), { foreign });
  if (claim.kind === "none") {
    const why =
      end.exitCode === 0
        ? "Your answer did not end with the signal line. The last line must be the signal alone."
        : `The agent exited with code ${end.exitCode} and its answer did not end with the signal line.`;
    return verdict({ kind: "no-signal" }, "no-signal", { reason: "no signal", feedback: why, foreign });
  }
  const proof = await prove(request, world, options, stop);
  if (stop.cancel.aborted || stop.kill.aborted)
    return verdict({ kind: "cancelled" }, "cancelled", { foreign });
  if (proof.kind === "refused") {
    const { reason } = proof;
    return verdict({ kind: "needs-person", reason }, "unproven", {
      reason,
      evidence: describe(proof),
      foreign,
    });
  }
  if (proof.kind === "failed") {
    return failed(proof.reason, `${proof.what}\n${proof.detail}`, {
      stored: "unproven",
      evidence: describe(proof),
      foreign,
    });
  }
  const outcome = { kind: "done", verified: proof.kind === "passed", textHash: request.textHash } as const;
  return verdict(outcome, "done", { evidence: describe(proof), foreign });
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
    attempt: row.number,
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

/** Starts one attempt: the agent's turn, its claim, and the proof. */
export function startAttempt(request: AttemptRequest, world: World, options: EngineOptions): RunningAttempt {
  const { task, row, agent } = request;
  const cancel = new AbortController();
  const kill = new AbortController();
  let session: AgentSession | undefined;

  const work = async (): Promise<Verdict & { finalMessage: string }> => {
    await request.after;
    if (cancel.signal.aborted) return { ...verdict({ kind: "cancelled" }, "cancelled"), finalMessage: "" };
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
        return { ...fromFailure(agent.name, opened.failure, "", world.clock.now()), finalMessage: "" };
      session = opened.value;
      if (cancel.signal.aborted) await session.cancel(kill.signal.aborted ? "hard" : "soft");
      const end = await turn(session, options.messages.prompt(promptFacts(request, world, options)), request);
      await session.close();
      if (end.kind === "failed") {
        const now = world.clock.now();
        return {
          ...fromFailure(agent.name, end.failure, end.finalMessage, now),
          finalMessage: end.finalMessage,
        };
      }
      return {
        ...(await judgeTurn(request, end, world, options, { cancel: cancel.signal, kill: kill.signal })),
        finalMessage: end.finalMessage,
      };
    } finally {
      log.close();
    }
  };

  const finished = work()
    .catch((error: unknown) => {
      const reason = `internal error: ${error instanceof Error ? error.message : String(error)}`;
      return { ...verdict({ kind: "needs-person", reason }, "failed", { reason }), finalMessage: "" };
    })
    .then(async ({ outcome, stored, reason, feedback, evidence, foreign, finalMessage }) => {
      await session?.close();
      world.files.collectLearnings(task.id, row.number, agent.name);
      const ended: AttemptRow = {
        ...row,
        endedAt: world.clock.now(),
        outcome: stored,
        reason: world.redact(reason),
        feedback: world.redact(tail(feedback)),
        evidence: world.redact(tail(evidence)),
        finalMessage: world.redact(finalMessage),
      };
      const clean =
        outcome.kind === "failed" ? { ...outcome, reason: world.redact(outcome.reason) } : outcome;
      return { outcome: clean, row: ended, foreign: foreign.map(line => world.redact(line)) };
    });

  return {
    row,
    finished,
    cancel(how) {
      cancel.abort();
      if (how === "hard") kill.abort();
      void session?.cancel(how);
    },
  };
}
