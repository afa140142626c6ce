import { closeSync, constants, existsSync, mkdirSync, openSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { callHere } from "./call-program.ts";
import { findProgram } from "./find-program.ts";
import { orphanedCallsEnd } from "./orphaned-calls.ts";
import { CALL_LOST, callProgram } from "./start-caller.ts";
import { temporaryPath } from "./temporary.ts";

/** Both ends of a pipe, as file descriptors in blocking mode. */
export interface Fifo {
  readonly read: number;
  readonly write: number;
}

/** Made at once: `mkfifo` is a process, and sixteen cost no more than one. */
const BATCH = 16;

/** Milliseconds in which they are made, or never. */
const LONGEST = 10_000;

const spare: Fifo[] = [];
let filling: Promise<number> | undefined;

/**
 * A pipe that can be opened by name (`/dev/stderr`), which the socket pairs Node makes cannot. Undefined where this
 * system has none. Throws what the operating system says (EMFILE …).
 */
export async function takeFifo(): Promise<Fifo | undefined> {
  if (process.platform !== "linux") return undefined;
  for (;;) {
    const fifo = spare.pop();
    if (fifo !== undefined) return fifo;
    filling ??= fill().finally(() => {
      filling = undefined;
    });
    if ((await filling) === 0) return undefined;
  }
}

async function fill(): Promise<number> {
  const folder = temporaryPath();
  mkdirSync(folder, { mode: 0o700 });
  const paths = Array.from({ length: BATCH }, (_, index) => join(folder, `${index}`));
  try {
    if (!(await makeFifos(paths))) return 0;
    for (const path of paths) spare.push(openBothEnds(path));
    return paths.length;
  } finally {
    // Opened pipes need no name. Not `rmSync`: it needs a descriptor, and there may be none.
    for (const path of paths) attempt(() => unlinkSync(path));
    attempt(() => rmdirSync(folder));
  }
}

/** Tidying up must not hide the error that is on its way. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The file was never made.
  }
}

/** False when this system cannot make them here. */
async function makeFifos(paths: readonly string[]): Promise<boolean> {
  const path = process.env["PATH"];
  const maker = findProgram("mkfifo", { path });
  if (!maker.ok) return false;
  const args = ["-m", "600", ...paths];
  const limits = { longestMs: LONGEST, mostBytes: 65_536 };
  const env = path === undefined ? {} : { PATH: path };
  const call = { file: maker.value, args, cwd: "/", env, input: "", ...limits };
  const end = await callProgram(call);
  if (end !== CALL_LOST) return end.code === 0;
  // Some may be there, and somebody may still be making the rest.
  await orphanedCallsEnd();
  const missing = paths.filter(path => !existsSync(path));
  if (missing.length === 0) return true;
  return (await callHere({ ...call, args: ["-m", "600", ...missing] })).code === 0;
}

/** Opening one end alone would wait for somebody at the other. */
function openBothEnds(path: string): Fifo {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let read: number | undefined;
  try {
    read = openSync(path, constants.O_RDONLY);
    return { read, write: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    if (read !== undefined) closeSync(read);
    throw error;
  } finally {
    closeSync(both);
  }
}
