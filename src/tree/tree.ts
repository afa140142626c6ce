import type { DocumentRow, NodeRow, NodeStatus } from "../ports/index.ts";

/** Where a document comes from. Texts in it are foreign. */
export type Source =
  /** A file of the repository, by its path relative to the root; `edited`: what it says now an attempt left there. */
  | { readonly kind: "file"; readonly path: string; readonly edited?: Edit }
  /** The result of a context-fill task. */
  | ({ readonly kind: "fill" } & Provenance)
  /** A block that a worker added; `index` counts the blocks of its message from 1. */
  | ({ readonly kind: "added"; readonly index: number } & Provenance)
  /** Published by a person or a tool. */
  | { readonly kind: "published"; readonly by: string };

/** Which attempt wrote something, and when. */
export interface Edit {
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Which attempt wrote a document, when, and what it wrote. */
export interface Provenance extends Edit {
  /** SHA-256 of the text as it was written. */
  readonly sha256: string;
}

/** A document as it hangs on a node. Its text and versions are the label's. */
export interface TreeDocument {
  readonly label: string;
  readonly source: Source;
  /** Taken back: kept for the record, read by nobody. */
  withdrawn: boolean;
}

/** A place among a node's documents. */
export interface Slot {
  readonly place: "shared" | "own";
  readonly position: number;
}

/** A node. Documents of its shared prefix stand before its own. */
export interface TreeNode {
  readonly id: string;
  parent: TreeNode | undefined;
  readonly children: TreeNode[];
  readonly shared: TreeDocument[];
  readonly own: TreeDocument[];
  /** Where each label hangs. */
  readonly slots: Map<string, Slot>;
  status: NodeStatus;
  /** The node it was merged into. */
  mergedInto: string | undefined;
  readonly createdAt: number;
  /** What made it: `plan`, or the task that branched. */
  readonly by: string;
}

/** The context tree. Owned and changed in place by the functions of this room. */
export interface Tree {
  readonly root: TreeNode;
  readonly nodes: Map<string, TreeNode>;
  /** Ids by what makes them twins. */
  readonly twins: Map<string, string>;
}

/** The rows that a change of the tree has to write. */
export interface TreeRows {
  readonly nodes: readonly NodeRow[];
  readonly documents: readonly DocumentRow[];
}

/** Why a tree refuses a change. */
export type TreeFailure =
  | { readonly kind: "unknown-node"; readonly node: string }
  | { readonly kind: "bad-id"; readonly node: string }
  /** A node of that name, or of one that differs in case or composition only, is there already. */
  | { readonly kind: "twin"; readonly node: string; readonly other: string }
  /** Only active nodes branch, take documents or are merged. */
  | { readonly kind: "not-active"; readonly node: string; readonly status: NodeStatus }
  | { readonly kind: "root"; readonly node: string }
  /** A node merges neither into itself nor into a node below it. */
  | { readonly kind: "below-itself"; readonly node: string; readonly into: string };

/** A node as a row. */
export function nodeRow(node: TreeNode): NodeRow {
  const { id, parent, status, createdAt, by, mergedInto } = node;
  return {
    id,
    ...(parent === undefined ? {} : { parent: parent.id }),
    status,
    createdAt,
    by,
    ...(mergedInto === undefined ? {} : { mergedInto }),
  };
}

/** A node's document as a row. */
export function documentRow(node: TreeNode, { place, position }: Slot): DocumentRow {
  const { label, source, withdrawn } = node[place][position]!;
  return { node: node.id, label, place, position, source: JSON.stringify(source), withdrawn };
}

/** Every document of a node as a row. */
export function documentRows(node: TreeNode): DocumentRow[] {
  return [...node.slots.values()].map(slot => documentRow(node, slot));
}
