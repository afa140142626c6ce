export {
  EspalierError,
  type Reason,
  type RunEvent,
  type RunOutcome,
  type StampedEvent,
} from "../ports/index.ts";
export { reasonText } from "../text/index.ts";
export { openProject } from "./api/open-project.ts";
export type {
  Project,
  ProjectRequest,
  Published,
  PublishOptions,
  Run,
  RunOptions,
  RunResult,
  RunStatus,
  SharedContext,
  SharedDocument,
  TaskFileReading,
  Wanted,
} from "./api/types.ts";
