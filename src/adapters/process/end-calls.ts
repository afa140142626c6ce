import { callNoMore } from "./call-program.ts";
import { pause } from "./deadlines.ts";
import { findCallsOf } from "./proc-table.ts";
import { callerPid } from "./start-caller.ts";

/** Milliseconds for what was called to end by itself, and again for the kernel to end it. */
const PATIENCE = 500;

/**
 * Ends the programs that this process, or the small one that calls for it, has called for what they say and that have not ended:
 * for a process that leaves and whose answers nobody waits for any more. Git takes its locks away on SIGTERM. None is called
 * afterwards. Never throws.
 */
export async function endCalls(): Promise<void> {
  callNoMore();
  const left = () => findCallsOf([process.pid, callerPid()].filter(pid => pid !== undefined));
  try {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      for (const pid of left()) end(pid, signal);
      const until = performance.now() + PATIENCE;
      while (left().length > 0 && performance.now() < until) await pause(20);
    }
  } catch {
    // Files or memory are too short to look.
  }
}

/** Sends a signal to a program that may have ended by itself. */
export function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
