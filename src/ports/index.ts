export type {
  Agent,
  AgentAbilities,
  AgentEvent,
  AgentFailure,
  AgentLimits,
  AgentLogin,
  AgentProbe,
  AgentSession,
  AgentTerms,
  AgentUsage,
  McpServer,
  PermissionAnswer,
  PermissionQuestion,
  SessionRequest,
  ToolHook,
  ToolKind,
  TurnEnd,
} from "./agent.ts";
export {
  AGENT_NAMES,
  agentCalled,
  HELD_BY_KIND,
  KNOWN_AGENTS,
  type KnownAgent,
  WITHOUT_EFFORT,
  WITHOUT_SERVERS,
} from "./agent-names.ts";
export type { AgentRefusalArgs, FileTrouble } from "./agent-refusal.ts";
export type { AgentProblem, AgentTurnArgs } from "./agent-turn.ts";
export { type AnswerArgs, TASK_ACTS, type TaskAct } from "./answer.ts";
export type { BlockProblem } from "./block-problem.ts";
export type { CallRefusalArgs } from "./call-refusal.ts";
export { attemptTokens, candidateToken, MOST_TRIES } from "./candidates.ts";
export { type ByteMask, cappedLog, type OutputLog } from "./capped-log.ts";
export type { Clock } from "./clock.ts";
export type {
  ContextChange,
  ContextLogEntry,
  ContextLogRow,
  ContextRows,
  DocumentRow,
  LabelRow,
  NodeRow,
  NodeStatus,
  ReceiptRow,
  StoredContext,
  TeammateRow,
  VersionRow,
} from "./context-rows.ts";
export { EspalierError, EXIT, type ExitCode } from "./error.ts";
export type { RunEvent, RunOutcome, StampedEvent } from "./event.ts";
export {
  type AgentFacts,
  type Fleet,
  type FleetFailure,
  HERE,
  type Machine,
  type Order,
  type OrderCalls,
  type OrderEvent,
  type OrderMessage,
  type Report,
  type Waits,
} from "./fleet.ts";
export type { GitReasonArgs } from "./git-reason.ts";
export type { HubRefusalArgs, HubSaid, HubSilence } from "./hub-refusal.ts";
export type { Loss, LossKind, MachineReasonArgs, MachineRefusal } from "./machine-reason.ts";
export type { Model, ModelAnswer, ModelFailure, ModelQuestion, ModelUsage } from "./model.ts";
export { few, type Names } from "./names.ts";
export type { NewsArgs, UnreadFile } from "./news.ts";
export type { Notice, NoticeMessage, NoticeSummary, Notifier } from "./notifier.ts";
export {
  type Broken,
  type BudgetLeft,
  type BudgetUse,
  because,
  type CommandEnd,
  fromEarlier,
  type NoPerson,
  type OneFolder,
  type Reason,
  type ReasonArgs,
  type ReasonCode,
  sameReason,
  type VcsProblem,
  type WeakerTests,
} from "./reason.ts";
export type { RefReasonArgs } from "./ref-reason.ts";
export type { KnownCopy, LeadFace, NotOwn, RefusalArgs, Stranger, UnderWay } from "./refusal.ts";
export { fail, ok, type Result } from "./result.ts";
export type {
  StateDamage,
  StateDamageKind,
  StateFieldProblem,
  StateNewsArgs,
  StateOddity,
} from "./state-news.ts";
export type {
  AttemptRow,
  AttemptSpan,
  AttemptUsage,
  Change,
  RunRow,
  Store,
  StoredRun,
  TaskRow,
  TaskStatus,
  UsageRow,
} from "./store.ts";
export { LEAD, TASK_STATUSES } from "./store.ts";
export type { StoreFailure } from "./store-failure.ts";
export { addUsage, amountsOf } from "./usage.ts";
export type {
  Authorship,
  BroughtUp,
  Conflict,
  FolderRequest,
  GoneRef,
  Landed,
  LandedAttempt,
  LandRequest,
  LeftWork,
  Merged,
  MergeRequest,
  OwnBranch,
  ProvedWork,
  PutOnTip,
  RecordRequest,
  Rejoined,
  Rescued,
  RetireRequest,
  Snapshot,
  Strayed,
  Vcs,
  VcsFailure,
  WorkFolder,
} from "./vcs.ts";
export { OBJECT_ID } from "./vcs.ts";
