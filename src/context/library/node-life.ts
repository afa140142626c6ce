import type { Plan, Task } from "../../plan/index.ts";
import { complete, nodeName, reopen, type Tree, type TreeNode, type TreeRows } from "../../tree/index.ts";
import { type ContextStep, joinSteps } from "../shared/index.ts";
import { asChange } from "./grow-tree.ts";
import { type Library, nodeRead } from "./library.ts";

/** Completes nodes when nothing is left to do for them, and opens them again when there is. */
export interface NodeLife {
  /** What the nodes become now that these tasks may be done, or open again. */
  follow(changed: Iterable<{ readonly task: Task }>, now: number): ContextStep | undefined;
}

/** The nodes that a task works for: the one it reads and the one it fills. */
function nodesOf(tree: Tree, task: Task): TreeNode[] {
  const names = new Set([nodeRead(task), ...(task.fills === undefined ? [] : [nodeName(task.fills)])]);
  return [...names].flatMap(name => tree.nodes.get(name) ?? []);
}

/** How much there is left to do for each node: its open tasks, and the branches below that have some. */
class Workload {
  readonly #left = new Map<TreeNode, number>();
  readonly #open = new Map<string, readonly TreeNode[]>();
  readonly #changed = new Set<TreeNode>();

  /** Notes whether a task is open. Takes time in the nodes whose state it changes. */
  note(task: string, nodes: readonly TreeNode[], isOpen: boolean): void {
    const known = this.#open.get(task);
    if (isOpen === (known !== undefined)) return;
    if (isOpen) this.#open.set(task, nodes);
    else this.#open.delete(task);
    for (const node of known ?? nodes) this.#add(node, isOpen ? 1 : -1);
  }

  /** A node that tasks work for is looked at, whatever is left for it. */
  look(node: TreeNode): void {
    for (let at: TreeNode | undefined = node; at !== undefined && !this.#changed.has(at); at = at.parent)
      this.#changed.add(at);
  }

  /** The nodes for which that changed since it was last asked, and whether something is left to do. */
  take(): { readonly node: TreeNode; readonly isOpen: boolean }[] {
    const taken = [...this.#changed].map(node => ({ node, isOpen: (this.#left.get(node) ?? 0) > 0 }));
    this.#changed.clear();
    return taken;
  }

  #add(node: TreeNode, by: 1 | -1): void {
    for (let at: TreeNode | undefined = node; at !== undefined; at = at.parent) {
      const before = this.#left.get(at) ?? 0;
      this.#left.set(at, before + by);
      // Above, a branch counts once.
      if (before > 0 === before + by > 0) return;
      this.#changed.add(at);
    }
  }
}

/** Follows the tasks of a library's plan; `isDone` tells of those that are completed or skipped. */
export function createNodeLife(
  library: Pick<Library, "tree" | "grow" | "plan" | "window">,
  isDone: (task: string) => boolean,
): NodeLife {
  let counted: { readonly of: Plan; readonly load: Workload } | undefined;

  const count = (tree: Tree, plan: Plan): Workload => {
    const load = new Workload();
    for (const task of plan.tasks) {
      const nodes = nodesOf(tree, task);
      load.note(task.id, nodes, !isDone(task.id));
      for (const node of nodes) load.look(node);
    }
    counted = { of: plan, load };
    return load;
  };

  return {
    follow(changed, now) {
      for (const { task } of changed) library.window.changed(task.id);
      const plan = library.plan();
      // Who declares no nodes has none but the root, which never ends.
      if (plan.contextNodes.length === 0) return undefined;
      const grown = library.grow(now);
      const tree = library.tree(now);
      if (tree === undefined) return grown;
      let load = counted?.load;
      if (load === undefined || counted?.of !== plan) load = count(tree, plan);
      else for (const { task } of changed) load.note(task.id, nodesOf(tree, task), !isDone(task.id));
      const rows = load.take().flatMap(({ node, isOpen }) => settled(tree, node, isOpen) ?? []);
      const steps = rows.map(asChange).map(change => (change === undefined ? undefined : { rows: change }));
      return joinSteps([grown, ...steps]);
    },
  };
}

function settled(tree: Tree, node: TreeNode, isOpen: boolean): TreeRows | undefined {
  if (node === tree.root || node.status !== (isOpen ? "completed" : "active")) return undefined;
  const done = isOpen ? reopen(tree, node.id) : complete(tree, node.id);
  return done.ok ? done.value : undefined;
}
