/**
 * A program, not a module: calls and starts programs for a process that has grown large. To start anything the kernel copies a
 * process's page tables, and takes as long as there is memory; this one stays small. It lives as long as its channel.
 */
import { type CallEnd, callHere, type ProgramCall } from "./call-program.ts";
import { endAtOnce } from "./end-at-once.ts";
import { type ProgramStart, type Started, startHere } from "./start-here.ts";

/** What it is asked; several calls may be under way. */
export type Asked = { readonly id: number } & (
  | { readonly call: ProgramCall }
  | { readonly start: ProgramStart }
  // Nothing: whether it is there.
  | { readonly call?: undefined }
);
type What = { readonly end: CallEnd } | Started | { readonly isHere: true };
/** What it answers: a call once, a start as it begins and, where it began, as it ends. */
export type Answered = { readonly id: number } & What;

// Ctrl+C in a terminal is for the one that asks.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(signal, () => {});

const parent = process.ppid;
process.on("disconnect", endAtOnce);
process.on("message", (asked: Asked) => {
  // What it asked for before it was killed is not begun afterwards.
  if (process.ppid !== parent) endAtOnce();
  const { id } = asked;
  const answer = (what: What) => process.send?.({ id, ...what } satisfies Answered);
  if ("start" in asked) startHere(asked.start, answer);
  else if (asked.call === undefined) answer({ isHere: true });
  else void callHere(asked.call).then(end => answer({ end }));
});
