import { beginsMerge } from "../../markdown/index.ts";
import { told } from "../../text/index.ts";
import type { Limits } from "../limits.ts";
import { NOWHERE, type Report } from "../report.ts";
import { readBox } from "../syntax/box.ts";
import { isSpace } from "../syntax/chars.ts";
import { readFields } from "../syntax/field.ts";
import { fieldKey } from "../syntax/field-key.ts";
import { GOES_ON } from "../syntax/fields.ts";
import { type Head, readHead, titleOf } from "../syntax/head.ts";
import { createSpelling } from "../syntax/misspelt.ts";
import { type Line, readFrontMatter, scanLines } from "../syntax/scan.ts";
import { mentionOfWait } from "../syntax/waits.ts";
import { asBareTask } from "./bare-phase.ts";
import type { Draft, Field, MarkdownDocument, Named, Section } from "./document.ts";
import { createFieldReader, fieldOf } from "./field-reader.ts";
import { createHiddenReader } from "./hidden.ts";
import { reportOddId } from "./left-out.ts";
import { createLineRuns } from "./line-runs.ts";
import { createOutline } from "./outline.ts";
import { asInner, asPart, asTask, asTopic, opensPhase, readHeading, sectionOf } from "./section.ts";
import { createTableReader } from "./table.ts";

/** How a format reads its lines. */
export interface Grammar {
  /** Plain numbers are ids (`- [ ] 1.2 Title`). */
  readonly numbers: boolean;
}

/** Level of a bold paragraph that heads a task: below all real headings. */
export const BOLD_LEVEL = 9;

/** Most characters of a line that may be a mention of another task. */
const MAX_MENTION = 160;

/** Takes a Markdown task file apart: sections, drafts with their fields and criteria, diagrams. One pass. */
export function collect(text: string, grammar: Grammar, limits: Limits, report: Report): MarkdownDocument {
  const front = readFrontMatter(text);
  const drafts: Draft[] = [];
  const sections: Section[] = [];
  const fileFields: Field[] = [];
  const outline = createOutline();
  const fields = createFieldReader(text);
  const table = createTableReader(text);
  const maxDrafts = limits.tasks * 2;
  const spelling = createSpelling();
  const innerRows: Named[] = [];
  const several: Named[] = [];
  const hidden = createHiddenReader(text, grammar.numbers);
  const passed = createLineRuns();
  let title = "";
  let lastEnd = front.after.offset;

  function addDraft(
    origin: Draft["origin"],
    head: Head,
    line: Line,
    parent: Draft | undefined,
    stateCell?: Draft["stateCell"],
  ): Draft {
    const draft: Draft = {
      origin,
      head,
      line: line.number,
      column: (head.id === undefined ? line.body : head.idAt) - line.start + 1,
      level: origin === "heading" ? line.level : 0,
      indent: line.indent,
      start: line.start,
      end: line.end,
      section: outline.section(),
      parent,
      fields: [],
      mentions: [],
      criteria: 0,
      criteriaDone: 0,
      bodyAt: line.body,
      stateCell,
    };
    drafts.push(draft);
    return draft;
  }

  function openSection(head: Head, line: Line): Section {
    const section = sectionOf(head, line.level, outline.section());
    sections.push(section);
    return section;
  }

  function onHeading(line: Line): void {
    outline.closeHeadings(line.level, lastEnd);
    fields.close();
    if (line.body >= line.end) return;
    const inner = asInner(readHeading(text, line.body, line.end), outline.section());
    const parent = outline.headingOwner();
    const head = asPart(asTopic(inner, text, line, outline.section()), parent);
    reportOddId(text, line, head, report);
    if (head.several && head.shape === "task" && head.box === undefined)
      several.push({ head, line: line.number, column: head.idAt - line.start + 1 });
    if (title === "" && line.level === 1) title = titleOf(text, line.body, line.end).title;
    if (parent?.head.id !== undefined && line.end - line.body < 60) {
      const key = fieldKey(
        text
          .slice(line.body, line.end)
          .replace(/[*`:：]/g, "")
          .trim(),
      );
      if (key !== undefined && GOES_ON.has(key)) {
        fields.openHeading(parent, key, line);
        return;
      }
    }
    const isPhase = opensPhase(head);
    const section = openSection(head, line);
    const isTask =
      head.id === undefined ? head.box !== undefined && parent?.head.id === undefined : !head.several;
    const task = isPhase && head.shape !== "milestone" ? asBareTask(head, text, line) : head;
    if (isTask && (task !== head || !isPhase || head.shape === "milestone")) {
      const draft = addDraft("heading", task, line, parent);
      outline.openHeading({ level: line.level, section, draft, own: true });
      return;
    }
    if (head.id === undefined && head.box !== undefined && parent !== undefined) countCriterion(parent, head);
    outline.openHeading({ level: line.level, section, draft: isPhase ? undefined : parent, own: false });
  }

  function onItem(line: Line, read: Head): void {
    const sibling = outline.closeItems(line.indent, lastEnd);
    const parent = outline.owner();
    const inner = asInner(read, outline.section());
    const head = parent === undefined ? asTask(inner, text, line) : inner;
    if (head.box !== undefined) reportOddId(text, line, head, report);
    const isId = head.id !== undefined && !head.several && head.shape !== "phase";
    const inTask = parent?.head.id !== undefined && parent.head.shape !== "milestone";
    const isPlain =
      head.id === undefined &&
      (head.phase === undefined || head !== inner) &&
      head.title !== "" &&
      parent === undefined;
    const defines =
      head.box !== undefined
        ? isId || isPlain
        : isId && head.shape === "task" && (head.setOff || head.mark !== undefined) && !inTask;
    if (defines) {
      fields.close();
      outline.openItem({ indent: line.indent, draft: addDraft("item", head, line, parent), own: true });
      return;
    }
    const target = parent ?? sibling;
    if (head.box !== undefined) {
      fields.close();
      if (parent !== undefined && (inTask || parent.head.id === undefined)) countCriterion(parent, head);
    } else {
      const hits = target === undefined ? [] : readFields(text, line.body, line.end);
      if (target !== undefined && hits.length > 0) fields.add(target, hits, line, outline.depthIn(target));
      else {
        fields.close();
        if (target?.head.id !== undefined) {
          noteMention(target, line);
          checkName(line);
        }
      }
    }
    outline.openItem({
      indent: line.indent,
      draft: parent,
      own: false,
      follows: parent === undefined ? sibling : undefined,
    });
  }

  /** A bullet that begins as if it named what comes first, and goes on as a sentence. */
  function noteMention({ mentions }: Draft, { number, start, body, end }: Line): void {
    if (end - body > MAX_MENTION) return;
    const words = text.slice(body, end);
    if (mentionOfWait(words) === 0) mentions.push({ text: words, line: number, column: body - start + 1 });
  }

  /** A paragraph may begin with any word; in one only what is written as we write names counts. */
  function checkName(line: Line, onlyPlain = false): void {
    const found = spelling(text, line.body, line.end);
    if (found === undefined || (onlyPlain && !found.plain)) return;
    report.add(
      found.plain ? "warning" : "info",
      "FIELD_NAME",
      { line: line.number, column: found.at - line.start + 1, length: found.name.length },
      told`"${found.name}" is no field`,
      told`did you mean ${found.meant}?`,
    );
  }

  /** `**T1.1: Title**` as a paragraph heads a task like a heading does. */
  function isBoldHead(line: Line): Head | undefined {
    if (!line.afterBlank || line.quoted || !text.startsWith("**", line.body)) return undefined;
    const owner = outline.owner();
    if (owner?.head.id !== undefined && owner.level !== BOLD_LEVEL) return undefined;
    const head = readHead(text, line.body, line.end, false);
    return head.id !== undefined && head.shape === "task" && head.setOff && !head.several ? head : undefined;
  }

  /** An underlined paragraph is mostly one above a rule: it heads something only where it names a task or phase. */
  function isUnderlinedHead(line: Line): boolean {
    const head = readHeading(text, line.body, line.end);
    return opensPhase(head) || (head.id !== undefined && (head.box !== undefined || head.setOff));
  }

  function onText(line: Line): void {
    if (line.afterBlank || line.quoted) outline.closeItems(line.quoted ? 0 : line.indent, lastEnd);
    if (
      text.charCodeAt(line.body) === 91 &&
      !line.quoted &&
      readBox(text, line.body, line.end) !== undefined
    ) {
      const head = readHead(text, line.body, line.end, grammar.numbers);
      if (head.box?.at === line.body) {
        onItem(line, head);
        return;
      }
    }
    if (line.underline > 0 && !line.quoted && isUnderlinedHead(line)) {
      line.level = line.underline;
      onHeading(line);
      return;
    }
    const bold = isBoldHead(line);
    if (bold !== undefined) {
      line.level = BOLD_LEVEL;
      outline.closeHeadings(BOLD_LEVEL, lastEnd);
      fields.close();
      const draft = addDraft("heading", bold, line, outline.headingOwner());
      outline.openHeading({ level: BOLD_LEVEL, section: openSection(bold, line), draft, own: true });
      return;
    }
    const target = outline.owner();
    const hits = target !== undefined || sections.length < 2 ? readFields(text, line.body, line.end) : [];
    if (hits.length === 0) {
      fields.close();
      if (target?.head.id !== undefined && !line.quoted) checkName(line, true);
    } else if (target !== undefined) fields.add(target, hits, line, outline.depthIn(target));
    else for (const hit of hits) fileFields.push(fieldOf(text, hit, line, 0));
  }

  function onRow(line: Line): void {
    outline.closeItems(line.indent, lastEnd);
    const row = table.read(line);
    if (row === undefined) return;
    const target = outline.owner();
    const inTask = target?.head.id !== undefined && target.head.shape !== "milestone";
    if (inTask && row.pair !== undefined)
      target.fields.push({ ...row.pair, plain: false, depth: 0, below: [] });
    if (inTask && row.head !== undefined && row.head.id !== target.head.id)
      innerRows.push({ head: row.head, line: line.number, column: line.body - line.start + 1 });
    if (inTask || row.head === undefined) return;
    const draft = addDraft("row", row.head, line, undefined, row.stateCell);
    for (const field of row.fields) draft.fields.push({ ...field, plain: false, depth: 0, below: [] });
  }

  /** Bullets of a task are not meant as code, however deep; what would be a task of its own is not read. */
  function onIndented(line: Line): void {
    const inTask = outline.owner()?.head.id !== undefined;
    const isItem = inTask && line.kind === "item";
    const isTask = hidden.add("indented", line, inTask && !isItem);
    if (isItem && !isTask) onItem(line, readHead(text, line.body, line.end, grammar.numbers, true));
  }

  function onLine(line: Line): boolean {
    if (drafts.length > maxDrafts) return false;
    if (line.kind === "open" || line.kind === "code" || line.kind === "close") {
      table.end();
      passed.add(line.number);
      hidden.add("fence", line, false);
      if (fields.fence(line, outline.owner())) hidden.isCommand();
      lastEnd = line.end;
      return true;
    }
    if (beginsMerge(text, line.start)) reportConflict(line, report);
    if (line.kind === "comment" || line.kind === "html") {
      if (line.kind === "comment") passed.add(line.number);
      hidden.add(line.kind, line, false);
      return true;
    }
    if (line.quoted) hidden.add("quote", line, false);
    else if (!line.indented) hidden.close();
    if (line.kind !== "row") table.end();
    if (line.quoted) line.kind = "text";
    if (!fields.takes(line)) {
      if (line.indented) onIndented(line);
      else if (line.kind === "heading") onHeading(line);
      else if (line.kind === "item") onItem(line, readHead(text, line.body, line.end, grammar.numbers, true));
      else if (line.kind === "row") onRow(line);
      else onText(line);
    }
    if (fields.isCommand(line)) passed.add(line.number);
    if (!isRule(text, line)) lastEnd = line.end;
    return true;
  }

  const unclosed = scanLines(text, front.after, limits.lineLength, onLine, (line, length) => {
    report.add(
      "error",
      "LINE_TOO_LONG",
      { line, column: 1 },
      told`line ${line} has ${length} characters; at most ${limits.lineLength} are read`,
      told`break the line, or name another file`,
    );
  });
  outline.closeHeadings(0, lastEnd);
  if (drafts.length > maxDrafts) {
    report.add(
      "error",
      "TOO_MANY_TASKS",
      NOWHERE,
      told`the file holds more than ${limits.tasks} tasks`,
      told`split the plan into several task files`,
    );
  }
  return {
    text,
    drafts,
    sections,
    diagrams: fields.diagrams,
    innerRows,
    several,
    hidden: hidden.finish(unclosed),
    passed,
    frontLines: front.after.line - 1,
    heading: title,
    front: front.values,
    fields: fileFields,
  };
}

function countCriterion(draft: Draft, head: Head): void {
  draft.criteria++;
  if (head.box?.state !== undefined && head.box.state !== "open") draft.criteriaDone++;
}

function reportConflict(line: Line, report: Report): void {
  report.add(
    "error",
    "CONFLICT_MARKERS",
    { line: line.number, column: 1, length: 7 },
    told`an unfinished merge left its markers here`,
    told`finish the merge, then try again`,
  );
}

/** `---`, `***`, `___`: a rule between blocks belongs to neither. */
function isRule(text: string, line: Line): boolean {
  const mark = text.charCodeAt(line.body);
  if (line.kind !== "text" || line.end - line.body > 80 || (mark !== 45 && mark !== 42 && mark !== 95))
    return false;
  let marks = 0;
  for (let i = line.body; i < line.end; i++) {
    if (text.charCodeAt(i) === mark) marks++;
    else if (!isSpace(text.charCodeAt(i))) return false;
  }
  return marks >= 3;
}
