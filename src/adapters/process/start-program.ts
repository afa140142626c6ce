import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { type AgentFailure, fail, ok, type Result } from "../../ports/index.ts";
import { STARTER_DIED, spawnFailure, stdioFailure } from "./spawn-failure.ts";
import { startElsewhere } from "./start-caller.ts";
import type { Started } from "./start-here.ts";
import { type Inputs, openStdio, type Stdio } from "./stdio.ts";
import { signalGroup } from "./sweep.ts";

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
  /** Nobody heard how it ended, and it was made to: the process that had started it died. */
  readonly isLost?: true;
}

/** A process that was begun, wherever from. */
interface Begun extends Pick<StartedProgram, "pid" | "exited" | "input"> {
  readonly stdout?: Readable | null;
  readonly stderr?: Readable | null;
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
  const begun = (await beginElsewhere(program, stdio)) ?? (await beginHere(program, stdio));
  stdio.releaseChild();
  if (begun instanceof Error) {
    stdio.releaseParent();
    return fail(spawnFailure(begun, program.file, program.cwd));
  }
  const { pid, exited, input } = begun;
  const streams = [
    readOutput("stdout", stdio.stdout ?? begun.stdout, onOutput),
    readOutput("stderr", stdio.stderr ?? begun.stderr, onOutput),
  ];
  return ok({
    pid,
    exited,
    input,
    outputClosed: Promise.all(streams.map(closed)).then(() => {}),
    destroyOutput() {
      for (const stream of streams) stream?.destroy();
    },
  });
}

async function beginHere(program: Program, stdio: Stdio): Promise<Begun | Error> {
  const child = spawnDetached(program, stdio);
  if (child instanceof Error) return child;
  const { pid } = child;
  if (pid === undefined) return firstError(child);
  // Later `error` events are failed kills: nothing to do about them, and unheard they would end this process.
  child.on("error", () => {});
  const exited = new Promise<Exit>(resolve => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  child.stdin?.on("error", () => {});
  return { pid, exited, input: child.stdin ?? undefined, stdout: child.stdout, stderr: child.stderr };
}

/**
 * Has the small process begin it, with the streams that were opened here; undefined where that cannot be. What is begun there ends
 * with it: nobody else would hear of its end.
 */
function beginElsewhere(program: Program, stdio: Stdio): Promise<Begun | Error | undefined> {
  const { file, args, cwd, env } = program;
  const streams = pathsOf(stdio);
  const exited = Promise.withResolvers<Exit>();
  return new Promise(resolve => {
    let pid: number | undefined;
    const tell = (what: Started | undefined): void => {
      if (what === undefined) {
        if (pid !== undefined) signalGroup(pid, "SIGKILL");
        exited.resolve({ exitCode: null, signal: "SIGKILL", isLost: true });
        resolve(Object.assign(new Error(STARTER_DIED), { code: STARTER_DIED }));
      } else if ("exited" in what) exited.resolve(what.exited);
      else if ("refused" in what) resolve(Object.assign(new Error(what.refused.message), what.refused));
      else if ("unreachable" in what) resolve(undefined);
      else {
        pid = what.pid;
        resolve({ pid, exited: exited.promise, input: undefined });
      }
    };
    const isAsked = streams !== undefined && startElsewhere({ file, args, cwd, env, streams }, tell);
    if (!isAsked) resolve(undefined);
  });
}

/** How another process of this user opens descriptors of this one; undefined where it cannot. */
function pathsOf({ child }: Stdio): (string | null)[] | undefined {
  if (process.platform !== "linux" || child.includes("pipe")) return undefined;
  return child.map(one => (typeof one === "number" ? `/proc/${process.pid}/fd/${one}` : null));
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
