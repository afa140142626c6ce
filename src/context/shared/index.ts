export { carryOut } from "./carry-out.ts";
export { ContextCommand, type ContextReply, type LabelEvent } from "./command.ts";
export { createSharedContext } from "./create-shared-context.ts";
export type { ContextFailure } from "./labels.ts";
export { immediateLedger } from "./ledger.ts";
export type {
  ContextMessage,
  FreezeOptions,
  HeardStep,
  LeadDraft,
  SharedContext,
  SharedContextOptions,
  VersionText,
} from "./shared-context.ts";
export {
  type ContextStep,
  type ContextWork,
  changesNothing,
  joinSteps,
  type Ledger,
  together,
} from "./work.ts";
