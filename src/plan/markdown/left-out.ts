import type { Report } from "../report.ts";
import type { Definition } from "./definition.ts";
import type { Draft, MarkdownDocument, Section } from "./document.ts";

const NAMED = 5;

function named(drafts: readonly { readonly head: Draft["head"] }[]): string {
  const ids = drafts.slice(0, NAMED).map(draft => draft.head.id);
  return ids.join(", ") + (drafts.length > NAMED ? ` and ${drafts.length - NAMED} more` : "");
}

/** Names rows with a box or state that look like tasks and are none. */
export function reportRows(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  const rows = document.drafts.filter(draft => draft.origin === "row" && draft.head.shape === "task");
  const left = [...rows, ...document.innerRows]
    .filter(({ head }) => (head.box ?? head.mark) !== undefined && !known.has(head.id ?? ""))
    .sort((a, b) => a.line - b.line);
  const [first] = left;
  if (first === undefined) return;
  report.add(
    "info",
    "ROW_IGNORED",
    { line: first.line, column: first.column },
    `table rows name tasks that stand nowhere else: ${named(left)}; they are not read as tasks`,
    "write them as headings or list items; rows with a box are tasks outside of other tasks",
  );
}

/** Names boxes without an id below a phase whose tasks have ids: they are no tasks. */
export function reportPlainBoxes(drafts: readonly Draft[], report: Report): void {
  const bySection = new Map<Section, Draft[]>();
  for (const draft of drafts) {
    if (draft.section === undefined) continue;
    const same = bySection.get(draft.section);
    if (same === undefined) bySection.set(draft.section, [draft]);
    else same.push(draft);
  }
  for (const [section, [first, ...more]] of bySection) {
    if (first === undefined) continue;
    report.add(
      "info",
      "BOX_IGNORED",
      { line: first.line, column: first.column },
      `boxes without an id under "${section.title.slice(0, 60)}" (${more.length + 1}) are no tasks, because the phase has tasks with ids`,
      "give them ids if they are tasks",
    );
  }
}
