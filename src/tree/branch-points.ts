import type { Tree, TreeNode } from "./tree.ts";

/** Where the tree forks: which node, what triggered it (`plan` or a task), and the branches. Ties the tree to the graph. */
export interface BranchPoint {
  readonly source: string;
  readonly trigger: string;
  readonly branches: readonly string[];
  readonly createdAt: number;
}

/** All branch points of a tree, parents before their branches. */
export function branchPoints(tree: Tree): BranchPoint[] {
  const points: BranchPoint[] = [];
  for (const node of tree.nodes.values()) {
    const byTrigger = Map.groupBy(node.children, child => child.by);
    for (const [trigger, branches] of byTrigger) {
      const ids = branches.map(child => child.id);
      points.push({ source: node.id, trigger, branches: ids, createdAt: branches[0]!.createdAt });
    }
  }
  return points;
}

/** Whether every branch of a point is completed or merged; an abandoned one never is. */
export function isBranchComplete(tree: Tree, point: BranchPoint): boolean {
  const isDone = (node: TreeNode | undefined) => node?.status === "completed" || node?.status === "merged";
  return point.branches.every(id => isDone(tree.nodes.get(id)));
}
