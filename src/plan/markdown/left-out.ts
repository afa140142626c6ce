import { type Told, told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import type { Head } from "../syntax/head.ts";
import { readId } from "../syntax/ids.ts";
import type { Line } from "../syntax/scan.ts";
import { isOfChecklist } from "./checklist.ts";
import type { Definition } from "./definition.ts";
import type { Draft, MarkdownDocument, Section } from "./document.ts";

const NAMED = 5;

function named(drafts: readonly { readonly head: Draft["head"] }[]): string | Told {
  const ids = drafts
    .slice(0, NAMED)
    .map(draft => draft.head.id)
    .join(", ");
  return drafts.length > NAMED ? told`${ids} and ${drafts.length - NAMED} more` : ids;
}

/** Rows with a box or state that look like tasks. */
export function rowsWithState(
  document: MarkdownDocument,
): readonly Pick<Draft, "head" | "line" | "column">[] {
  const rows = document.drafts.filter(draft => draft.origin === "row" && draft.head.shape === "task");
  return [...rows, ...document.innerRows].filter(({ head }) => (head.box ?? head.mark) !== undefined);
}

/** Names rows with a box or state that look like tasks and are none. */
export function reportRows(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  const left = rowsWithState(document)
    .filter(({ head }) => !known.has(head.id ?? ""))
    .sort((a, b) => a.line - b.line);
  const [first] = left;
  if (first === undefined) return;
  report.add(
    "info",
    "ROW_IGNORED",
    { line: first.line, column: first.column },
    told`table rows name tasks that stand nowhere else: ${named(left)}; they are not read as tasks`,
    told`write them as headings or list items; rows with a box are tasks outside of other tasks`,
  );
}

/** Names list lines that begin like a task without a box, and are none because the file has firmer ones. */
export function reportItems(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  const left = document.drafts.filter(
    ({ origin, head }) =>
      origin === "item" && head.box === undefined && head.shape === "task" && !known.has(head.id!),
  );
  const [first] = left;
  if (first === undefined) return;
  report.add(
    "info",
    "ITEM_IGNORED",
    { line: first.line, column: first.column },
    told`list lines without a box name tasks that stand nowhere else: ${named(left)}; they are not read as tasks`,
    told`give them a box if they are tasks: - [ ] T1.1: Title`,
  );
}

/** Names headings that begin with several ids of which the first stands nowhere else: whose work they tell of is not known. */
export function reportSeveral(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  for (const { head, line, column } of document.several) {
    const id = head.id!;
    if (known.has(id)) continue;
    report.add(
      "warning",
      "ITEM_IGNORED",
      { line, column, length: id.length },
      told`the heading begins with several ids, and ${id} stands nowhere else; it is not read as a task`,
      told`give it one id if it is a task: ### [ ] ${id}: Title`,
    );
  }
}

/** Names a heading without a box that holds tasks whose ids do not go on from its own: it may be meant as a task as well. */
export function reportGroup({ id, draft, children }: Definition, report: Report): void {
  const held = named(children.map(child => child.draft));
  report.add(
    "warning",
    "ITEM_IGNORED",
    { line: draft.line, column: draft.column, length: id.length },
    told`${id} has no box and holds ${held}: it is read as their heading, not as a task`,
    told`give it a box if it is one: ### [ ] ${id}: Title`,
  );
}

/** Ids with letters, digits or dashes that only look like those of an id: the file means something else than it says. */
export function reportOddId(text: string, line: Line, head: Head, report: Report): void {
  if (head.id !== undefined && head.shape !== "phase") return;
  const written = text.slice(head.idAt, Math.min(line.end, head.idAt + 40));
  if (!ODD.test(written)) return;
  const narrow = written.normalize("NFKC").replace(/[\u2010-\u2015\u2212]/g, "-");
  const read = readId(narrow, 0, narrow.length);
  if (read?.shape !== "task" || !ODD.test(written.slice(0, read.id.length))) return;
  report.add(
    "error",
    "WIDE_ID",
    { line: line.number, column: head.idAt - line.start + 1, length: read.id.length },
    told`the id "${written.slice(0, read.id.length)}" is written in full-width letters, or with a dash that is none`,
    told`write ${read.id}`,
  );
}

/** Full-width letters and digits, dashes of other lengths than `-`. */
const ODD = /[\uff10-\uff5a\u2010-\u2015\u2212]/;

/** Why boxes are no tasks: others in the phase, in the list or in the file say more plainly what the tasks are. */
const BECAUSE = {
  phase: told`because the phase has tasks with ids`,
  list: told`because other items there have ids`,
  file: told`because the tasks of the file stand elsewhere`,
};

/** Names boxes without an id that are no tasks, because others are. */
export function reportPlainBoxes(
  drafts: readonly Draft[],
  where: keyof typeof BECAUSE,
  report: Report,
): void {
  const bySection = new Map<Section | undefined, Draft[]>();
  for (const draft of drafts) {
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
      section === undefined
        ? told`boxes without an id under no heading (${more.length + 1}) are no tasks, ${BECAUSE[where]}`
        : told`boxes without an id under "${section.title.slice(0, 60)}" (${more.length + 1}) are no tasks, ${BECAUSE[where]}`,
      told`give them ids if they are tasks`,
    );
  }
}

/** Items with a box, without an id, and in no other. */
export function plainBoxes(drafts: readonly Draft[]): Draft[] {
  return drafts.filter(
    ({ origin, parent, head }) =>
      origin === "item" && parent === undefined && head.id === undefined && head.box !== undefined,
  );
}

/** Names open boxes without an id that stand in no task, no checklist and no list of phases, and that nothing else has told of. */
export function reportOpenBoxes(
  { drafts }: MarkdownDocument,
  isTold: ReadonlySet<Draft>,
  report: Report,
): void {
  const open = plainBoxes(drafts).filter(
    draft =>
      draft.head.phase === undefined &&
      draft.head.box?.state !== "done" &&
      !isTold.has(draft) &&
      !isOfChecklist(draft),
  );
  reportPlainBoxes(open, "file", report);
}
