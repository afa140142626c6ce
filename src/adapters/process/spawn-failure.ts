import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import type { AgentFailure } from "../../ports/index.ts";

/** In place of a code of the operating system. */
export const STARTER_DIED = "STARTER_DIED";

/** Passing shortages: the same start can work a moment later. */
const SHORTAGES: Readonly<Record<string, string>> = {
  [STARTER_DIED]: "the process of Espalier's that starts programs has died",
  EAGAIN: "the limit of processes is reached",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
  ENOMEM: "memory is short",
  ENOSPC: "the disk of the temporary folder is full",
  EDQUOT: "the disk quota of the temporary folder is used up",
};

/** Reasons that lie in the program's file. */
const UNUSABLE: Readonly<Record<string, string>> = {
  EACCES: "it is not executable, or a folder on its path is closed to this user",
  EPERM: "this user may not execute it",
  ENOEXEC: "it is no program for this machine: built for another one, or a script without a `#!` line",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "its path is a circle of symbolic links",
  EISDIR: "it is a folder",
  ETXTBSY: "it is being written",
};

/** What a failed start means: which program, why, and whether trying again can help. */
export function spawnFailure(error: unknown, file: string, cwd: string): AgentFailure {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const shortage = SHORTAGES[code];
  if (shortage !== undefined) {
    return { kind: "spawn", message: `cannot start ${file} now: ${shortage} (${code})`, retryable: true };
  }
  const folder = folderProblem(cwd);
  if (folder !== undefined) return folder;
  if (code === "ENOENT") {
    const why = existsSync(file)
      ? "the interpreter its first line or its build names is missing"
      : "no such file";
    return { kind: "not-found", message: `cannot start ${file}: ${why} (${code})`, retryable: false };
  }
  const unusable = UNUSABLE[code];
  if (unusable !== undefined) {
    return { kind: "not-found", message: `cannot start ${file}: ${unusable} (${code})`, retryable: false };
  }
  return { kind: "spawn", message: `cannot start ${file}: ${message}`, retryable: false };
}

/** What it means that a process had to be ended because nobody would have heard of its end. */
export function lostFailure(file: string): AgentFailure {
  const message = `${file} was ended: ${SHORTAGES[STARTER_DIED]} (${STARTER_DIED})`;
  return { kind: "spawn", message, retryable: true };
}

/** What it means that a child's streams could not be made. */
export function stdioFailure(error: unknown): AgentFailure {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const shortage = SHORTAGES[code];
  return {
    kind: "spawn",
    message: `cannot prepare a process in ${tmpdir()}: ${shortage ?? message} (${code})`,
    retryable: shortage !== undefined,
  };
}

/** A failure when there is no folder to work in: the operating system reports that as a missing program. */
export function folderProblem(cwd: string): AgentFailure | undefined {
  let what = "does not exist";
  try {
    const stat = statSync(cwd, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return undefined;
    if (stat !== undefined) what = "is not a folder";
  } catch (error) {
    what = `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
  return { kind: "spawn", message: `the folder to work in ${what}: ${cwd}`, retryable: false };
}
