import { localDocuments } from "../../adapters/local/documents.ts";
import type { DocumentProblem } from "../../context/library/index.ts";
import {
  type ContextNodeDeclaration,
  type Diagnostic,
  finding,
  type Plan,
  pathProblem,
} from "../../plan/index.ts";
import { type Told, told, visible } from "../../text/index.ts";
import { LONGEST_ID } from "../../tree/index.ts";

const HINTS: Record<DocumentProblem["kind"], Told> = {
  missing: told`create it, or take it out; what a task prepares is hung on the node by fills:`,
  "no-match": told`nothing is read until a file matches`,
  "not-a-file": told`name a plain file of the repository`,
  outside: told`copy it into the repository`,
  "too-large": told`split it, or name the part that matters`,
  "too-many": told`name the folder or the files more closely`,
  "not-text": told`documents are UTF-8 text`,
  twins: told`rename one of them`,
  unreadable: told`check its permissions`,
};

/** What is wrong with the documents that a plan's nodes name, as they are now. */
export function documentProblems(plan: Plan, root: string): Diagnostic[] {
  const files = localDocuments(root);
  return plan.contextNodes.flatMap(node =>
    [...(node.shared ?? []), ...(node.documents ?? [])].flatMap(pattern => {
      // The plan tells of a path that names nothing of the repository.
      if (pathProblem(pattern) !== undefined) return [];
      const paths = files.list(pattern);
      if (!paths.ok) return [diagnostic(node, paths.failure)];
      return paths.value.flatMap(path => {
        const text = files.read(path);
        return text.ok ? [] : [diagnostic(node, text.failure)];
      });
    }),
  );
}

function diagnostic(
  { id, line }: ContextNodeDeclaration,
  { kind, message, path, why }: DocumentProblem,
): Diagnostic {
  const node = visible(id, LONGEST_ID);
  const sentence =
    why === undefined
      ? told`the document ${message} (context node ${node})`
      : told`the document ${visible(path, 200)} ${why} (context node ${node})`;
  return finding(
    kind === "no-match" ? "warning" : "error",
    kind === "missing" ? "DOCUMENT_MISSING" : "BAD_DOCUMENT",
    { line: line ?? 0, column: line === undefined ? 0 : 1 },
    line === undefined ? told`espalier.yaml: ${sentence}` : sentence,
    HINTS[kind],
  );
}
