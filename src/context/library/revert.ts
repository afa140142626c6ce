import { type Tree, type TreeDocument, withdraw } from "../../tree/index.ts";
import type { ContextStep } from "../shared/index.ts";
import { asChange } from "./grow-tree.ts";

/** What an attempt handed to the tree, fills and added blocks alike. */
function isFrom({ source }: TreeDocument, task: string, attempt: number): boolean {
  return (
    (source.kind === "added" || source.kind === "fill") && source.task === task && source.attempt === attempt
  );
}

/** Takes back what an attempt handed to the tree; `labels` are those that were still read. */
export function revertAttempt(
  tree: Tree,
  task: string,
  attempt: number,
): { readonly labels: readonly string[]; readonly step: ContextStep | undefined } {
  const rows = withdraw(tree, document => isFrom(document, task, attempt));
  const change = asChange(rows);
  const labels = [...new Set(rows.documents.map(row => row.label))];
  return { labels, step: change === undefined ? undefined : { rows: change } };
}
