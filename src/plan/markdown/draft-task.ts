import { told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import type { State } from "../syntax/marks.ts";
import { normalPath, pathsIn } from "../syntax/paths.ts";
import { mentionOfWait } from "../syntax/waits.ts";
import type { Definition } from "./definition.ts";
import { type Field, findSection, type MarkdownDocument, type Piece } from "./document.ts";
import { titleFields } from "./title-fields.ts";
import { readHandedDown, readValues, tellIdle, type Values } from "./values.ts";

/** A task before its dependencies are looked up. */
export interface RawTask {
  readonly id: string;
  readonly definition: Definition;
  readonly title: string;
  readonly values: Values;
  readonly state: State;
  /** Values of dependency fields; undefined when there is no such field. */
  readonly depends: readonly Piece[] | undefined;
  /** Words that only sound as if they named what comes first. */
  readonly mentions: readonly Piece[];
  readonly blocks: readonly Piece[];
  readonly parallel: readonly Piece[];
  readonly text: string;
}

function piecesOf(fields: readonly Field[], key: Field["key"]): Piece[] | undefined {
  const named = fields.filter(field => field.key === key);
  if (named.length === 0) return undefined;
  const depth = named.reduce((least, field) => Math.min(least, field.depth), Number.POSITIVE_INFINITY);
  return named
    .filter(field => field.depth === depth)
    .flatMap(field => [field as Piece, ...field.below])
    .filter(piece => piece.text.trim() !== "");
}

/** The phases of which a heading says that they are done. */
function donePhases(document: MarkdownDocument): ReadonlySet<string> {
  const done = new Set<string>();
  for (const section of document.sections) {
    if (section.phase === undefined) continue;
    if (
      section.mark === "done" &&
      findSection(section.parent, outer => outer.phase === section.phase) === undefined
    )
      done.add(String(section.phase));
  }
  return done;
}

/** The state a definition is in: box, mark, status field, other places, criteria, its phase; the first that speaks. */
function stateOf(definition: Definition, values: Values, phases: ReadonlySet<string>): State {
  const { draft, others } = definition;
  if (draft.head.struck && draft.head.box?.state !== "done") return "skip";
  const own =
    draft.head.box?.state ?? (draft.head.box === undefined ? (draft.head.mark ?? values.state) : "open");
  if (own !== undefined) return own;
  for (const other of others) if (other.head.box?.state !== undefined) return other.head.box.state;
  for (const other of others)
    if (other.head.mark !== undefined && other.origin !== "heading") return other.head.mark;
  if (draft.criteria > 0) return draft.criteriaDone === draft.criteria ? "done" : "open";
  return phases.has(String(definition.phase)) ? "done" : "open";
}

/** What all tasks of a document are read with. */
export interface Drafting {
  readonly document: MarkdownDocument;
  /** Phases that their headings say are done. */
  readonly phases: ReadonlySet<string>;
  /** What containers and groups hand down, with what stands around them; read once each. */
  readonly handedDown: Map<Definition, Partial<Values>>;
  readonly report: Report;
}

/** Prepares the reading of a document's tasks. */
export function createDrafting(document: MarkdownDocument, report: Report): Drafting {
  return { document, phases: donePhases(document), handedDown: new Map(), report };
}

/** Reads what a definition says about its task. `end` is where its own block ends: at the latest where the next begins. */
export function rawTask(definition: Definition, end: number, drafting: Drafting): RawTask {
  const { document, phases, report } = drafting;
  const { draft, others, id } = definition;
  const { head } = draft;
  const titleAt = document.text.indexOf(head.title, draft.start + draft.column - 1);
  const inTitle = titleFields(head.title, draft.line, titleAt - draft.start + 1);
  const own = [...draft.fields, ...inTitle];
  const outer = others.filter(other => other.origin !== "row").flatMap(other => other.fields);
  const rows = others.filter(other => other.origin === "row").flatMap(other => other.fields);
  const said = readValues([...own, ...outer, ...rows], report);
  const above = handedDown(definition, drafting);
  const values: Values = above === NOTHING ? said : { ...above, ...said };
  if (head.box !== undefined && head.box.state === undefined) {
    report.add(
      "error",
      "BOX_MARK",
      { line: draft.line, column: draft.column, length: 1 },
      told`the box of ${id} holds "${document.text.slice(head.box.at + 1, head.box.close - 1)}", which is no known mark`,
      told`write [ ] or [x]; [-], [~] and [/] mean started`,
    );
  }
  if (values.tdd === undefined && /RED\s*(?:→|->)\s*GREEN/.test(head.title)) values.tdd = true;
  if (values.files.length === 0) values.files = [...new Set(pathsIn(head.title, true).map(normalPath))];
  return {
    id,
    definition,
    title: head.title,
    values,
    state: stateOf(definition, values, phases),
    depends: piecesOf(own, "depends") ?? piecesOf(outer, "depends") ?? piecesOf(rows, "depends"),
    mentions: [...mentionsIn(head.title, inTitle, draft.line, titleAt - draft.start + 1), ...draft.mentions],
    blocks: piecesOf([...own, ...outer], "blocks") ?? [],
    parallel: piecesOf(own, "parallel") ?? piecesOf(rows, "parallel") ?? [],
    text: document.text.slice(draft.start, end).trimEnd(),
  };
}

/** What a title says of other tasks without waiting for them. */
function mentionsIn(title: string, fields: readonly Field[], line: number, column: number): Piece[] {
  const at = fields.some(field => field.key === "depends") ? -1 : mentionOfWait(title);
  return at < 0 ? [] : [{ text: title.slice(at), line, column: column + at }];
}

const NOTHING: Partial<Values> = {};

/** What the containers and groups around a definition say for what stands in them; the nearest counts. */
function handedDown(definition: Definition, { handedDown: known, report }: Drafting): Partial<Values> {
  const passed: Definition[] = [];
  let found = NOTHING;
  for (let at = definition.parent; at !== undefined; at = at.parent) {
    const above = known.get(at);
    if (above !== undefined) {
      found = above;
      break;
    }
    passed.push(at);
  }
  for (const outer of passed.reverse()) {
    const { fields } = outer.draft;
    tellIdle(outer.id, fields, report);
    const own = readHandedDown(fields, report);
    if (own !== undefined) found = { ...found, ...own };
    known.set(outer, found);
  }
  return found;
}
