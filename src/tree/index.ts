export { type BranchPoint, branchPoints, isBranchComplete } from "./branch-points.ts";
export {
  abandon,
  addDoc,
  branch,
  complete,
  initRoot,
  merge,
  moveNode,
  type NewDocument,
  type Origin,
  reopen,
  restate,
  withdraw,
} from "./grow.ts";
export { GLOBAL_LABEL, type IdProblem, idProblem, LONGEST_ID, nodeName, ROOT, twinKey } from "./ids.ts";
export { docsOf, type PlacedDocument, pathOf, readingOf, type TreeReading } from "./reading.ts";
export { restoreTree, treeRows } from "./rows.ts";
export {
  type Addition,
  type OutputScan,
  opensBlock,
  type Refusal,
  type RefusalReason,
  SCAN_LIMITS,
  type ScanLimits,
  scanOutput,
} from "./scan-output.ts";
export type {
  Edit,
  Provenance,
  Source,
  Tree,
  TreeDocument,
  TreeFailure,
  TreeNode,
  TreeRows,
} from "./tree.ts";
export { checkNodes, type DeclaredNode, parentName, type TreeProblem } from "./validate.ts";
