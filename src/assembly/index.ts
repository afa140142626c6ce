export { assemble } from "./assemble.ts";
export { type FittedDiff, fitDiff, pathsInDiff } from "./fit-diff.ts";
export { createLayouts, type Layouts } from "./layout.ts";
export { updateBetweenTurns } from "./render.ts";
export { furtherBack } from "./results.ts";
export {
  type AskedPart,
  type Bound,
  type CitedPart,
  type ContextPackage,
  type CountTokens,
  type LivePart,
  type Outlook,
  PACKAGE_LIMITS,
  type PackageAttempt,
  type PackageDocument,
  type PackageLimits,
  type PackageNode,
  type PackageReceipt,
  type PackageRequest,
  type PackageResult,
  type PartKind,
  type PartLevel,
  type PartReason,
  type ReceiptPart,
  type SourceForm,
  type SourceLevels,
} from "./types.ts";
