import type { Report } from "../report.ts";
import { readField, readFields } from "../syntax/field.ts";
import { type FieldKey, fieldKey } from "../syntax/field-names.ts";
import type { State } from "../syntax/marks.ts";
import { normalPath, pathsIn } from "../syntax/paths.ts";
import type { Definition } from "./definition.ts";
import { type Field, findSection, type MarkdownDocument, type Piece } from "./document.ts";
import { readValues, type Values } from "./values.ts";

/** A task before its dependencies are looked up. */
export interface RawTask {
  readonly id: string;
  readonly definition: Definition;
  readonly title: string;
  readonly values: Values;
  readonly state: State;
  /** Values of dependency fields; undefined when there is no such field. */
  readonly depends: readonly Piece[] | undefined;
  readonly blocks: readonly Piece[];
  readonly parallel: readonly Piece[];
  readonly text: string;
}

/** Phrases that begin a dependency inside a title: `(depends on T012)`. */
const PHRASES = [
  "depends on",
  "dependent on",
  "depends:",
  "dep:",
  "deps:",
  "blocked by",
  "requires",
  "after",
  "needs",
  "의존",
  "선행",
  "依存",
  "依赖",
];

/** A role by its name: `(backend-specialist)`, `@test-engineer`. */
const ROLE =
  /^@?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-(?:specialist|agent|engineer|developer|designer|tester|reviewer|architect)$/;

const IN_TITLE: ReadonlySet<FieldKey> = new Set<FieldKey>(["depends", "specialist", "parallel"]);

/** What parentheses in a title say: dependencies, or fields as in `(담당: x, 의존: T1.1)`. */
export function titleFields(title: string, line: number, column: number): Field[] {
  if (!/[([{（@:：]|depends on/i.test(title)) return [];
  const fields: Field[] = [];
  for (let open = nextOpen(title, 0); open >= 0; open = nextOpen(title, open + 1)) {
    const close = matching(title, open);
    if (close < 0) break;
    const inner = title.slice(open + 1, close);
    const lower = inner.trimStart().toLowerCase();
    const lead = inner.length - inner.trimStart().length;
    const phrase = PHRASES.find(candidate => lower.startsWith(candidate));
    const at = { line, column: column + open + 1 };
    if (phrase !== undefined && /\d/.test(inner)) {
      const value = inner.slice(lead + phrase.length).replace(/^\s*[:：]?\s*/, "");
      const valueColumn = at.column + inner.length - value.length;
      fields.push({
        key: "depends",
        text: value,
        line,
        column: valueColumn,
        plain: false,
        depth: 0,
        below: [],
      });
    } else if (lower.startsWith("blocks ") && /\d/.test(inner)) {
      fields.push({ key: "blocks", text: inner.slice(lead + 7), ...at, plain: false, depth: 0, below: [] });
    } else if (ROLE.test(inner.trim()))
      fields.push({ key: "specialist", text: inner.trim(), ...at, plain: false, depth: 0, below: [] });
    else fields.push(...labelled(inner, at));
    open = close;
  }
  if (fields.length === 0) fields.push(...loose(title, line, column));
  const dash = title.toLowerCase().search(/[—–-] depends on t?\d/);
  if (dash >= 0 && fields.length === 0)
    fields.push({
      key: "depends",
      text: title.slice(dash + 13),
      line,
      column: column + dash + 13,
      plain: false,
      depth: 0,
      below: [],
    });
  const last = title.slice(title.lastIndexOf(" ") + 1);
  if (last.startsWith("@") && ROLE.test(last))
    fields.push({ key: "specialist", text: last, line, column, plain: false, depth: 0, below: [] });
  return fields;
}

function nextOpen(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if ("([{（".includes(text[i]!)) return i;
  return -1;
}

function matching(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const mark = text[i]!;
    if ("([{（".includes(mark)) depth++;
    else if (")]}）".includes(mark) && --depth === 0) return i;
  }
  return -1;
}

/** Fields behind a separator in the open title: `Login | 담당: x | 의존: T1.1`. */
function loose(title: string, line: number, column: number): Field[] {
  return readFields(title, 0, title.length)
    .filter(hit => hit.nameStart > 0 && IN_TITLE.has(hit.key))
    .map(hit => ({
      key: hit.key,
      text: title.slice(hit.valueStart, hit.valueEnd),
      line,
      column: column + hit.valueStart,
      plain: false,
      depth: 0,
      below: [],
    }));
}

function labelled(inner: string, at: { line: number; column: number }): Field[] {
  const fields: Field[] = [];
  let from = 0;
  for (const part of inner.split(/[,;|]/)) {
    const hit = readField(part, 0, part.length);
    if (hit !== undefined && IN_TITLE.has(hit.key)) {
      fields.push({
        key: hit.key,
        text: part.slice(hit.valueStart, hit.valueEnd),
        line: at.line,
        column: at.column + from + hit.valueStart,
        plain: false,
        depth: 0,
        below: [],
      });
    } else if (fields.length > 0 && fieldKey(part.split(/[:：]/, 1)[0]!) === undefined) {
      const last = fields[fields.length - 1]!;
      fields[fields.length - 1] = { ...last, text: `${last.text},${part}` };
    }
    from += part.length + 1;
  }
  return fields;
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
  /** The specialist a container or group hands down, read once each. */
  readonly handedDown: Map<Definition, string | undefined>;
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
  const values = readValues([...own, ...outer, ...rows], report);
  if (head.box !== undefined && head.box.state === undefined) {
    report.add(
      "error",
      "BOX_MARK",
      { line: draft.line, column: draft.column, length: 1 },
      `the box of ${id} holds "${document.text.slice(head.box.at + 1, head.box.close - 1)}", which is no known mark`,
      "write [ ] or [x]; [-], [~] and [/] mean started",
    );
  }
  if (values.specialist === undefined) {
    const inherited = specialistAbove(definition, drafting);
    if (inherited !== undefined) values.specialist = inherited;
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
    blocks: piecesOf([...own, ...outer], "blocks") ?? [],
    parallel: piecesOf(own, "parallel") ?? piecesOf(rows, "parallel") ?? [],
    text: document.text.slice(draft.start, end).trimEnd(),
  };
}

/** The nearest specialist that a container or group names for what stands in it. */
function specialistAbove(definition: Definition, { handedDown, report }: Drafting): string | undefined {
  const passed: Definition[] = [];
  let found: string | undefined;
  for (let at = definition.parent; at !== undefined && found === undefined; at = at.parent) {
    if (handedDown.has(at)) {
      found = handedDown.get(at);
      break;
    }
    passed.push(at);
    const fields = at.draft.fields.filter(field => field.key === "specialist");
    if (fields.length > 0) found = readValues(fields, report).specialist;
  }
  for (const outer of passed) handedDown.set(outer, found);
  return found;
}
