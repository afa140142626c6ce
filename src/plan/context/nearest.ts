import { ROOT } from "../../tree/index.ts";

/** The parent of each declared node; the root has none. */
export type Parents = ReadonlyMap<string, string | undefined>;

/** Finds what a node has, or else the nearest one above it that has something. Every node is walked over once. */
export function createNearest<T>(
  has: ReadonlyMap<string, readonly T[]>,
  parents: Parents,
): (node: string) => readonly T[] {
  const none: readonly T[] = [];
  const known = new Map<string, readonly T[]>();
  return node => {
    const path = new Set<string>();
    let found: readonly T[] | undefined;
    // A declared circle ends where it began; it is reported elsewhere.
    for (let at: string | undefined = node; at !== undefined && !path.has(at); ) {
      found = known.get(at) ?? has.get(at);
      path.add(at);
      if (found !== undefined) break;
      at = at === ROOT ? undefined : (parents.get(at) ?? ROOT);
    }
    for (const id of path) known.set(id, found ?? none);
    return found ?? none;
  };
}
