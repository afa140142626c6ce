export type { DocumentFiles, DocumentProblem } from "./files.ts";
export { growTree, newTree } from "./grow-tree.ts";
export { type Ended, fillProblem, gather } from "./harvest.ts";
export { createLibrary, type Library, nodeRead, type TreeOptions } from "./library.ts";
export { labelsRead, packageFor } from "./package.ts";
export { revertAttempt } from "./revert.ts";
