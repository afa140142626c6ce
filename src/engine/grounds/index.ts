export { createGrounds } from "./grounds.ts";
export { phaseNames, taskNames } from "./names.ts";
export type {
  CompletedTask,
  Ground,
  GroundRequest,
  Grounds,
  LandedGround,
  PhaseEnd,
  PhaseEndRequest,
  PhaseRequest,
} from "./types.ts";
export { vcsReason } from "./vcs-reason.ts";
export type { GroundRules } from "./yard.ts";
