export { agentName, openAttemptRow } from "./attempt-row.ts";
export { tickTasks } from "./boxes.ts";
export { type Draft, Engine, type EngineEnd, type History } from "./engine.ts";
export { Journal, type RunFacts } from "./journal.ts";
export { prove } from "./proof.ts";
export { textHash } from "./text-hash.ts";
export { thinStateJson } from "./thin-state.ts";
export type { EngineOptions, ShellEnd, ShellRequest, StateFiles, TaskFile, World } from "./world.ts";
