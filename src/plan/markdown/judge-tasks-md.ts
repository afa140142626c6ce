import type { Report } from "../report.ts";
import { MARKS_TASK } from "../syntax/fields.ts";
import { isChecklist, isNoWork, isOfChecklist } from "./checklist.ts";
import { type Definition, phaseOf, plainTitle } from "./definition.ts";
import { type Draft, findSection, type MarkdownDocument } from "./document.ts";
import { plainBoxes, reportGroup, reportItems, reportOpenBoxes, reportPlainBoxes } from "./left-out.ts";
import { extendsId, linkByStructure, mergeById } from "./merge.ts";
import { inSeries } from "./series.ts";

function isDetailed(draft: Draft): boolean {
  return draft.fields.some(field => MARKS_TASK.has(field.key));
}

/** The draft with an id in whose block this one stands. */
function idParent(draft: Draft): Draft | undefined {
  for (let at = draft.parent; at !== undefined; at = at.parent) {
    if (at.head.id !== undefined && at.head.shape !== "milestone") return at;
  }
  return undefined;
}

/** Drafts that are tasks or groups whatever else the file holds. */
function isFirm(draft: Draft, series: ReadonlySet<Draft>): boolean {
  const { id, shape, box, several } = draft.head;
  if (id === undefined || several || shape === "milestone" || shape === "phase") return false;
  if (draft.origin === "row") return false;
  // `### T3 Stack` is about a stack; a bare `T3` needs a colon, a box or fields to be a task.
  if (shape === "task")
    return (
      box !== undefined ||
      (draft.origin === "heading" && (draft.head.setOff || !/^T\d+$/i.test(id) || isDetailed(draft)))
    );
  if (shape === "number") return draft.origin === "heading" && box !== undefined;
  return box !== undefined
    ? (draft.head.setOff || series.has(draft)) &&
        (draft.origin === "heading" || idParent(draft) === undefined)
    : (draft.origin === "heading" && isDetailed(draft)) || hasOnlyBoxes(draft);
}

/** `### BUG-1: Title` above boxes: nothing but these says that it is a task. */
function hasOnlyBoxes(draft: Draft): boolean {
  const { shape, setOff, box } = draft.head;
  return (
    draft.origin === "heading" &&
    shape === "other" &&
    setOff &&
    box === undefined &&
    draft.criteria > 0 &&
    !isDetailed(draft) &&
    !isNoWork(draft)
  );
}

/** Splits firm drafts into definitions and mere mentions: a criterion may begin with another task's id. */
function withoutMentions(firm: readonly Draft[]): Draft[] {
  const elsewhere = new Set<string>();
  for (const draft of firm)
    if (draft.origin === "heading" || idParent(draft) === undefined) elsewhere.add(draft.head.id!);
  return firm.filter(draft => {
    const parent = draft.origin === "heading" ? undefined : idParent(draft);
    if (parent === undefined) return true;
    const id = draft.head.id!;
    if (id !== parent.head.id && (extendsId(id, parent.head.id!) || !elsewhere.has(id))) return true;
    parent.criteria++;
    if (draft.head.box?.state === "done") parent.criteriaDone++;
    return false;
  });
}

/** `Task 1` counted afresh in every phase: the phase makes it an id of its own. */
function qualifyNumbers(firm: readonly Draft[]): void {
  const phases = new Map<string, string>();
  const repeated = new Set<string>();
  for (const draft of firm) {
    const id = draft.head.id!;
    if (!/^\d/.test(id)) continue;
    const phase = String(phaseOf(draft));
    if ((phases.get(id) ?? phase) !== phase) repeated.add(id);
    phases.set(id, phase);
  }
  for (const draft of firm) {
    if (repeated.has(draft.head.id!))
      draft.head = { ...draft.head, id: `P${phaseOf(draft)}-${draft.head.id}` };
  }
}

/** List lines without a box, table rows, milestones: tasks only where nothing firmer is. */
function softer(document: MarkdownDocument, found: readonly Draft[]): Draft[] {
  const ids = new Set(found.map(draft => draft.head.id));
  const rows = document.drafts.filter(draft => draft.origin === "row" && draft.head.shape === "task");
  const boxedRows = rows.filter(draft => draft.head.box !== undefined && !ids.has(draft.head.id));
  const items = document.drafts.filter(
    d => d.origin === "item" && d.head.box === undefined && d.head.id !== undefined && !ids.has(d.head.id),
  );
  const detailed = items.filter(isDetailed);
  if (found.length + boxedRows.length + detailed.length > 0) return [...boxedRows, ...detailed];
  const states = rows.filter(draft => draft.head.mark !== undefined || draft.fields.length > 0);
  if (states.length > 0) return states;
  if (items.length > 0) return items;
  return document.drafts.filter(
    d => d.head.shape === "milestone" && (d.head.box !== undefined || isDetailed(d)),
  );
}

/** Boxes without ids that are tasks: under a phase that has no others, or anywhere when the file has no ids at all. */
function plainTasks(document: MarkdownDocument, definitions: readonly Definition[], report: Report): Draft[] {
  const headings = document.drafts.filter(
    draft =>
      draft.origin === "heading" &&
      draft.head.id === undefined &&
      draft.head.box !== undefined &&
      idParent(draft) === undefined,
  );
  const items = plainBoxes(document.drafts);
  const taken = new Set(definitions.map(definition => String(definition.phase)));
  const listed = items.filter(
    draft =>
      findSection(draft.section, section => section.phase !== undefined) !== undefined &&
      findSection(draft.section, section => section.phase === undefined && isChecklist(section)) ===
        undefined,
  );
  const isTaken = (draft: Draft) => taken.has(String(phaseOf(draft)));
  const inPhases = listed.filter(draft => !isTaken(draft));
  reportPlainBoxes(listed.filter(isTaken), "phase", report);
  const withIds = new Set(definitions.map(({ draft }) => draft.section));
  const isInPhase = new Set(listed);
  const beside = items.filter(draft => !isInPhase.has(draft) && withIds.has(draft.section));
  reportPlainBoxes(beside, "list", report);
  const outside = items.filter(draft => !isOfChecklist(draft));
  // A heading that is also one of a phase takes nothing from boxes elsewhere.
  const isOnlyTask = ({ head }: Draft) => head.phase === undefined;
  if (definitions.length + inPhases.length === 0 && !headings.some(isOnlyTask))
    return outside.length + headings.length > 0 ? [...headings, ...outside] : items;
  reportOpenBoxes(document, new Set([...listed, ...beside]), report);
  return [...headings, ...inPhases];
}

/** Five letters and digits from a title: the id of a task that has none keeps when others come and go. */
function titleHash(title: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < title.length; i++) hash = Math.imul(hash ^ title.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, "0").slice(-5);
}

function definePlain(drafts: readonly Draft[]): Definition[] {
  const used = new Map<string, number>();
  return drafts.map(draft => {
    const phase = phaseOf(draft);
    const base = `P${phase}-${titleHash(plainTitle(draft.head.title))}`;
    const n = (used.get(base) ?? 0) + 1;
    used.set(base, n);
    const id = n === 1 ? base : `${base}-${n}`;
    return { id, phase, draft, others: [], parent: undefined, children: [], group: false };
  });
}

/** Ids that only stand in front of others: a bare heading with such an id is a title of the tasks that follow. */
function prefixes(definitions: readonly Definition[]): Set<string> {
  const found = new Set<string>();
  for (const { id } of definitions) {
    for (let i = 1; i < id.length; i++) if (id[i] === "-" || id[i] === ".") found.add(id.slice(0, i));
  }
  return found;
}

/** A group whose id others extend holds only those: `## P2-S5` does not own the `P2-V` that follows under it. */
function disownStrangers(definitions: readonly Definition[]): void {
  for (const definition of definitions) {
    const own = definition.children.filter(child => extendsId(child.id, definition.id));
    if (own.length === 0 || own.length === definition.children.length) continue;
    for (const child of definition.children)
      if (!extendsId(child.id, definition.id)) child.parent = definition.parent;
    definition.children.splice(0, definition.children.length, ...own);
  }
}

/** `P2-S3-V` verifies `P2-S3`; it is no part of the work that `P2-S3` would only group. */
function isVerification(child: Definition, parent: Definition): boolean {
  return /^[-.]V\d*(?:\.\d+)?$/.test(child.id.slice(parent.id.length));
}

/** A task with its own box that holds nothing but its verification is a task, not a container. */
function freeVerifications(definitions: readonly Definition[]): void {
  for (const definition of definitions) {
    if (definition.children.length === 0 || definition.draft.head.box === undefined) continue;
    if (!definition.children.every(child => isVerification(child, definition))) continue;
    for (const child of definition.children) child.parent = definition.parent;
    definition.children.length = 0;
  }
}

/** Rows and marked lines that add to a task without defining it. */
function mentionsOf(document: MarkdownDocument, definitions: readonly Definition[]): void {
  const byId = new Map(definitions.map(definition => [definition.id, definition]));
  const known = new Set(definitions.flatMap(definition => [definition.draft, ...definition.others]));
  for (const draft of document.drafts) {
    const adds =
      draft.origin === "row" ||
      (draft.origin === "item" && draft.head.box === undefined && draft.head.mark !== undefined);
    if (adds && draft.head.id !== undefined && !known.has(draft)) byId.get(draft.head.id)?.others.push(draft);
  }
}

/** Decides which drafts of a document in the house format are tasks, groups and mentions. */
export function judgeTasksMd(document: MarkdownDocument, report: Report): Definition[] {
  const series = inSeries(document.drafts);
  const firm = withoutMentions(document.drafts.filter(draft => isFirm(draft, series)));
  qualifyNumbers(firm);
  const found = [...firm, ...softer(document, firm)];
  const definitions = mergeById(found, report);
  linkByStructure(definitions);
  disownStrangers(definitions);
  freeVerifications(definitions);
  const named = prefixes(definitions);
  for (const definition of definitions) {
    if (definition.draft.head.box !== undefined) continue;
    const bare = definition.draft.fields.length === 0 && definition.draft.criteria === 0;
    definition.group = definition.children.length > 0 || (bare && named.has(definition.id));
    if (definition.group && !named.has(definition.id)) reportGroup(definition, report);
  }
  mentionsOf(document, definitions);
  // Of what only its surroundings make a task boxes elsewhere are as much.
  const isPlain = (draft: Draft) => hasOnlyBoxes(draft) || (series.has(draft) && !draft.head.setOff);
  const plain = definePlain(
    plainTasks(
      document,
      definitions.filter(({ group, draft }) => !group && draft.head.shape !== "milestone" && !isPlain(draft)),
      report,
    ),
  );
  reportItems(document, [...definitions, ...plain], report);
  return [...definitions, ...plain].sort((a, b) => a.draft.start - b.draft.start);
}
