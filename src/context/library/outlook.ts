import type { Outlook } from "../../assembly/index.ts";
import { CACHE_MS, CACHE_RATES } from "../../budget/index.ts";
import type { TaskStatus } from "../../ports/index.ts";
import { pathOf } from "../../tree/index.ts";
import { type Library, nodeRead } from "./library.ts";

const OVER: ReadonlySet<TaskStatus> = new Set(["completed", "skipped", "failed", "cancelled"]);

/** Attempts to come by node: tasks that have not ended and read it, or a node below. */
function readers({ plan, standing }: Library, tree: NonNullable<ReturnType<Library["tree"]>>) {
  const count = new Map<string, number>();
  for (const task of plan().tasks) {
    if (task.children !== undefined || OVER.has(standing?.(task.id)?.status ?? "pending")) continue;
    for (const { id } of pathOf(tree.nodes.get(nodeRead(task)) ?? tree.root))
      count.set(id, (count.get(id) ?? 0) + 1);
  }
  return count;
}

/**
 * What the assembly needs to know before it folds changes into documents: who is still to read them, and whether the
 * provider's cache has forgotten them anyway. Undefined where nobody knows how the run stands.
 */
export function outlookOf(library: Library, now: number): Outlook | undefined {
  const tree = library.tree(now);
  if (tree === undefined || library.standing === undefined) return undefined;
  let counted: Map<string, number> | undefined;
  return {
    rates: CACHE_RATES.claude,
    turns(node) {
      counted ??= readers(library, tree);
      return counted.get(node) ?? 0;
    },
    cold: node => now - (library.readAt.get(node) ?? 0) > CACHE_MS,
  };
}

/** Remembers that a path is read now. */
export function noteRead({ readAt }: Library, path: readonly { readonly id: string }[], now: number): void {
  for (const { id } of path) readAt.set(id, now);
}
