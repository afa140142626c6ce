import type { Locale } from "../text/index.ts";

/** The process as the commands see it: streams, arguments' world, and how to leave. */
export interface Io {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  /** The language asked for by `--locale`. */
  readonly locale?: Locale | undefined;
  /** A program reads the output: the language of the environment changes nothing of it. */
  readonly isForPrograms?: boolean;
}

/** The real process. */
export function processIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    // Opened by who reads it: Node loads milliseconds of modules for it.
    get stdin() {
      return process.stdin;
    },
  };
}

/** The same world but for `changes`; what nobody asks for is not opened. */
export function changed(io: Io, changes: Partial<Io>): Io {
  return Object.assign(Object.create(io) as Io, changes);
}

/** Whether a person can be asked: both ends are a terminal. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && io.stdout.isTTY === true && io.env["CI"] === undefined;
}

/** Writes one line to standard output. */
export function say(io: Io, line: string): void {
  io.stdout.write(`${line}\n`);
}

/** Writes one line to standard error. */
export function warn(io: Io, line: string): void {
  io.stderr.write(`${line}\n`);
}

/** Prints a value as JSON in one line; `mask` is how `JSON.stringify` is told to change values. */
export function sayJsonLine(io: Io, value: unknown, mask?: (key: string, value: unknown) => unknown): void {
  say(io, JSON.stringify(value, mask));
}

/** Prints a value as JSON. */
export function sayJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
