import type { Report } from "../report.ts";
import { comparePhases } from "../syntax/phase.ts";
import type { Phase } from "../types.ts";
import { type Definition, phaseOfHeadings } from "./definition.ts";
import type { Draft, MarkdownDocument } from "./document.ts";
import { reportOpenBoxes } from "./left-out.ts";
import { linkByStructure, mergeById } from "./merge.ts";

/** spec-kit: every box with an id is a task; nothing else is. */
export function judgeSpecKit(document: MarkdownDocument, report: Report): Definition[] {
  const tasks = document.drafts.filter(
    draft => draft.head.box !== undefined && draft.head.shape === "task" && !draft.head.several,
  );
  const definitions = mergeById(tasks, report);
  linkByStructure(definitions);
  reportOpenBoxes(document, new Set(), report);
  return definitions;
}

/** Boxes that stand deeper than a numbered task and begin with a bare number (`3 tests added`) are its details. */
function isNumbered(draft: Draft): boolean {
  const { id, box, shape, setOff } = draft.head;
  if (id === undefined || box === undefined || shape !== "number")
    return shape === "task" && box !== undefined;
  return id.includes(".") || setOff || draft.parent === undefined;
}

/** What the nearest number holds that a number goes on from: `1` for `1.2` where there is no other between. */
function holderOf<T>(id: string, byId: ReadonlyMap<string, T>): T | undefined {
  for (let dot = id.lastIndexOf("."); dot > 0; dot = id.lastIndexOf(".", dot - 1)) {
    const holder = byId.get(id.slice(0, dot));
    if (holder !== undefined) return holder;
  }
  return undefined;
}

/**
 * The phases of numbered boxes, whose order in the file is that of the work: of the headings that name phases each counts
 * until the next one. Undefined where they do not rise, or where a number stands in another phase than the one that holds it.
 */
function phasesInOrder(drafts: readonly Draft[]): ReadonlyMap<string, Phase> | undefined {
  const said = drafts.map(draft => phaseOfHeadings(draft.section));
  let now = said.find(phase => phase !== undefined);
  if (now === undefined) return undefined;
  const phases = new Map<string, Phase>();
  for (const [at, { head }] of drafts.entries()) {
    const next: Phase = said[at] ?? now;
    if (comparePhases(next, now) < 0) return undefined;
    now = next;
    // Of one that is named again the first place counts.
    if (head.id !== undefined && !phases.has(head.id)) phases.set(head.id, now);
  }
  for (const [id, phase] of phases)
    if (comparePhases(holderOf(id, phases) ?? phase, phase) !== 0) return undefined;
  return phases;
}

/** Kiro and cc-sdd: every box with a number is a task; `1` holds `1.1`, `1.2` … wherever they stand. */
export function judgeKiro(document: MarkdownDocument, report: Report): Definition[] {
  const drafts = document.drafts.filter(isNumbered);
  const phases = phasesInOrder(drafts);
  const definitions = mergeById(drafts, report, ({ head }) => phases?.get(head.id ?? "") ?? 1);
  const byId = new Map(definitions.map(definition => [definition.id, definition]));
  for (const definition of definitions) {
    const holder = holderOf(definition.id, byId);
    if (holder === undefined) continue;
    definition.parent = holder;
    holder.children.push(definition);
  }
  reportOpenBoxes(document, new Set(), report);
  return definitions;
}
