export {
  branchesOfPhases,
  isNamedBy,
  isPhaseBranch,
  type NameRules,
  phaseNames,
  projectWord,
  taskNames,
} from "./names.ts";
export { isMain, type WorkspaceRules } from "./state.ts";
export type {
  Candidate,
  CompletedTask,
  PhaseEnd,
  PhaseEndRequest,
  PhaseRequest,
  StopSignals,
  Workspace,
  WorkspaceRequest,
  Workspaces,
} from "./types.ts";
export { vcsReason } from "./vcs-reason.ts";
export { createWorkspaces } from "./workspaces.ts";
