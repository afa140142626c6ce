import type { ContextNodeDeclaration } from "../../plan/index.ts";
import type { ContextChange, NodeStatus } from "../../ports/index.ts";
import {
  addDoc,
  branch,
  GLOBAL_LABEL,
  initRoot,
  moveNode,
  nodeName,
  parentName,
  reopen,
  type Tree,
  type TreeRows,
} from "../../tree/index.ts";

const BY_PLAN = "plan";

/** A tree with only its root, which will show the project's global context once that is published. */
export function newTree(at: number): { tree: Tree; rows: TreeRows } {
  const source = { kind: "published", by: "" } as const;
  return initRoot([{ label: GLOBAL_LABEL, source, place: "shared" }], { at, by: BY_PLAN });
}

/** Brings the tree up to the declared nodes: new ones are made, others moved. What is no longer declared stays. */
export function growTree(tree: Tree, nodes: readonly ContextNodeDeclaration[], at: number): TreeRows {
  const rows: TreeRows[] = [];
  for (const node of parentsFirst(nodes)) {
    const parent = parentName(node);
    if (parent === undefined) continue;
    const known = tree.nodes.get(nodeName(node.id));
    // A branch below a completed node is more to do on it.
    const opened = known === undefined ? reopen(tree, parent) : undefined;
    if (opened?.ok === true) rows.push(opened.value);
    const done =
      known === undefined
        ? branch(tree, parent, [node.id], { at, by: BY_PLAN })
        : moveNode(tree, known.id, parent);
    if (done.ok) rows.push(done.value);
  }
  return { nodes: rows.flatMap(row => row.nodes), documents: rows.flatMap(row => row.documents) };
}

/** Declared nodes, each behind its parent. */
function parentsFirst(nodes: readonly ContextNodeDeclaration[]): ContextNodeDeclaration[] {
  const byId = new Map(nodes.map(node => [nodeName(node.id), node]));
  const placed = new Set<string>();
  const sorted: ContextNodeDeclaration[] = [];
  for (const node of nodes) {
    const chain: ContextNodeDeclaration[] = [];
    let next: ContextNodeDeclaration | undefined = node;
    while (next !== undefined && !placed.has(nodeName(next.id))) {
      placed.add(nodeName(next.id));
      chain.push(next);
      next = byId.get(parentName(next) ?? "");
    }
    sorted.push(...chain.reverse());
  }
  return sorted;
}

/** Rows of a tree as a change of the shared context; undefined for none. */
export function asChange({ nodes, documents }: TreeRows): ContextChange | undefined {
  return nodes.length + documents.length === 0 ? undefined : { nodes, documents };
}

/** The node on which nothing can be hung: one that is not active, or there is none. */
export interface Unhung {
  readonly unhung: string;
  readonly status?: NodeStatus;
}

/** Hangs a document on a node or, where that was merged, on the node it was merged into. */
export function hangDocument(
  tree: Tree,
  node: string,
  document: Parameters<typeof addDoc>[2],
): TreeRows | Unhung {
  let id = nodeName(node);
  for (let hops = 0; hops < tree.nodes.size; hops++) {
    const into = tree.nodes.get(id)?.mergedInto;
    if (into === undefined) break;
    id = into;
  }
  const done = addDoc(tree, id, document);
  if (done.ok) return done.value;
  const { failure } = done;
  return failure.kind === "not-active" ? { unhung: id, status: failure.status } : { unhung: id };
}
