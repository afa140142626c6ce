export {
  type Artifact,
  type ArtifactIndex,
  type ArtifactRoom,
  type ArtifactStatus,
  artifactText,
} from "./artifacts.ts";
export {
  type Contract,
  type ContractProblem,
  type ContractReading,
  type Handover,
  handoverText,
  handoverWithin,
  type NextAgent,
  type Option,
  readContract,
  type VsLevel,
  withoutHandover,
} from "./contract/index.ts";
export {
  type Check,
  checkContract,
  compareChecks,
  failures,
  modeCollapse,
} from "./evaluation/checks.ts";
export { offersOf, type SummaryOptions, summarize, summaryKey } from "./level.ts";
export { SUMMARY_FORMAT } from "./limits.ts";
export {
  type Condensed,
  type CondenseOptions,
  condense,
  type DigestState,
  type Refusal,
} from "./model/condense.ts";
export type { Digest } from "./model/digest.ts";
export { type KeptDigest, readKeptDigest, writeKeptDigest } from "./model/kept.ts";
export { summarizeWith } from "./model/level.ts";
export { readSource } from "./source.ts";
export {
  type ConfiguredTemplates,
  configuredRules,
  defaultRules,
  type LevelRule,
  type LevelRules,
  templateLevel,
  templateProblems,
} from "./template/index.ts";
export type { Level, Source, Summary, SummaryLevel } from "./types.ts";
