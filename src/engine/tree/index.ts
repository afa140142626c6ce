export { type AddedDocument, addDocument } from "./add-document.ts";
export type { Summarizer } from "./condense-results.ts";
export type { DocumentFiles, DocumentProblem } from "./files.ts";
export { growTree, newTree } from "./grow-tree.ts";
export { documentInFile, type Ended, type FillSources, fillProblem, gather } from "./harvest.ts";
export { createLibrary, type KeptOutput, type Library, type TreeOptions } from "./library.ts";
export { createNodeLife, type NodeLife } from "./node-life.ts";
export { keptKey, labelsRead, packageFor, resultText } from "./package.ts";
export { createReaders, EXACT, type Reader, type Readers } from "./reader.ts";
export { levelRules, toldAt } from "./result-levels.ts";
export { revertAttempt } from "./revert.ts";
export {
  type NodeAnswer,
  type NodeRefusal,
  type NodeWish,
  settleNode,
  settleNodeIn,
} from "./settle-node.ts";
