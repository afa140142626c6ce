import type { AgentFailure, AgentLimits, AgentSession, SessionRequest, TurnEnd } from "../../ports/index.ts";
import {
  attemptMarker,
  cappedLog,
  markedEnv,
  type OutputLog,
  type ProcessEnd,
  type Program,
  runProcess,
  type Warden,
} from "../process/index.ts";
import { createEventQueue, type EventQueue } from "./event-queue.ts";

/** Makes events and a final message of what a process writes. */
export interface OutputReader {
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** After the last output; `exitCode` is null when a signal ended the process. */
  end(exitCode: number | null): { readonly finalMessage: string; readonly failure?: AgentFailure };
}

/** What differs between agents that run one process per turn. */
export interface SessionOptions {
  readonly request: SessionRequest;
  /** The agent's name, for messages. */
  readonly agent: string;
  readonly warden: Warden | undefined;
  /** What to start for a message. */
  program(message: string): Pick<Program, "file" | "args" | "input" | "script">;
  reader(queue: EventQueue): OutputReader;
}

interface Turn {
  stop(how: "soft" | "hard"): void;
  readonly done: Promise<void>;
}

/**
 * A session that starts one process per turn, at once when the turn is asked for. Turns asked for while one runs wait
 * for it. A turn's processes end with the turn, those it left in the background too.
 */
export function createProcessSession(options: SessionOptions): AgentSession {
  const { request } = options;
  const log = cappedLog(request.log, request.limits.logBytes);
  const turns = new Set<Turn>();
  let last: Promise<void> = Promise.resolve();
  let closed = false;

  async function cancel(how: "soft" | "hard"): Promise<void> {
    const running = [...turns];
    for (const turn of running) turn.stop(how);
    await Promise.all(running.map(turn => turn.done));
  }

  return {
    turn(message) {
      const stops: ("soft" | "hard")[] = closed ? ["hard"] : [];
      let stop = (how: "soft" | "hard"): void => void stops.push(how);
      const queue = createEventQueue(() => stop("hard"));
      const done = last.then(async () => {
        const end = stops.length > 0 ? cancelledEnd(options.agent) : await perform();
        turns.delete(turn);
        queue.end(end);
      });
      const turn: Turn = { stop: how => stop(how), done };
      turns.add(turn);
      last = done;
      return queue.events;

      function perform(): Promise<TurnEnd> {
        return runTurn(options, message, queue, log, stopProcess => {
          stop = stopProcess;
          for (const how of stops) stop(how);
        });
      }
    },
    cancel,
    async close() {
      closed = true;
      await cancel("soft");
    },
  };
}

/** One process from its start to its end. `started` receives what stops it. */
async function runTurn(
  options: SessionOptions,
  message: string,
  queue: EventQueue,
  log: OutputLog,
  started: (stop: (how: "soft" | "hard") => void) => void,
): Promise<TurnEnd> {
  const { request, agent, warden } = options;
  const reader = options.reader(queue);
  let outputBytes = 0;
  const env = markedEnv(request.env, {
    task: request.task,
    token: request.token,
    instance: warden?.instance,
  });
  const running = await runProcess(
    { ...options.program(message), cwd: request.cwd, env },
    {
      limits: request.limits,
      marker: attemptMarker(request.token),
      groups: warden,
      onOutput(stream, chunk) {
        outputBytes += chunk.length;
        log(stream, chunk);
        reader.write(stream, chunk);
      },
    },
  );
  if (!running.ok) return { kind: "failed", failure: running.failure, finalMessage: "" };
  queue.push({ type: "process", pid: running.value.pid });
  started(how => running.value.stop(how));

  const end = await running.value.ended;
  const { finalMessage, failure = failureOf(end, agent, request.limits) } = reader.end(end.exitCode);
  for (const note of notes(end)) queue.line("stderr", `[espalier] ${note}`);
  if (failure !== undefined) return { kind: "failed", failure, finalMessage };
  return { kind: "completed", finalMessage, exitCode: end.exitCode ?? 0, outputBytes };
}

function failureOf(end: ProcessEnd, agent: string, limits: AgentLimits): AgentFailure | undefined {
  switch (end.cause) {
    case "wall-clock":
      return forced("wall-clock", `${agent} worked longer than ${duration(limits.wallMs)}`);
    case "idle":
      return forced("idle", `${agent} wrote nothing for ${duration(limits.idleMs)}`);
    case "cancelled":
      return forced("cancelled", `${agent} was cancelled`);
    case "exit":
      return end.exitCode === null ? killedBy(end.signal ?? "a signal", agent) : undefined;
  }
}

function forced(kind: "wall-clock" | "idle" | "cancelled", message: string): AgentFailure {
  return { kind, message, retryable: true };
}

function killedBy(signal: string, agent: string): AgentFailure {
  // The kernel's killer for want of memory leaves no other trace.
  const guess = signal === "SIGKILL" ? "; was memory short?" : "";
  return { kind: "killed", message: `${agent} was killed by ${signal}${guess}`, retryable: true, signal };
}

function cancelledEnd(agent: string): TurnEnd {
  return { kind: "failed", failure: forced("cancelled", `${agent} was cancelled`), finalMessage: "" };
}

function notes(end: ProcessEnd): readonly string[] {
  const all: string[] = [];
  if (end.leftovers.length > 0) {
    all.push(`ended ${count(end.leftovers)} that the turn left running`);
  }
  if (end.survivors.length > 0) all.push(`could not end ${count(end.survivors)}`);
  return all;
}

function count(pids: readonly number[]): string {
  const shown = pids.slice(0, 8).join(", ");
  const more = pids.length > 8 ? `, +${pids.length - 8}` : "";
  return `${pids.length} ${pids.length === 1 ? "process" : "processes"} (pid ${shown}${more})`;
}

function duration(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1_000 ? `${Math.round(ms / 100) / 10} s` : `${ms} ms`;
}
