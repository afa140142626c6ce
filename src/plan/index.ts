export { askedTasks, askResearch, carryAsked } from "./context/asked.ts";
export { pathProblem } from "./context/paths.ts";
export { draftedFile } from "./exchange/drafted-file.ts";
export { type Exported, exportStatus, type StatusChange } from "./exchange/export.ts";
export { type Foreign, readForeign } from "./exchange/foreign.ts";
export { FOREIGN_KINDS, type ForeignKind } from "./exchange/foreign-kinds.ts";
export { type Imported, importPlan } from "./exchange/import.ts";
export { expectedPaths } from "./expected-paths.ts";
export { isBuiltOn, tasksBefore } from "./graph/before.ts";
export { findCycles } from "./graph/cycles.ts";
export { criticalPath, type GraphOptions, levels, widestFront } from "./graph/graph.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { CANDIDATE_PATHS } from "./lookup.ts";
export { diffPlans, type PlanDiff } from "./output/diff.ts";
export { type DraftedText, draftedFacts, draftedText } from "./output/drafted.ts";
export { type PlanJson, planJson } from "./output/plan-json.ts";
export { renderDiagnostic } from "./output/render.ts";
export { taskFile } from "./output/task-file.ts";
export { valuesOf } from "./output/task-values.ts";
export { tickBoxes } from "./output/tick.ts";
export { formatOf, type ReadOptions, readPlan } from "./read.ts";
export { finding } from "./report.ts";
export { fieldName, type ValueKey } from "./syntax/fields.ts";
export { comparePhases } from "./syntax/phase.ts";
export { agentsNamed, triesOf } from "./tries.ts";
export type {
  ContextNodeDeclaration,
  Diagnostic,
  Phase,
  PhaseInfo,
  Plan,
  PlanFormat,
  Reading,
  Severity,
  Task,
  TaskKind,
} from "./types.ts";
