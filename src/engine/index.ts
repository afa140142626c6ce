export {
  agentName,
  openAttemptRow,
  prove,
  RESERVED,
  type Remains,
  recover,
  whyNot,
} from "./attempt/index.ts";
export { tickedIn, tickTasks } from "./boxes.ts";
export { Engine } from "./engine.ts";
export {
  createGrounds,
  type GroundRules,
  type Grounds,
  phaseNames,
  taskNames,
} from "./grounds/index.ts";
export { Journal, type RunFacts } from "./journal.ts";
export type { Draft, EngineEnd, History } from "./letters.ts";
export {
  maskedAgent,
  maskedDocuments,
  maskedGrounds,
  maskedReason,
  maskedTexts,
  maskedWorld,
} from "./masked.ts";
export { checkPhase } from "./phase-settler.ts";
export { type Asked, createQuestions, type Questions } from "./questions.ts";
export { completedTasks, phaseRequest } from "./run-phases.ts";
export { createSpendLedger, modelsSpentBy, packageSpend, spentBy } from "./spent.ts";
export { thinStateJson } from "./thin-state.ts";
export type { EngineOptions, ShellEnd, ShellRequest, StateFiles, TaskFile, World } from "./world.ts";
