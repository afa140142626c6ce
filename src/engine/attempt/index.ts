export { startAttempt } from "./attempt.ts";
export { DEFAULT_TREE } from "./briefing.ts";
export { failedCheck, whyFailed } from "./check.ts";
export { type Execution, execute } from "./execution.ts";
export { onlyTurn } from "./follow.ts";
export { type Remains, recover, remainsIn } from "./harvest.ts";
export { prove } from "./proof.ts";
export { proofCommands } from "./proof-commands.ts";
export { awaitedReview, isStillAsked, keptWork } from "./proved.ts";
export { type Answer, answerOf, askAgent, type Reviewer, reviewEnv, reviewerOf } from "./reviewer.ts";
export {
  agentName,
  candidatesOf,
  isAgent,
  type KnownAgents,
  newestOfEach,
  openAttemptRow,
  RESERVED,
} from "./row.ts";
export type { AttemptResult, Baseline, Other, RunningAttempt, SentBack } from "./types.ts";
