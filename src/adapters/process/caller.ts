/**
 * A program, not a module: calls programs for a process that has grown large. To start anything the kernel copies a
 * process's page tables, and takes as long as there is memory; this one stays small. It lives as long as its channel.
 */
import { type CallEnd, callHere, type ProgramCall } from "./call-program.ts";
import { endAtOnce } from "./end-at-once.ts";

/** What it is asked, and what it answers; several calls may be under way. */
export interface Asked {
  readonly id: number;
  readonly call: ProgramCall;
}
export interface Answered {
  readonly id: number;
  readonly end: CallEnd;
}

// Ctrl+C in a terminal is for the one that asks.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(signal, () => {});

const parent = process.ppid;
process.on("disconnect", endAtOnce);
process.on("message", ({ id, call }: Asked) => {
  // What it asked for before it was killed is not begun afterwards.
  if (process.ppid !== parent) endAtOnce();
  void callHere(call).then(end => process.send?.({ id, end } satisfies Answered));
});
