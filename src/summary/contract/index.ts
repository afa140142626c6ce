export {
  type Handover,
  type HandoverField,
  type HandoverPart,
  handoverText,
  handoverWithin,
  type WithHandover,
  withoutHandover,
} from "./handover.ts";
export { contractOf, readContract } from "./read.ts";
export type { Contract, ContractProblem, ContractReading, NextAgent, Option, VsLevel } from "./types.ts";
export { lineOf } from "./values.ts";
