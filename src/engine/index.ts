export {
  type Answer,
  agentName,
  answerOf,
  askAgent,
  candidatesOf,
  type Execution,
  execute,
  failedCheck,
  isAgent,
  type KnownAgents,
  keptWork,
  onlyTurn,
  openAttemptRow,
  proofCommands,
  prove,
  RESERVED,
  type Remains,
  type Reviewer,
  recover,
  reviewEnv,
  reviewerOf,
  whyFailed,
} from "./attempt/index.ts";
export { tickedIn, tickTasks } from "./boxes.ts";
export { awaitsReviewOf, rowAfter, sentBackTo } from "./decisions.ts";
export { letGo } from "./earlier.ts";
export { Engine } from "./engine.ts";
export { hardenStop } from "./harden-stop.ts";
export { Journal, type RunFacts } from "./journal.ts";
export type { Draft, EngineEnd, History } from "./letters.ts";
export {
  maskedDocuments,
  maskedFleet,
  maskedReason,
  maskedTexts,
  maskedWorkspaces,
  maskedWorld,
} from "./masked.ts";
export { checkPhase } from "./phase-settler.ts";
export type { OutOfQuota } from "./pool.ts";
export { type Asked, createQuestions, type QuestionRules, type Questions } from "./questions.ts";
export { completedTasks, phaseRequest } from "./run-phases.ts";
export {
  createSpendLedger,
  estimatedOf,
  modelsSpentBy,
  packageSpend,
  reviewersSpentBy,
  spentBy,
  totalSpend,
} from "./spent.ts";
export { thinStateJson } from "./thin-state.ts";
export { takenUp } from "./waiting.ts";
export {
  branchesOfPhases,
  createWorkspaces,
  isNamedBy,
  isPhaseBranch,
  type NameRules,
  phaseNames,
  projectWord,
  type StopSignals,
  taskNames,
  type WorkspaceRules,
  type Workspaces,
} from "./workspaces/index.ts";
export type {
  EndedPhase,
  EngineOptions,
  ReviewRules,
  ShellEnd,
  ShellRequest,
  StateFiles,
  TaskFile,
  World,
} from "./world.ts";
