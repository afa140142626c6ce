import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { type AgentFailure, fail, ok, type Result } from "../../ports/index.ts";
import { spawnFailure, stdioFailure } from "./spawn-failure.ts";
import { type Inputs, openStdio, type Stdio } from "./stdio.ts";

/** What to start and where; `spawn` with an argument array, never a shell. */
export interface Program extends Inputs {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Receives output as it comes. The chunk is valid only during the call: the next one overwrites it. */
export type OnOutput = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/** A process that runs: the leader of a session and group of its own. */
export interface StartedProgram {
  readonly pid: number;
  /** Resolves when the process itself is dead, whoever still holds its output. */
  readonly exited: Promise<Exit>;
  /** Resolves when everyone who held its output has closed it, or `destroyOutput` was called. */
  readonly outputClosed: Promise<void>;
  /** Its stdin, where that is a channel. Errors of it are swallowed: a dead reader shows as `exited`. */
  readonly input: Writable | undefined;
  destroyOutput(): void;
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts a program. Never throws; what the operating system refuses is a failure. */
export async function startProgram(
  program: Program,
  onOutput: OnOutput,
): Promise<Result<StartedProgram, AgentFailure>> {
  let stdio: Stdio;
  try {
    stdio = await openStdio(program);
  } catch (error) {
    return fail(stdioFailure(error));
  }
  const child = spawnDetached(program, stdio);
  stdio.releaseChild();
  const pid = child instanceof Error ? undefined : child.pid;
  if (child instanceof Error || pid === undefined) {
    stdio.releaseParent();
    const error = child instanceof Error ? child : await firstError(child);
    return fail(spawnFailure(error, program.file, program.cwd));
  }
  // Later `error` events are failed kills: nothing to do about them, and unheard they would end this process.
  child.on("error", () => {});
  const exited = new Promise<Exit>(resolve => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  child.stdin?.on("error", () => {});
  const streams = [
    readOutput("stdout", stdio.stdout ?? child.stdout, onOutput),
    readOutput("stderr", stdio.stderr ?? child.stderr, onOutput),
  ];
  return ok({
    pid,
    exited,
    input: child.stdin ?? undefined,
    outputClosed: Promise.all(streams.map(closed)).then(() => {}),
    destroyOutput() {
      for (const stream of streams) stream?.destroy();
    },
  });
}

function spawnDetached(program: Program, stdio: Stdio): ChildProcess | Error {
  try {
    return spawn(program.file, program.args, {
      cwd: program.cwd,
      env: program.env,
      stdio: [...stdio.child],
      // A session of its own: signals go to the whole group, and the terminal's Ctrl+C does not reach it.
      detached: true,
    });
  } catch (error) {
    // Some errors are thrown, others emitted; which ones differs by code.
    return error as Error;
  }
}

function firstError(child: ChildProcess): Promise<Error> {
  return new Promise(resolve => {
    child.once("error", resolve);
  });
}

function readOutput(
  name: "stdout" | "stderr",
  source: number | Readable | null | undefined,
  onOutput: OnOutput,
): Readable | undefined {
  if (source === null || source === undefined) return undefined;
  const stream = typeof source === "number" ? readDescriptor(name, source, onOutput) : source;
  if (typeof source !== "number") stream.on("data", (chunk: Buffer) => onOutput(name, chunk));
  stream.on("error", () => stream.destroy());
  return stream.resume();
}

/** One buffer for the whole stream: a flood of gigabytes then makes no garbage. */
function readDescriptor(name: "stdout" | "stderr", fd: number, onOutput: OnOutput): Readable {
  const buffer = Buffer.allocUnsafeSlow(1 << 16);
  return new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback(length: number) {
        onOutput(name, buffer.subarray(0, length));
        return true;
      },
    },
  });
}

function closed(stream: Readable | undefined): Promise<void> {
  return new Promise(resolve => {
    if (stream === undefined || stream.closed) resolve();
    else stream.once("close", () => resolve());
  });
}
