export { createGrounds, type GroundRules } from "./grounds.ts";
export { phaseNames, taskNames } from "./names.ts";
export type {
  Ground,
  GroundRequest,
  Grounds,
  LandedGround,
  PhaseEnd,
  PhaseEndRequest,
  PhaseRequest,
} from "./types.ts";
