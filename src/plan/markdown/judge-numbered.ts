import type { Report } from "../report.ts";
import type { Definition } from "./definition.ts";
import type { Draft, MarkdownDocument } from "./document.ts";
import { linkByStructure, mergeById } from "./merge.ts";

/** spec-kit: every box with an id is a task; nothing else is. */
export function judgeSpecKit(document: MarkdownDocument, report: Report): Definition[] {
  const tasks = document.drafts.filter(
    draft => draft.head.box !== undefined && draft.head.shape === "task" && !draft.head.several,
  );
  const definitions = mergeById(tasks, report);
  linkByStructure(definitions);
  return definitions;
}

/** Boxes that stand deeper than a numbered task and begin with a bare number (`3 tests added`) are its details. */
function isNumbered(draft: Draft): boolean {
  const { id, box, shape, setOff } = draft.head;
  if (id === undefined || box === undefined || shape !== "number")
    return shape === "task" && box !== undefined;
  return id.includes(".") || setOff || draft.parent === undefined;
}

/** Kiro and cc-sdd: every box with a number is a task; `1` holds `1.1`, `1.2` … wherever they stand. */
export function judgeKiro(document: MarkdownDocument, report: Report): Definition[] {
  const definitions = mergeById(document.drafts.filter(isNumbered), report, () => 1);
  const byId = new Map(definitions.map(definition => [definition.id, definition]));
  for (const definition of definitions) {
    for (let dot = definition.id.lastIndexOf("."); dot > 0; dot = definition.id.lastIndexOf(".", dot - 1)) {
      const parent = byId.get(definition.id.slice(0, dot));
      if (parent === undefined) continue;
      definition.parent = parent;
      parent.children.push(definition);
      break;
    }
  }
  return definitions;
}
