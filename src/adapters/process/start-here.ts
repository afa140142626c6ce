import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

/** A program to be started for another process, in a session and group of its own. */
export interface ProgramStart {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where its descriptors are opened, from 0 on, as paths that lead to those of who asks; null for none. */
  readonly streams: readonly (string | null)[];
}

/** What becomes of a start. */
export type Started =
  | { readonly pid: number }
  | { readonly refused: { readonly code: string; readonly message: string } }
  /** Its streams cannot be opened from here; nothing was begun. */
  | { readonly unreachable: true }
  | { readonly exited: { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null } };

/** Opens the end of a pipe to be written to. With nobody at the other end that would wait for ever: here stands somebody meanwhile. */
function openToWrite(path: string): number {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    return openSync(path, constants.O_WRONLY);
  } finally {
    closeSync(both);
  }
}

/** Starts a program from this very process; tells once how that went, and once more when what began has ended. Never throws. */
export function startHere(start: ProgramStart, tell: (what: Started) => void): void {
  const { file, args, cwd, env, streams } = start;
  const opened: number[] = [];
  const refuse = (error: NodeJS.ErrnoException) =>
    tell({ refused: { code: error.code ?? "", message: error.message } });
  try {
    for (const [at, path] of streams.entries())
      if (path !== null) opened[at] = at === 1 || at === 2 ? openToWrite(path) : openSync(path, "r");
  } catch {
    closeAll(opened);
    tell({ unreachable: true });
    return;
  }
  try {
    const stdio = streams.map((_, at) => opened[at] ?? ("ignore" as const));
    const child = spawn(file, args, { cwd, env, stdio, detached: true });
    if (child.pid !== undefined) {
      tell({ pid: child.pid });
      child.once("exit", (exitCode, signal) => tell({ exited: { exitCode, signal } }));
      // Later ones are failed kills, of which there are none here; unheard they would end this process.
      child.on("error", () => {});
    } else child.once("error", refuse);
  } catch (error) {
    refuse(error as NodeJS.ErrnoException);
  } finally {
    closeAll(opened);
  }
}

function closeAll(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) if (descriptor !== undefined) closeSync(descriptor);
}
