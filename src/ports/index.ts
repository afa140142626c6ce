export type {
  Agent,
  AgentEvent,
  AgentFailure,
  AgentLimits,
  AgentProbe,
  AgentSession,
  AgentUsage,
  SessionRequest,
  TurnEnd,
} from "./agent.ts";
export type { Clock } from "./clock.ts";
export { EspalierError, EXIT, type ExitCode } from "./error.ts";
export type { RunEvent, RunOutcome, StampedEvent } from "./event.ts";
export { fail, ok, type Result } from "./result.ts";
export type {
  AttemptRow,
  Change,
  RunRow,
  Store,
  StoredRun,
  StoreFailure,
  TaskRow,
  TaskStatus,
} from "./store.ts";
