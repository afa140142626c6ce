import { localDocuments } from "../../adapters/local/documents.ts";
import type { DocumentProblem } from "../../context/library/index.ts";
import { type ContextNodeDeclaration, type Diagnostic, type Plan, pathProblem } from "../../plan/index.ts";
import { visible } from "../../text/index.ts";
import { LONGEST_ID } from "../../tree/index.ts";

const HINTS: Record<DocumentProblem["kind"], string> = {
  missing: "create it, or take it out; what a task prepares is hung on the node by fills:",
  "no-match": "nothing is read until a file matches",
  "not-a-file": "name a plain file of the repository",
  outside: "copy it into the repository",
  "too-large": "split it, or name the part that matters",
  "too-many": "name the folder or the files more closely",
  "not-text": "documents are UTF-8 text",
  twins: "rename one of them",
  unreadable: "check its permissions",
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

function diagnostic({ id, line }: ContextNodeDeclaration, { kind, message }: DocumentProblem): Diagnostic {
  const where = line === undefined ? "espalier.yaml: " : "";
  return {
    code: kind === "missing" ? "DOCUMENT_MISSING" : "BAD_DOCUMENT",
    severity: kind === "no-match" ? "warning" : "error",
    message: `${where}the document ${message} (context node ${visible(id, LONGEST_ID)})`,
    line: line ?? 0,
    column: line === undefined ? 0 : 1,
    hint: HINTS[kind],
  };
}
