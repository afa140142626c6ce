import {
  type AgentFailure,
  type AgentSession,
  cappedLog,
  type OutputLog,
  type SessionRequest,
  type TurnEnd,
} from "../../ports/index.ts";
import {
  attemptEnv,
  attemptMarker,
  callAfter,
  lostFailure,
  type ProcessEnd,
  type Program,
  runProcess,
  type Warden,
} from "../process/index.ts";
import type { EventQueue } from "./event-queue.ts";
import { leftoverNotes } from "./leftovers.ts";
import { type AgentJail, confine } from "./settings.ts";
import { createTurns, forced, type How, killedBy } from "./turns.ts";

/** Makes events and a final message of what a process writes. */
export interface OutputReader {
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** After the last output. A failure it tells of stands, unless the turn was cancelled. */
  end(end: Pick<ProcessEnd, "exitCode" | "cause">): Heard;
  /** When the last sign of progress was heard, in monotonic time; without it everything written is one. */
  readonly lastProgress?: () => number;
  /** Settles when the agent has told its result: what its process does after that is waited for no longer than the grace. */
  readonly told?: Promise<void>;
}

/** What a turn came to, by what was heard. */
export interface Heard {
  readonly finalMessage: string;
  readonly failure?: AgentFailure;
  /** True when the result was told: a process that had to be ended afterwards has still done its turn. */
  readonly whole?: boolean;
  /** What the output complains of, where that may be all it came to. */
  readonly complaint?: AgentFailure;
  /** What was said on stderr to the last. */
  readonly lastWords?: string;
}

/** What differs between agents that run one process per turn. */
export interface SessionOptions {
  readonly request: SessionRequest;
  /** The agent's name, for messages. */
  readonly agent: string;
  readonly warden: Warden | undefined;
  /** What to start for a message. */
  program(message: string): Pick<Program, "file" | "args" | "input" | "script" | "channel"> & {
    /** The first line to the channel; it ends with the turn. */
    readonly greeting?: string;
    /** In addition to the request's environment, which wins. */
    readonly env?: Readonly<Record<string, string>>;
    /** Variables that hold it to its policy: they win over all. */
    readonly rules?: Readonly<Record<string, string>> | undefined;
  };
  /** `reply` writes a line to the process, where its input is a channel. */
  reader(queue: EventQueue, reply: (line: string) => void): OutputReader;
  readonly jail?: AgentJail | undefined;
  /** What stands against starting a process now; asked before each. */
  readonly refused?: () => AgentFailure | undefined;
}

/**
 * A session that starts one process per turn, at once when the turn is asked for. Turns asked for while one runs wait
 * for it. A turn's processes end with the turn, those it left in the background too.
 */
export function createProcessSession(options: SessionOptions): AgentSession {
  const { request, agent } = options;
  const log = cappedLog(request.log, request.limits.logBytes);
  return createTurns({
    agent,
    perform: (message, queue, started) => runTurn(options, message, queue, log, started),
  });
}

/** One process from its start to its end. `started` receives what stops it. */
async function runTurn(
  options: SessionOptions,
  message: string,
  queue: EventQueue,
  log: OutputLog,
  started: (stop: (how: How) => void) => void,
): Promise<TurnEnd> {
  const { request, warden } = options;
  const refused = options.refused?.();
  if (refused !== undefined) return { kind: "failed", failure: refused, finalMessage: "" };
  let reply = (_line: string): void => {};
  const reader = options.reader(queue, line => reply(line));
  let outputBytes = 0;
  const program = options.program(message);
  const env = attemptEnv(
    { ...program.env, ...request.env, ...program.rules },
    {
      task: request.task,
      token: request.token,
      instance: warden?.instance,
    },
  );
  const running = await runProcess(confine({ ...program, cwd: request.cwd, env }, request, options.jail), {
    limits: request.limits,
    marker: attemptMarker(request.token),
    groups: warden,
    ...(reader.lastProgress === undefined ? {} : { lastProgress: reader.lastProgress }),
    onOutput(stream, chunk) {
      outputBytes += chunk.length;
      log(stream, chunk);
      reader.write(stream, chunk);
    },
  });
  if (!running.ok) return { kind: "failed", failure: running.failure, finalMessage: "" };
  queue.push({ type: "process", pid: running.value.pid });
  let cancelled = false;
  started(how => {
    cancelled = true;
    running.value.stop(how);
  });
  const { ended, input } = running.value;
  reply = line => void input?.write(`${line}\n`);
  if (program.greeting !== undefined) reply(program.greeting);
  let isOver = false;
  let patience = (): void => {};
  void reader.told?.then(() => {
    input?.end();
    if (!isOver) patience = callAfter(request.limits.graceMs, () => running.value.stop("soft"));
  });

  const end = await ended;
  isOver = true;
  patience();
  const heard = reader.end(end);
  const { finalMessage } = heard;
  const silence = reader.lastProgress === undefined ? "wrote-nothing" : "no-progress";
  const failure = failureOf(end, options, heard, silence, cancelled);
  for (const note of leftoverNotes(end)) queue.line("stderr", note);
  if (failure !== undefined) return { kind: "failed", failure, finalMessage };
  const complaint = heard.complaint === undefined ? {} : { complaint: heard.complaint };
  return { kind: "completed", finalMessage, exitCode: end.exitCode ?? 0, outputBytes, ...complaint };
}

function failureOf(
  end: ProcessEnd,
  { agent, request }: SessionOptions,
  heard: Heard,
  silence: "no-progress" | "wrote-nothing",
  cancelled: boolean,
): AgentFailure | undefined {
  const { cause } = end;
  if (cause === "lost") return lostFailure(agent);
  if (cancelled && cause === "cancelled") return forced(cause, agent, request.limits);
  if (heard.failure !== undefined || heard.whole === true) return heard.failure;
  if (cause !== "exit") return forced(cause, agent, request.limits, silence);
  return end.exitCode === null ? killedBy(end.signal ?? "a signal", agent, heard.lastWords) : undefined;
}
