import type { Plan } from "../../plan/index.ts";
import {
  abandon,
  complete,
  merge,
  nodeName,
  pathOf,
  type Tree,
  type TreeFailure,
  type TreeRows,
} from "../../tree/index.ts";
import { asChange } from "./grow-tree.ts";
import { type Library, nodeRead } from "./library.ts";

/** What a person makes of a node. */
export type NodeWish =
  | { readonly action: "complete" | "abandon"; readonly node: string }
  | { readonly action: "merge"; readonly node: string; readonly into: string };

/** Why a node stays as it is. */
export type NodeRefusal =
  | TreeFailure
  /** Tasks of it, or of nodes below, have not ended. */
  | { readonly kind: "unfinished"; readonly node: string; readonly tasks: readonly string[] }
  /** The stored tree cannot be read. */
  | { readonly kind: "damaged" };

/** What came of a wish; `labels` are the documents that hang on another node as well now. */
export type NodeAnswer =
  | { readonly kind: "done"; readonly node: string; readonly labels: readonly string[] }
  | { readonly kind: "refused"; readonly why: NodeRefusal };

/** The run that a tree is read in. */
export interface NodeReaders {
  readonly plan: Pick<Plan, "tasks">;
  readonly isEnded: (task: string) => boolean;
}

/** Tasks named in a refusal. */
const NAMED = 10;

/** Tasks that still work for a node or for one below it. */
function unfinished(tree: Tree, id: string, { plan, isEnded }: NodeReaders): string[] {
  const node = tree.nodes.get(id);
  const isBelow = new Map<string, boolean>();
  const worksFor = (name: string): boolean => {
    const known = isBelow.get(name);
    if (known !== undefined) return known;
    const end = tree.nodes.get(name);
    const found = node !== undefined && end !== undefined && pathOf(end).includes(node);
    isBelow.set(name, found);
    return found;
  };
  const open = plan.tasks.filter(task => {
    const names = [nodeRead(task), ...(task.fills === undefined ? [] : [nodeName(task.fills)])];
    return names.some(worksFor) && !isEnded(task.id);
  });
  return open.slice(0, NAMED).map(task => task.id);
}

/** Completes, abandons or merges a node; a node is complete only when nobody works for it any more. */
export function settleNode(
  tree: Tree,
  wish: NodeWish,
  readers: NodeReaders,
): { readonly answer: NodeAnswer; readonly rows: TreeRows } {
  const id = nodeName(wish.node);
  const nothing: TreeRows = { nodes: [], documents: [] };
  const tasks = wish.action === "complete" && id !== tree.root.id ? unfinished(tree, id, readers) : [];
  if (tasks.length > 0) {
    const why = { kind: "unfinished", node: id, tasks } as const;
    return { answer: { kind: "refused", why }, rows: nothing };
  }
  const done =
    wish.action === "merge"
      ? merge(tree, id, wish.into)
      : wish.action === "complete"
        ? complete(tree, id)
        : abandon(tree, id);
  if (!done.ok) return { answer: { kind: "refused", why: done.failure }, rows: nothing };
  const labels = done.value.documents.map(({ label }) => label);
  return { answer: { kind: "done", node: id, labels }, rows: done.value };
}

/** The same where a library keeps the tree, made durable; undefined when the process is leaving. */
export async function settleNodeIn(
  library: Pick<Library, "ledger" | "tree" | "grow" | "plan">,
  wish: NodeWish,
  isEnded: (task: string) => boolean,
): Promise<NodeAnswer | undefined> {
  let answer: NodeAnswer = { kind: "refused", why: { kind: "damaged" } };
  const grown = await library.ledger.commit(library.grow);
  const written = await library.ledger.commit(now => {
    const tree = library.tree(now);
    if (tree === undefined) return undefined;
    const settled = settleNode(tree, wish, { plan: library.plan(), isEnded });
    answer = settled.answer;
    const rows = asChange(settled.rows);
    return rows === undefined ? undefined : { rows };
  });
  return grown && written ? answer : undefined;
}
