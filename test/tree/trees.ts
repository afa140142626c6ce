import { createHash } from "node:crypto";
import fc from "fast-check";
import { branch, initRoot, type Origin, type Source, type Tree } from "../../src/tree/index.ts";

/** Made by the plan, at the beginning of time. */
export const PLAN: Origin = { at: 0, by: "plan" };

/** A document from a file called like its label. */
export function file(label: string): { label: string; source: Source } {
  return { label, source: { kind: "file", path: `docs/${label}.md` } };
}

/** A document that a task added. */
export function added(label: string, task: string, attempt = 1): { label: string; source: Source } {
  return {
    label,
    source: { kind: "added", task, attempt, agent: "shell", at: 5, sha256: sha256(label), index: 1 },
  };
}

/** SHA-256 in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A tree of the given edges, parent before child: `["a", "b"]` hangs b below a. */
export function treeOf(...edges: readonly (readonly [string, string])[]): Tree {
  const { tree } = initRoot([], PLAN);
  for (const [parent, child] of edges) {
    const made = branch(tree, parent, [child], PLAN);
    if (!made.ok) throw new Error(JSON.stringify(made.failure));
  }
  return tree;
}

/** Every label's text is its own name. */
export const byName = (label: string): string => label;

/** Trees of up to 30 nodes: each number is the position of the parent, modulo what is there. */
export const shapes: fc.Arbitrary<number[]> = fc.array(fc.nat(1000), { maxLength: 30 });

/** The tree of a shape, with nodes `ctx-0`, `ctx-1` and so on. */
export function ofShape(shape: readonly number[]): Tree {
  const ids = ["ctx-root"];
  const edges = shape.map((pick, index) => {
    const edge = [ids[pick % ids.length]!, `ctx-${index}`] as const;
    ids.push(edge[1]);
    return edge;
  });
  return treeOf(...edges);
}
