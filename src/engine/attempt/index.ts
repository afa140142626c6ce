export { startAttempt } from "./attempt.ts";
export { DEFAULT_TREE } from "./briefing.ts";
export { type Execution, execute } from "./execution.ts";
export { type Remains, recover, remainsIn } from "./harvest.ts";
export { failedCheck, prove, whyNot } from "./proof.ts";
export { agentName, newestOfEach, openAttemptRow, RESERVED } from "./row.ts";
export type { AttemptResult, RunningAttempt } from "./types.ts";
