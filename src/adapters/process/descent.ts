import { readFileSync } from "node:fs";

/** A process that was begun, and how many processes and threads had been begun on the machine before it. */
export interface Beginning {
  readonly pid: number;
  readonly begun: number;
}

/** The least number below which Linux gives numbers anew. */
const LEAST_LIMIT = 32_768;

/** How many processes and threads were begun since the machine was started; undefined where the system does not tell. */
export function countBegun(): number | undefined {
  try {
    const stat = readFileSync("/proc/stat", "latin1");
    const begun = Number.parseInt(stat.slice(stat.indexOf("\nprocesses ") + "\nprocesses ".length), 10);
    return begun > 0 ? begun : undefined;
  } catch {
    return undefined;
  }
}

function limitOfPids(): number {
  try {
    return Number(readFileSync("/proc/sys/kernel/pid_max", "latin1")) || LEAST_LIMIT;
  } catch {
    return LEAST_LIMIT;
  }
}

/**
 * Which numbers this process and all that was begun after it can have. Numbers are given in turn, those in use are passed over: none
 * below its own, unless so many were begun meanwhile that they may have started anew; then any.
 */
export function begunSince(
  first: Beginning | undefined,
  begunNow: number | undefined = countBegun(),
  limit: number = limitOfPids(),
): (pid: number) => boolean {
  if (first === undefined || begunNow === undefined) return () => true;
  const later = begunNow - first.begun;
  return later >= 0 && 2 * later < limit - first.pid ? pid => pid >= first.pid : () => true;
}
