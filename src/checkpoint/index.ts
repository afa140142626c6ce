export { checkCheckpoint, type Departure } from "./check.ts";
export { type TaskClaims, taskClaims } from "./completed.ts";
export { composeCheckpoint } from "./compose.ts";
export { bridge, type Created, type CreateFailure, type CreateRequest, createCheckpoint } from "./create.ts";
export { applyDelta, checkDelta, type DeltaRefusal, misTold, proveDelta } from "./delta-check.ts";
export { type DeltaDocument, type InlineDelta, inlineDeltas, readDelta } from "./delta-read.ts";
export {
  type Named,
  type WriteFailure,
  type WriteOptions,
  type WrittenDelta,
  writeDelta,
} from "./delta-write.ts";
export { type Changed, type Differences, differences } from "./differences.ts";
export {
  bodyOfPart,
  type Checkpoint,
  conflictLine,
  type Head,
  itemsOfPart,
  parseCheckpoint,
  printCheckpoint,
  type Tile,
  tablesOfPart,
} from "./document.ts";
export type { Entry } from "./entries.ts";
export { type Findings, readFindings } from "./findings.ts";
export { type Field, type FrontMatter, readFrontMatter } from "./front-matter.ts";
export {
  type Folder,
  type History,
  type Link,
  type Problem,
  problem,
  type Standing,
  type State,
  standingOf,
  studyHistory,
} from "./history.ts";
export { checkIndex, INDEX_FILE, writeIndex } from "./index-file.ts";
export { isIsoTime } from "./iso-time.ts";
export { ARCHIVE, type FolderFile, listedLink, listedState } from "./listing.ts";
export {
  type MergedCheckpoint,
  type MergeOptions,
  mergeCheckpoint,
  RECENT_STEPS,
  withIdentity,
} from "./merge.ts";
export type { MergeConflict } from "./merged.ts";
export { checkpointId, deltaId, deltaName, isCheckpointId, nextId, numberOf } from "./names.ts";
export { withOwnIds } from "./own-ids.ts";
export { type Part, partOf } from "./parts.ts";
export { type PruneKind, type PrunePlan, planPrune } from "./prune.ts";
export {
  findRoute,
  type Replayed,
  type ReplayFailure,
  type Route,
  rebuild,
  replay,
  type Texts,
} from "./replay.ts";
export type { Row, Table } from "./table.ts";
export type {
  Identity,
  Work,
  WorkCrumb,
  WorkDecision,
  WorkFile,
  WorkPhase,
  WorkStep,
  WorkTask,
} from "./work.ts";
