import { isColon, isSpace, skipSpaces } from "./chars.ts";
import type { Diagram, Draft, Field, MarkdownDocument, Piece, Section } from "./document.ts";
import { type FieldHit, readField, readFields } from "./field.ts";
import { type FieldKey, fieldKey } from "./field-names.ts";
import { type Head, readHead } from "./head.ts";
import type { Limits } from "./limits.ts";
import { phaseInParentheses, toPhase } from "./phase.ts";
import { NOWHERE, type Report } from "./report.ts";
import { type Line, readFrontMatter, scanLines } from "./scan.ts";
import { createTableReader } from "./table.ts";

/** How a format reads its lines. */
export interface Grammar {
  /** Plain numbers are ids (`- [ ] 1.2 Title`). */
  readonly numbers: boolean;
  /** Boxes without an id may be tasks. */
  readonly plainBoxes: boolean;
}

/** Fields whose value may go on in the lines below. */
const MULTILINE: ReadonlySet<FieldKey> = new Set<FieldKey>([
  "depends",
  "blocks",
  "parallel",
  "specialist",
  "files",
  "worktree",
  "run",
  "verify",
  "test",
  "expects",
]);
const CODE_FIELDS: ReadonlySet<FieldKey> = new Set<FieldKey>(["run", "verify", "test", "worktree"]);
/** What a YAML block below a task may say about it. Commands are not among it. */
const YAML_FIELDS: ReadonlySet<FieldKey> = new Set<FieldKey>(["depends", "parallel", "specialist", "worktree", "files", "risk"]);

interface OpenField {
  readonly field: Field;
  readonly indent: number;
  readonly isItem: boolean;
}

interface HeadingFrame {
  readonly level: number;
  readonly section: Section;
  readonly draft: Draft | undefined;
  readonly own: boolean;
}

interface ItemFrame {
  readonly indent: number;
  readonly draft: Draft | undefined;
  readonly own: boolean;
  /** The task item of the same list this bullet follows. */
  readonly follows?: Draft | undefined;
}

/** Takes a Markdown task file apart: sections, drafts with their fields and criteria, diagrams. One pass. */
export function collect(text: string, grammar: Grammar, limits: Limits, report: Report): MarkdownDocument {
  const front = readFrontMatter(text);
  const drafts: Draft[] = [];
  const sections: Section[] = [];
  const diagrams: Diagram[] = [];
  const fileFields: Field[] = [];
  const headings: HeadingFrame[] = [];
  const items: ItemFrame[] = [];
  const table = createTableReader(text);
  let title = "";
  let open: OpenField | undefined;
  let code: { field: Field; lines: string[]; indent: number } | undefined;
  let yaml: Draft | undefined;
  let diagram: { start: number; line: number } | undefined;
  let lastEnd = front.after.offset;

  const section = () => headings.at(-1)?.section;
  const headingOwner = () => headings.at(-1)?.draft;
  const owner = () => items.at(-1)?.draft ?? headingOwner();

  function closeItems(indent: number): Draft | undefined {
    let sibling: Draft | undefined;
    for (let top = items.at(-1); top !== undefined && top.indent >= indent; top = items.at(-1)) {
      if (top.own && top.draft !== undefined) top.draft.end = lastEnd;
      if (top.indent === indent) sibling = top.own ? top.draft : top.follows;
      items.pop();
    }
    return sibling;
  }

  function closeHeadings(level: number): void {
    closeItems(0);
    for (let top = headings.at(-1); top !== undefined && top.level >= level; top = headings.at(-1)) {
      if (top.own && top.draft !== undefined) top.draft.end = lastEnd;
      headings.pop();
    }
  }

  function addDraft(origin: Draft["origin"], head: Head, line: Line, parent: Draft | undefined): Draft {
    const draft: Draft = {
      origin,
      head,
      line: line.number,
      column: (head.id === undefined ? line.body : head.idAt) - line.start + 1,
      level: origin === "heading" ? line.level : 0,
      indent: line.indent,
      start: line.start,
      end: line.end,
      section: section(),
      parent,
      fields: [],
      criteria: 0,
      criteriaDone: 0,
      bodyAt: line.body,
    };
    drafts.push(draft);
    return draft;
  }

  function countCriterion(draft: Draft, head: Head): void {
    draft.criteria++;
    if (head.box?.state === "done" || head.box?.state === "skip") draft.criteriaDone++;
  }

  function addFields(draft: Draft, hits: readonly FieldHit[], line: Line): void {
    for (const hit of hits) {
      const field: Field = {
        key: hit.key,
        text: text.slice(hit.valueStart, hit.valueEnd),
        line: line.number,
        column: hit.valueStart - line.start + 1,
        plain: hit.plain,
        depth: items.filter(frame => !frame.own && frame.draft === draft).length,
        below: [],
      };
      draft.fields.push(field);
      open = MULTILINE.has(hit.key) ? { field, indent: line.indent, isItem: line.kind === "item" } : undefined;
    }
  }

  /** Lines below a field that belong to its value. */
  function continuesField(line: Line): boolean {
    if (open === undefined || (line.kind !== "item" && line.kind !== "text")) return false;
    const isBelow = open.isItem
      ? line.indent > open.indent
      : open.field.text === "" && line.kind === "item" && line.indent >= open.indent;
    if (!isBelow) return false;
    const other = readField(text, line.body, line.end);
    if (other !== undefined && other.key !== open.field.key && other.key !== "files" && other.key !== "test") return false;
    const { box } = readHead(text, line.body, line.end, false);
    const at = skipSpaces(text, box !== undefined && box.at === line.body ? box.end : line.body, line.end);
    open.field.below.push({ text: text.slice(at, line.end), line: line.number, column: at - line.start + 1 });
    return true;
  }

  /** A heading may carry numbering (`1. Phase 1`) or, with a box, a number as its id (`[ ] 1.1 Title`). */
  function readHeading(line: Line): Head {
    const head = readHead(text, line.body, line.end, false);
    if (head.id !== undefined || head.phase !== undefined) return head;
    if (head.box !== undefined) return readHead(text, line.body, line.end, true);
    const numbered = readHead(text, line.body, line.end, true);
    if (numbered.id === undefined) return head;
    const words = readHead(text, numbered.idAt + numbered.id.length + 1, line.end, false);
    return words.phase === undefined ? head : words;
  }

  function onHeading(line: Line): void {
    const head = readHeading(line);
    if (title === "" && line.level === 1) title = text.slice(line.body, line.end).trim();
    const asField = fieldKey(text.slice(line.body, Math.min(line.end, line.body + 60)).trim());
    closeHeadings(line.level);
    open = undefined;
    const parent = headingOwner();
    if (asField !== undefined && MULTILINE.has(asField) && parent?.head.id !== undefined) {
      const field: Field = { key: asField, text: "", line: line.number, column: 1, plain: false, depth: 0, below: [] };
      parent.fields.push(field);
      open = { field, indent: 0, isItem: false };
      return;
    }
    const isPhase = head.id === undefined ? head.phase !== undefined : head.shape === "phase" || head.shape === "milestone";
    const own = sectionOf(head, line, isPhase, section());
    sections.push(own);
    const isTask = head.id === undefined ? head.box !== undefined : !head.several;
    if (isTask && !isPhase && !(head.id === undefined && parent?.head.id !== undefined)) {
      const draft = addDraft("heading", head, line, parent);
      headings.push({ level: line.level, section: own, draft, own: true });
      return;
    }
    if (head.id === undefined && head.box !== undefined && parent !== undefined) countCriterion(parent, head);
    const milestone = head.shape === "milestone" && !head.several ? addDraft("heading", head, line, parent) : undefined;
    headings.push({ level: line.level, section: own, draft: milestone ?? (isPhase ? undefined : parent), own: milestone !== undefined });
  }

  function onItem(line: Line, head: Head): void {
    const sibling = closeItems(line.indent);
    const parent = owner();
    const isId = head.id !== undefined && !head.several && head.shape !== "phase";
    const inTask = parent?.head.id !== undefined && parent.head.shape !== "milestone";
    if (head.box !== undefined && isId) {
      items.push({ indent: line.indent, draft: addDraft("item", head, line, parent), own: true });
      open = undefined;
      return;
    }
    if (isId && head.shape === "task" && head.setOff && !inTask) {
      items.push({ indent: line.indent, draft: addDraft("item", head, line, parent), own: true });
      open = undefined;
      return;
    }
    if (head.box !== undefined) {
      open = undefined;
      if (parent !== undefined && (inTask || parent.head.id === undefined)) countCriterion(parent, head);
      else if (grammar.plainBoxes && head.title !== "" && head.id === undefined && head.phase === undefined) {
        items.push({ indent: line.indent, draft: addDraft("item", head, line, parent), own: true });
        return;
      }
      items.push({ indent: line.indent, draft: parent, own: false });
      return;
    }
    const target = parent ?? sibling;
    const hits = target === undefined ? [] : readFields(text, line.body, line.end);
    if (target !== undefined && hits.length > 0) addFields(target, hits, line);
    else open = undefined;
    items.push({ indent: line.indent, draft: parent, own: false, follows: parent === undefined ? sibling : undefined });
  }

  function onText(line: Line): void {
    if (line.afterBlank || line.quoted) closeItems(line.quoted ? 0 : line.indent);
    const first = text.charCodeAt(line.body);
    if (first === 91 && !line.quoted) {
      const head = readHead(text, line.body, line.end, grammar.numbers);
      if (head.box?.at === line.body && (head.id !== undefined || grammar.plainBoxes)) return onItem(line, head);
    }
    const target = owner();
    if (first === 42 && line.afterBlank && !line.quoted && target?.head.id === undefined && text.charCodeAt(line.body + 1) === 42) {
      const head = readHead(text, line.body, line.end, false);
      if (head.id !== undefined && head.shape === "task" && head.setOff && !head.several) {
        line.level = 9;
        closeHeadings(9);
        const own = sectionOf(head, line, false, section());
        headings.push({ level: 9, section: own, draft: addDraft("heading", head, line, headingOwner()), own: true });
        return;
      }
    }
    const hits = target !== undefined || sections.length < 2 ? readFields(text, line.body, line.end) : [];
    if (hits.length === 0) {
      open = undefined;
      return;
    }
    if (target !== undefined) addFields(target, hits, line);
    else for (const hit of hits) fileFields.push(fileField(hit, line));
  }

  function fileField(hit: FieldHit, line: Line): Field {
    const value = text.slice(hit.valueStart, hit.valueEnd);
    return { key: hit.key, text: value, line: line.number, column: 1, plain: hit.plain, depth: 0, below: [] };
  }

  function onRow(line: Line): void {
    const row = table.read(line);
    if (row === undefined) return;
    const target = owner();
    if (target?.head.id !== undefined && row.pair !== undefined) {
      target.fields.push({ ...row.pair, plain: false, depth: 0, below: [] });
      return;
    }
    if (row.head === undefined || (target?.head.id !== undefined && target.head.shape !== "milestone")) return;
    const draft = addDraft("row", row.head, line, undefined);
    drafts[drafts.length - 1] = row.stateCell === undefined ? draft : { ...draft, stateCell: row.stateCell };
    for (const field of row.fields) draft.fields.push({ ...field, plain: false, depth: 0, below: [] });
  }

  function onFence(line: Line): void {
    if (line.kind === "open") {
      const target = owner();
      if (line.info.toLowerCase().startsWith("mermaid") && !line.quoted) diagram = { start: line.end, line: line.number };
      else if (open !== undefined && CODE_FIELDS.has(open.field.key) && open.field.code === undefined && isShell(line.info)) {
        code = { field: open.field, lines: [], indent: line.indent };
      } else if (/^ya?ml\b/i.test(line.info) && target?.head.id !== undefined) yaml = target;
      return;
    }
    if (line.kind === "code") {
      if (code !== undefined) code.lines.push(dedent(text, line, code.indent));
      else if (yaml !== undefined) readYamlLine(yaml, line);
      return;
    }
    if (diagram !== undefined) diagrams.push({ ...diagram, end: line.start });
    if (code !== undefined) code.field.code = code.lines.join("\n");
    diagram = undefined;
    code = undefined;
    yaml = undefined;
    open = undefined;
  }

  function readYamlLine(draft: Draft, line: Line): void {
    if (line.indent > 0 || line.body >= line.end) {
      const last = draft.fields.at(-1);
      if (last !== undefined && text.charCodeAt(line.body) === 45) last.below.push(pieceOf(line, skipSpaces(text, line.body + 1, line.end)));
      return;
    }
    const hit = readField(text, line.body, line.end);
    if (hit === undefined || !YAML_FIELDS.has(hit.key) || !isColon(text.charCodeAt(hit.nameStart + keyLength(hit)))) return;
    draft.fields.push({ ...fileField(hit, line), column: hit.valueStart - line.start + 1, plain: false });
  }

  function keyLength(hit: FieldHit): number {
    let at = hit.nameStart;
    while (at < hit.valueStart && !isColon(text.charCodeAt(at))) at++;
    return at - hit.nameStart;
  }

  function pieceOf(line: Line, at: number): Piece {
    return { text: text.slice(at, line.end), line: line.number, column: at - line.start + 1 };
  }

  const unclosed = scanLines(
    text,
    front.after,
    limits.lineLength,
    line => {
      if (drafts.length > limits.tasks * 2) return false;
      if (line.kind !== "row") table.end();
      const isFence = line.kind === "open" || line.kind === "code" || line.kind === "close";
      if (!isFence && text.startsWith("<<<<<<< ", line.start)) {
        report.add("error", "CONFLICT_MARKERS", { line: line.number, column: 1, length: line.end - line.start }, "an unfinished merge left its markers here", "finish the merge, then try again");
      }
      if (isFence) onFence(line);
      else if (line.quoted && line.kind !== "text") line.kind = "text";
      if (!isFence && !continuesField(line)) {
        if (line.kind === "heading") onHeading(line);
        else if (line.kind === "item") onItem(line, readHead(text, line.body, line.end, grammar.numbers));
        else if (line.kind === "row") onRow(line);
        else onText(line);
      }
      if (!isRule(text, line)) lastEnd = line.end;
      return true;
    },
    (number, length) => {
      report.add("error", "LINE_TOO_LONG", { line: number, column: 1 }, `line ${number} has ${length} characters; at most ${limits.lineLength} are read`, "break the line, or name another file");
    },
  );
  closeHeadings(0);
  if (drafts.length > limits.tasks * 2) {
    report.add("error", "TOO_MANY_TASKS", NOWHERE, `the file holds more than ${limits.tasks} tasks`, "split the plan into several task files");
  }
  if (unclosed !== undefined) {
    const what = unclosed.what === "fence" ? "code fence" : "HTML comment";
    report.add("warning", unclosed.what === "fence" ? "FENCE_OPEN" : "COMMENT_OPEN", { line: unclosed.line, column: 1 }, `the ${what} that begins here is never closed; nothing below it is read`, `close the ${what}`);
  }
  return { text, drafts, sections, diagrams, heading: title, front: front.values, fields: fileFields };
}

function sectionOf(head: Head, line: Line, isPhase: boolean, parent: Section | undefined): Section {
  const named = head.id === undefined ? undefined : { id: head.id, shape: head.shape };
  const inParentheses = phaseInParentheses(head.title);
  const fromId = named?.shape === "phase" && !head.several ? toPhase(named.id.slice(1)) : undefined;
  const milestone = named?.shape === "milestone" && !head.several ? named.id : undefined;
  const ofMilestone = milestone === undefined ? undefined : toPhase(milestone.slice(1));
  const phase = isPhase ? (inParentheses ?? fromId ?? head.phase ?? ofMilestone) : inParentheses;
  const mark = head.box?.state ?? head.mark;
  return {
    level: line.level,
    title: head.title,
    ...(phase === undefined ? {} : { phase }),
    weak: inParentheses === undefined && milestone !== undefined,
    ...(milestone === undefined ? {} : { milestone }),
    ...(mark === undefined ? {} : { mark }),
    ...(parent === undefined ? {} : { parent }),
  };
}

function isShell(info: string): boolean {
  const word = info.split(/[\s{]/, 1)[0]!.toLowerCase();
  return word === "" || ["sh", "bash", "shell", "zsh", "console", "powershell"].includes(word);
}

function dedent(text: string, line: Line, indent: number): string {
  let at = line.start;
  for (let columns = 0; columns < indent && at < line.body; columns++) at++;
  return text.slice(at, line.end);
}

/** `---`, `***`, `___`: a rule between blocks belongs to neither. */
function isRule(text: string, line: Line): boolean {
  const mark = text.charCodeAt(line.body);
  if (line.kind !== "text" || line.end - line.body > 80 || (mark !== 45 && mark !== 42 && mark !== 95)) return false;
  let marks = 0;
  for (let i = line.body; i < line.end; i++) {
    if (text.charCodeAt(i) === mark) marks++;
    else if (!isSpace(text.charCodeAt(i))) return false;
  }
  return marks >= 3;
}
