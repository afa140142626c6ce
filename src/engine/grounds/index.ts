export { createGrounds, type GroundRules } from "./grounds.ts";
export { featureIn, idWord, type NameRules, type Names, phaseNames, taskNames } from "./names.ts";
export type {
  Ground,
  GroundRequest,
  Grounds,
  LandedGround,
  PhaseEnd,
  PhaseEndRequest,
  PhaseRequest,
} from "./types.ts";
