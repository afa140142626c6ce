export { carryOut } from "./carry-out.ts";
export { ContextCommand, type ContextReply, type LabelEvent } from "./command.ts";
export { createDesk } from "./create-desk.ts";
export type {
  Desk,
  DeskMessage,
  DeskOptions,
  DeskText,
  FreezeOptions,
  HeardStep,
  LeadDraft,
} from "./desk.ts";
export { immediateLedger } from "./ledger.ts";
export type { DeskFailure } from "./stock.ts";
export {
  type ContextStep,
  type ContextWork,
  changesNothing,
  joinSteps,
  type Ledger,
  together,
} from "./work.ts";
