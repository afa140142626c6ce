import { nearest } from "../text/index.ts";
import { type IdProblem, idProblem, nodeName, ROOT, twinKey } from "./ids.ts";

/** A guess looks at every node; so many are made. */
const MOST_GUESSES = 20;

/** A node as a plan declares it, ids as written. */
export interface DeclaredNode {
  readonly id: string;
  /** Absent: the root. */
  readonly parent?: string;
}

/** What is wrong with a declared tree. `at` is the position of the declaration in the list. */
export type TreeProblem =
  | { readonly kind: "bad-id"; readonly at: number; readonly id: string; readonly why: IdProblem }
  | { readonly kind: "duplicate"; readonly at: number; readonly id: string }
  | { readonly kind: "twin"; readonly at: number; readonly id: string; readonly other: string }
  /** The root is everybody's ancestor. */
  | { readonly kind: "root-parent"; readonly at: number; readonly id: string }
  | {
      readonly kind: "unknown-parent";
      readonly at: number;
      readonly id: string;
      readonly parent: string;
      readonly near?: string;
    }
  | { readonly kind: "cycle"; readonly at: number; readonly id: string };

/** The id a declaration's parent means. */
export function parentName({ id, parent }: DeclaredNode): string | undefined {
  if (nodeName(id) === ROOT) return undefined;
  return parent === undefined ? ROOT : nodeName(parent);
}

/** Finds every problem of a declared tree, in linear time. */
export function checkNodes(nodes: readonly DeclaredNode[]): TreeProblem[] {
  const problems: TreeProblem[] = [];
  const parents = new Map<string, string | undefined>([[ROOT, undefined]]);
  const twins = new Map<string, string>([[twinKey(ROOT), ROOT]]);
  const declared = new Set<string>();
  for (const [at, node] of nodes.entries()) {
    const id = nodeName(node.id);
    const why = idProblem(id);
    const other = twins.get(twinKey(id));
    if (why !== undefined) problems.push({ kind: "bad-id", at, id: node.id, why });
    else if (declared.has(id)) problems.push({ kind: "duplicate", at, id });
    else if (other !== undefined && other !== id) problems.push({ kind: "twin", at, id, other });
    if (id === ROOT && node.parent !== undefined) problems.push({ kind: "root-parent", at, id });
    declared.add(id);
    twins.set(twinKey(id), other ?? id);
    if (!parents.has(id)) parents.set(id, parentName(node));
  }
  let misses = 0;
  const settled = new Set<string>([ROOT]);
  for (const [at, node] of nodes.entries()) {
    const id = nodeName(node.id);
    const parent = parentName(node);
    if (parent !== undefined && !parents.has(parent)) {
      const near = ++misses > MOST_GUESSES ? undefined : nearest(parent, parents.keys());
      problems.push({ kind: "unknown-parent", at, id, parent, ...(near === undefined ? {} : { near }) });
    }
    const path = new Set<string>();
    let up: string | undefined = id;
    while (up !== undefined && !settled.has(up) && !path.has(up)) {
      path.add(up);
      up = parents.get(up);
    }
    if (up !== undefined && path.has(up)) problems.push({ kind: "cycle", at, id: up });
    for (const seen of path) settled.add(seen);
  }
  return problems;
}
