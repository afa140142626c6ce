export { alike } from "./alike.ts";
export { LEFT_OUT, TEXT_CHANGED } from "./edits.ts";
export { type AgentEstimate, type Amount, estimateRun, type PastTask, type RunEstimate } from "./estimate.ts";
export {
  actionsFor,
  type Blockage,
  blockages,
  byPhase,
  heldPhase,
  type PhaseFacts,
  type Tally,
  type TaskFacts,
  tally,
  taskFacts,
} from "./facts.ts";
export { type LegacyFailure, type LegacyState, type LegacyTask, readLegacyState } from "./legacy-state.ts";
export { standing } from "./outcome.ts";
export { covers } from "./paths.ts";
export { countedTasks, isGated, passesGate } from "./phases.ts";
export { backoff, DEFAULT_POLICY, MAX_WAIT_MS, type ResourceRules, type RunPolicy } from "./policy.ts";
export type { AttemptOutcome, RunCommand, RunInput, StepResult, TaskAction } from "./protocol.ts";
export { allowedFront, capFor, capsOfWork, resourcesOf, useResources } from "./resources.ts";
export {
  freshRun,
  type MetConflict,
  pauseChanged,
  type RestoreOptions,
  restoreRun,
  shownRun,
  taskRow,
  waitUntil,
} from "./restore.ts";
export { judgeReview, NO_FINDINGS, type Opinion } from "./review.ts";
export { type Saturation, saturation } from "./saturation.ts";
export {
  type Claim,
  fenceClosed,
  type Judgement,
  judgeMessage,
  REASON_LENGTH,
  type SignalRules,
  withoutSignals,
} from "./signals.ts";
export { type AttemptSpend, packageTokens, type Spending, toldTokens } from "./spend-state.ts";
export {
  createSpending,
  expectSpend,
  promiseSpend,
  spendingReason,
} from "./spending.ts";
export { inScope, isBroken, isEnded, isSatisfied, type PhaseState, type RunState } from "./state.ts";
export { step } from "./step.ts";
export type { TaskState } from "./task-state.ts";
export {
  MAX_LISTED,
  type NextMove,
  nextAnswer,
  nextMove,
  readyGroups,
  type ThinTask,
  thinLine,
  thinTask,
} from "./thin.ts";
export { type TimeLeft, timeLeft } from "./time-left.ts";
export { weakerTasks } from "./weaker.ts";
