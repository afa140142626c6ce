import { fail, type NodeRow, ok, type Result, type StoredContext } from "../ports/index.ts";
import { bareNode, link, put, treeOf } from "./grow.ts";
import { ROOT } from "./ids.ts";
import { documentRows, nodeRow, type Source, type Tree, type TreeNode, type TreeRows } from "./tree.ts";

/** Every row of a tree. */
export function treeRows(tree: Tree): TreeRows {
  const nodes = [...tree.nodes.values()];
  return {
    nodes: nodes.map(nodeRow),
    documents: nodes.flatMap(documentRows),
  };
}

/** A source that a stored row names; undefined when it is none of ours. */
function sourceOf(json: string): Source | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && "kind" in value ? (value as Source) : undefined;
  } catch {
    return undefined;
  }
}

/** The tree as stored rows have it; undefined when none was stored. Rows that contradict each other are a failure in words. */
export function restoreTree(
  stored: Pick<StoredContext, "nodes" | "documents">,
): Result<Tree | undefined, string> {
  if (stored.nodes.length === 0) return ok(undefined);
  const rows = new Map(stored.nodes.map(row => [row.id, row]));
  const top = rows.get(ROOT);
  if (top === undefined) return fail("the stored context tree has no root");
  const tree = treeOf(restoreNode(top, undefined));
  for (const row of rows.values()) {
    // A parent may stand behind its child; chains are walked without recursion.
    const chain: NodeRow[] = [];
    let at: NodeRow | undefined = row;
    while (at !== undefined && !tree.nodes.has(at.id) && chain.length <= rows.size) {
      chain.push(at);
      at = rows.get(at.parent ?? "");
    }
    if (at === undefined || chain.length > rows.size)
      return fail(`the stored context node ${row.id} hangs on nothing`);
    for (const next of chain.reverse()) link(tree, restoreNode(next, tree.nodes.get(next.parent!)));
  }
  for (const row of stored.documents.toSorted((a, b) => a.position - b.position)) {
    const { label, place, withdrawn } = row;
    const source = sourceOf(row.source);
    const node = tree.nodes.get(row.node);
    if (node === undefined || source === undefined)
      return fail(`the stored document ${label} hangs on nothing, or comes from nowhere`);
    put(node, { place, position: node[place].length }, { label, source, withdrawn });
  }
  return ok(tree);
}

function restoreNode(row: NodeRow, parent: TreeNode | undefined): TreeNode {
  const node = bareNode(row.id, parent, { at: row.createdAt, by: row.by });
  node.status = row.status;
  node.mergedInto = row.mergedInto;
  return node;
}
