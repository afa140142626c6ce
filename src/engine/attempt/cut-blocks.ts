import { because } from "../../ports/index.ts";
import { isCut } from "../../text/index.ts";
import { opensBlock } from "../../tree/index.ts";
import type { AttemptRequest } from "./types.ts";

/** Counts the blocks for the context tree that one turn begins, line by line, and how many of them its answer does not hold. */
export function createBlockCount() {
  let begun = 0;
  return {
    line(text: string): void {
      if (opensBlock(text)) begun++;
    },
    /** Zero where the answer is whole: then its blocks tell of themselves. */
    cutFrom(finalMessage: string): number {
      if (!isCut(finalMessage)) return 0;
      return Math.max(0, begun - finalMessage.split("\n").filter(opensBlock).length);
    },
  };
}

/** Tells people of blocks that were cut away with the beginning of an answer. */
export function tellCut({ task, emit }: Pick<AttemptRequest, "task" | "emit">, blocks: number): void {
  if (blocks === 0) return;
  emit({ type: "warning", code: "ADD_CONTEXT", message: because("blocks-cut", { blocks }), task: task.id });
}
