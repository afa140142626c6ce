export { carryOut } from "./carry-out.ts";
export { ContextCommand, type ContextReply, type LabelEvent } from "./command.ts";
export {
  createDesk,
  type Desk,
  type DeskMessage,
  type DeskOptions,
  type DeskText,
  type HeardStep,
  type LeadDraft,
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
