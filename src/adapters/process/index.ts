export { adopterOf } from "./adopter.ts";
export { agentEnv } from "./agent-env.ts";
export { attemptEnv } from "./attempt-env.ts";
export { afterContinuation, type ByteTail, createByteTail, lastLine } from "./byte-tail.ts";
export { type CallEnd, callHere, type ProgramCall } from "./call-program.ts";
export { callAfter, callAfterSilence, pause, within } from "./deadlines.ts";
export { endCalls } from "./end-calls.ts";
export { DEFAULT_PATH, type FindOptions, findCommand, findProgram } from "./find-program.ts";
export { beganAt, lineOf, processClock, whoStarted } from "./line.ts";
export { createLineSplitter, LINE_LIMIT, type LineSink, type LineSplitter } from "./line-splitter.ts";
export {
  attemptMarker,
  instanceAt,
  instanceMarker,
  type Marker,
  markedEnv,
  placeMarker,
  WORKER_SOCKET,
} from "./markers.ts";
export { endOrphanedCalls, orphanedCallsEnd } from "./orphaned-calls.ts";
export { findMarked, isForeground } from "./proc-table.ts";
export { show, shows } from "./proof.ts";
export {
  type EndCause,
  type GroupWatch,
  type ProcessEnd,
  type RunningProcess,
  type RunOptions,
  runProcess,
} from "./run-process.ts";
export { runShellCommand, type ShellCommand, type ShellCommandEnd } from "./run-shell-command.ts";
export { findShell, type Shell, shellProgram } from "./shell-program.ts";
export { folderProblem, lostFailure } from "./spawn-failure.ts";
export { CALL_LOST, callProgram } from "./start-caller.ts";
export type { OnOutput, Program } from "./start-program.ts";
export { startWarden, type Warden } from "./start-warden.ts";
export { type Sweep, sweep } from "./sweep.ts";
