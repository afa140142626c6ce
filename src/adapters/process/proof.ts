import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { HAS_PROC } from "./proc-table.ts";

/** A process shows who it is by what stands in its own command line: no other can write there. */
export interface Shown {
  readonly pid: number;
  /** Takes it down again. */
  done(): void;
}

let turn: Promise<void> = Promise.resolve();

/** Shows a word in this process's own command line until `done`; one at a time. */
export async function show(word: string): Promise<Shown> {
  const before = turn;
  const { promise, resolve } = Promise.withResolvers<void>();
  turn = promise;
  await before;
  process.title = word;
  return {
    pid: process.pid,
    done() {
      process.title = process.argv.join(" ");
      resolve();
    },
  };
}

/** Whether a process shows exactly this word and nothing else. */
export async function shows(pid: number, word: string): Promise<boolean> {
  try {
    if (HAS_PROC) {
      const shown = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      // A title that is shorter than the command line it stands in is filled up with NULs.
      return shown === word.padEnd(shown.length, "\0");
    }
    const { stdout } = await promisify(execFile)("/bin/ps", ["-ww", "-o", "command=", "-p", `${pid}`]);
    return stdout.trim() === word;
  } catch {
    return false;
  }
}
