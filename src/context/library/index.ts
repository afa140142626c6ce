export { type AddedDocument, addDocument } from "./add-document.ts";
export { noteAsked, usesIn, withAsked } from "./asked.ts";
export type { DocumentFiles, DocumentProblem } from "./files.ts";
export { growTree, newTree } from "./grow-tree.ts";
export { asksHandover, handoverIn, handoverRepair, joined, signalLast } from "./handover.ts";
export {
  documentInFile,
  type Ended,
  type FillSources,
  fillProblem,
  gather,
} from "./harvest.ts";
export { fillLabel } from "./labels.ts";
export {
  type Archive,
  createLibrary,
  type KeptOutput,
  type Library,
  type Summarizer,
  type TreeOptions,
} from "./library.ts";
export { createNodeLife, type NodeLife } from "./node-life.ts";
export { blocksIn, notAdded, scopeProblem, withAnswers } from "./not-added.ts";
export { documentsRead, packageFor } from "./package.ts";
export { isMute, keptKey, resultOf, unheardBy } from "./package-sources.ts";
export { createReaders, EXACT, type Reader, type Readers } from "./reader.ts";
export { artifactsOf, type ChangedFiles, levelRules, toldAt } from "./result-levels.ts";
export { resultText } from "./result-text.ts";
export { revertAttempt } from "./revert.ts";
export {
  type NodeAnswer,
  type NodeRefusal,
  type NodeWish,
  settleNode,
  settleNodeIn,
} from "./settle-node.ts";
export { UNUSED } from "./uses.ts";
export {
  type OutputMemory,
  roleOfTask,
  type Standing,
  shareIn,
  type TaskShare,
  type WindowUse,
  windowUse,
} from "./window-use.ts";
