export { findCycles } from "./cycles.ts";
export { diffPlans, type PlanDiff } from "./diff.ts";
export { criticalPath, type GraphOptions, levels, widestFront } from "./graph.ts";
export { type PlanJson, planJson } from "./json.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { CANDIDATE_PATHS } from "./lookup.ts";
export { comparePhases } from "./phase.ts";
export { type ReadOptions, readPlan } from "./read.ts";
export { renderDiagnostic } from "./render.ts";
export { tickBoxes } from "./tick.ts";
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
