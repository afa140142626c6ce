import { fail, type NodeStatus, ok, type Result } from "../ports/index.ts";
import { idProblem, nodeName, ROOT, twinKey } from "./ids.ts";
import { pathOf } from "./reading.ts";
import {
  documentRow,
  documentRows,
  nodeRow,
  type Slot,
  type Source,
  type Tree,
  type TreeDocument,
  type TreeFailure,
  type TreeNode,
  type TreeRows,
} from "./tree.ts";

/** When something was made, and what made it. */
export interface Origin {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly by: string;
}

/** A document on its way onto a node. */
export interface NewDocument {
  readonly label: string;
  readonly source: Source;
  /** `shared` ones stand before the node's own. Default `own`. */
  readonly place?: "shared" | "own";
}

const NOTHING: TreeRows = { nodes: [], documents: [] };

/** Makes a node without linking it; only for this room. */
export function bareNode(id: string, parent: TreeNode | undefined, { at, by }: Origin): TreeNode {
  return {
    id,
    parent,
    children: [],
    shared: [],
    own: [],
    slots: new Map(),
    status: "active",
    mergedInto: undefined,
    createdAt: at,
    by,
  };
}

/** A tree of nothing but its root, which holds the given documents. */
export function initRoot(documents: readonly NewDocument[], origin: Origin): { tree: Tree; rows: TreeRows } {
  const tree = treeOf(bareNode(ROOT, undefined, origin));
  for (const document of documents) hang(tree.root, document);
  return { tree, rows: { nodes: [nodeRow(tree.root)], documents: documentRows(tree.root) } };
}

/** A tree around a root; only for this room. */
export function treeOf(root: TreeNode): Tree {
  return { root, nodes: new Map([[root.id, root]]), twins: new Map([[twinKey(root.id), root.id]]) };
}

function active(tree: Tree, id: string, also?: "completed"): Result<TreeNode, TreeFailure> {
  const node = tree.nodes.get(nodeName(id));
  if (node === undefined) return fail({ kind: "unknown-node", node: id });
  return node.status === "active" || node.status === also
    ? ok(node)
    : fail({ kind: "not-active", node: node.id, status: node.status });
}

/**
 * Adds branches below a node, all of them or none; ids get the prefix where they lack it. `origin.by` names what triggered
 * the branching, a task or the plan.
 */
export function branch(
  tree: Tree,
  parent: string,
  ids: readonly string[],
  origin: Origin,
): Result<TreeRows, TreeFailure> {
  const from = active(tree, parent);
  if (!from.ok) return from;
  const names = ids.map(nodeName);
  const added = new Map<string, string>();
  for (const id of names) {
    if (idProblem(id) !== undefined) return fail({ kind: "bad-id", node: id });
    const other = tree.twins.get(twinKey(id)) ?? added.get(twinKey(id));
    if (other !== undefined) return fail({ kind: "twin", node: id, other });
    added.set(twinKey(id), id);
  }
  const made = names.map(id => bareNode(id, from.value, origin));
  for (const node of made) link(tree, node);
  return ok({ nodes: made.map(nodeRow), documents: [] });
}

/** Hangs a node into the tree; only for this room. */
export function link(tree: Tree, node: TreeNode): void {
  tree.nodes.set(node.id, node);
  tree.twins.set(twinKey(node.id), node.id);
  node.parent?.children.push(node);
}

/** Hangs a document on a node. A label that hangs there already is brought back if it was withdrawn, and stays where it was. */
export function addDoc(tree: Tree, id: string, document: NewDocument): Result<TreeRows, TreeFailure> {
  const found = active(tree, id);
  return found.ok ? ok(hang(found.value, document)) : found;
}

function hang(node: TreeNode, { label, source, place = "own" }: NewDocument): TreeRows {
  const slot = node.slots.get(label) ?? { place, position: node[place].length };
  const old = node[slot.place][slot.position];
  if (old?.withdrawn === false && JSON.stringify(old.source) === JSON.stringify(source)) return NOTHING;
  put(node, slot, { label, source, withdrawn: false });
  return { nodes: [], documents: [documentRow(node, slot)] };
}

/** Sets a document in its place; only for this room. */
export function put(node: TreeNode, slot: Slot, document: TreeDocument): void {
  node[slot.place][slot.position] = document;
  node.slots.set(document.label, slot);
}

/** Takes back every document that a test picks, on whatever nodes it hangs. */
export function withdraw(tree: Tree, picks: (document: TreeDocument, node: TreeNode) => boolean): TreeRows {
  const documents: TreeRows["documents"][number][] = [];
  for (const node of tree.nodes.values()) {
    for (const slot of node.slots.values()) {
      const document = node[slot.place][slot.position]!;
      if (document.withdrawn || !picks(document, node)) continue;
      document.withdrawn = true;
      documents.push(documentRow(node, slot));
    }
  }
  return { nodes: [], documents };
}

/** Gives documents another source, on whatever nodes they hang; those for which there is none stay as they are. */
export function restate(tree: Tree, next: (document: TreeDocument) => Source | undefined): TreeRows {
  const documents: TreeRows["documents"][number][] = [];
  for (const node of tree.nodes.values()) {
    for (const slot of node.slots.values()) {
      const document = node[slot.place][slot.position]!;
      const source = next(document);
      if (source === undefined) continue;
      put(node, slot, { ...document, source });
      documents.push(documentRow(node, slot));
    }
  }
  return { nodes: [], documents };
}

function settle(
  tree: Tree,
  id: string,
  status: NodeStatus,
  also?: "completed",
): Result<TreeRows, TreeFailure> {
  const found = active(tree, id, also);
  if (!found.ok) return found;
  if (found.value === tree.root) return fail({ kind: "root", node: id });
  found.value.status = status;
  return ok({ nodes: [nodeRow(found.value)], documents: [] });
}

/** Ends a branch whose work is done; it is still read, but takes nothing more. */
export function complete(tree: Tree, id: string): Result<TreeRows, TreeFailure> {
  return settle(tree, id, "completed");
}

/** Takes a completed branch up again, because there is more to do on it. */
export function reopen(tree: Tree, id: string): Result<TreeRows, TreeFailure> {
  const node = tree.nodes.get(nodeName(id));
  if (node === undefined) return fail({ kind: "unknown-node", node: id });
  if (node.status === "active") return ok(NOTHING);
  if (node.status !== "completed") return fail({ kind: "not-active", node: node.id, status: node.status });
  node.status = "active";
  return ok({ nodes: [nodeRow(node)], documents: [] });
}

/** Gives a branch up; whoever reads it still does, but it takes nothing more and never counts as complete. */
export function abandon(tree: Tree, id: string): Result<TreeRows, TreeFailure> {
  return settle(tree, id, "abandoned", "completed");
}

/** Brings what a branch found to another node: its own documents hang there as well from now on. */
export function merge(tree: Tree, id: string, into: string): Result<TreeRows, TreeFailure> {
  const from = active(tree, id, "completed");
  const to = active(tree, into);
  if (!from.ok) return from;
  if (!to.ok) return to;
  if (from.value === tree.root) return fail({ kind: "root", node: id });
  const path = pathOf(to.value);
  if (path.includes(from.value)) return fail({ kind: "below-itself", node: id, into });
  const documents = from.value.own
    .filter(({ label, withdrawn }) => !withdrawn && !path.some(node => node.slots.has(label)))
    .flatMap(({ label, source }) => hang(to.value, { label, source }).documents);
  from.value.status = "merged";
  from.value.mergedInto = to.value.id;
  return ok({ nodes: [nodeRow(from.value)], documents });
}

/** Hangs a node with everything below it on another parent; one that hangs there already is left alone. */
export function moveNode(tree: Tree, id: string, parent: string): Result<TreeRows, TreeFailure> {
  const node = tree.nodes.get(nodeName(id));
  const to = tree.nodes.get(nodeName(parent));
  if (node === undefined) return fail({ kind: "unknown-node", node: id });
  if (to === undefined) return fail({ kind: "unknown-node", node: parent });
  if (node.parent === to) return ok(NOTHING);
  if (node.parent === undefined) return fail({ kind: "root", node: id });
  if (pathOf(to).includes(node)) return fail({ kind: "below-itself", node: id, into: parent });
  node.parent.children.splice(node.parent.children.indexOf(node), 1);
  node.parent = to;
  to.children.push(node);
  return ok({ nodes: [nodeRow(node)], documents: [] });
}
