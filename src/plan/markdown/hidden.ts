import type { Report } from "../report.ts";
import { skipSpaces } from "../syntax/chars.ts";
import { readField } from "../syntax/field.ts";
import { readHead } from "../syntax/head.ts";
import type { Line, Unclosed } from "../syntax/scan.ts";
import type { Definition } from "./definition.ts";

/** Lines that Markdown does not show as text, with what in them looks like tasks. */
export interface Hidden {
  readonly what: "fence" | "comment" | "html" | "indented" | "quote";
  readonly line: number;
  /** The last line, 1-based. */
  end: number;
  /** What ends it: a mark of its own (or the open text), the list item or quote it stands in, the end of the file. */
  ends: "mark" | "container" | "file";
  /** Of a fence: the words behind its opening mark. */
  readonly info: string;
  /** Of a fence: a command of a task. */
  command: boolean;
  /** Ids of the lines that would define a task if they stood in the open, and where. */
  readonly tasks: { readonly id: string; readonly line: number }[];
  /** Lines that would be a field of the task above. */
  readonly fields: { readonly text: string; readonly line: number }[];
}

/** Watches what stands in fences, comments, quotes and indented code. */
export interface HiddenReader {
  /** A line that is hidden; lines of one block in a row. */
  add(what: Hidden["what"], line: Line, inTask: boolean): void;
  /** The open fence is a command of a task. */
  isCommand(): void;
  /** What is open ends above a line of the open text. */
  close(): void;
  finish(unclosed: Unclosed | undefined): readonly Hidden[];
}

/** Creates a reader of what a text hides. */
export function createHiddenReader(text: string, numbers: boolean): HiddenReader {
  const all: Hidden[] = [];
  let open: Hidden | undefined;

  function close(): void {
    if (open !== undefined && (open.ends !== "mark" || open.tasks.length + open.fields.length > 0))
      all.push(open);
    open = undefined;
  }

  return {
    close,
    isCommand() {
      if (open !== undefined) open.command = true;
    },
    add(what, line, inTask) {
      if (open?.what !== what || line.kind === "open") close();
      open ??= {
        what,
        line: line.number,
        end: 0,
        ends: "mark",
        info: line.info,
        command: false,
        tasks: [],
        fields: [],
      };
      if (line.body < line.end || line.kind === "close") open.end = line.number;
      if (line.kind === "close") {
        if (!line.marked) open.ends = "container";
        close();
      } else if (line.kind !== "open") look(open, line, inTask);
    },
    finish(unclosed) {
      if (open !== undefined && unclosed !== undefined) open.ends = "file";
      close();
      return all;
    },
  };

  function look(hidden: Hidden, line: Line, inTask: boolean): void {
    const id = taskIn(line);
    if (id !== undefined) hidden.tasks.push({ id, line: line.number });
    else if (hidden.what === "indented" && inTask) {
      const at = line.body;
      const hit = readField(text, at, line.end);
      if (hit !== undefined && hit.valueStart < hit.valueEnd)
        hidden.fields.push({ text: text.slice(hit.nameStart, line.end).slice(0, 60), line: line.number });
    }
  }

  /** The task that a line would define: a heading with an id, or an item with a box and an id. */
  function taskIn(line: Line): string | undefined {
    const from = text.startsWith("<!--", line.body) ? skipSpaces(text, line.body + 4, line.end) : line.body;
    let at = from;
    const mark = text.charCodeAt(at);
    let isHeading = line.kind === "heading" && line.level > 1;
    if (mark === 35) {
      while (text.charCodeAt(at) === 35) at++;
      if (text.charCodeAt(at) !== 32) return undefined;
      // One hash begins a comment in most languages: it needs a box to be a heading.
      isHeading = at > from + 1;
    } else if (!isHeading && line.kind !== "item") {
      // `- `, `* `, `+ `, `1. `: the reader of code does not look at bullets.
      at += /^(?:[-*+•]|\d{1,9}[.)]) +/.exec(text.slice(at, Math.min(at + 16, line.end)))?.[0].length ?? 0;
      if (at === from && mark !== 91) return undefined;
    }
    const head = readHead(text, at, line.end, numbers, true);
    if (head.id === undefined || head.several) return undefined;
    const isTask = head.shape === "task" || (numbers && head.shape === "number");
    return isTask && (head.box !== undefined || (isHeading && head.shape === "task")) ? head.id : undefined;
  }
}

/** What the info of a fence says that shows words, and Markdown: by its author's own word it holds no tasks. */
const SHOWN = /^(?:text|txt|plaintext|plain|diff|mermaid|html|xml|tree)\b/i;
const MARKDOWN = /^(?:markdown|md|mdx)\b/i;

const NAMED = 5;

function named(tasks: readonly { readonly id: string; readonly line: number }[]): string {
  const ids = tasks.slice(0, NAMED).map(task => `${task.id} on line ${task.line}`);
  return ids.join(", ") + (tasks.length > NAMED ? ` and ${tasks.length - NAMED} more` : "");
}

/** Reports what looks like a task, stands hidden, and is defined nowhere in the open. */
export function reportHidden(
  hidden: readonly Hidden[],
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  for (const block of hidden) {
    const lost = block.tasks.filter(task => !known.has(task.id));
    const place = { line: block.line, column: 1 };
    const told = block.ends === "file" && lost.length === 0 ? block.tasks : lost;
    if (told.length > 0) reportTasks(block, told, place, report);
    else if (block.command ? block.ends !== "mark" : block.ends === "file") reportOpen(block, place, report);
    for (const field of block.fields)
      report.add(
        "warning",
        "FIELD_HIDDEN",
        { line: field.line, column: 1 },
        `"${field.text}" is indented so far that it is code in Markdown; it is not read`,
        "indent it by less than four columns, or write it below a bullet",
      );
  }
}

function reportOpen(block: Hidden, place: { line: number; column: number }, report: Report): void {
  const what = block.what === "fence" ? "code fence" : "HTML comment";
  const end = block.ends === "file" ? "the file" : "its list item";
  report.add(
    block.command ? "error" : "warning",
    block.what === "fence" ? "FENCE_OPEN" : "COMMENT_OPEN",
    place,
    `the ${what} that begins here is never closed and ends with ${end} on line ${block.end}${block.command ? "" : "; nothing in it is read"}`,
    `close the ${what}`,
  );
}

function reportTasks(
  block: Hidden,
  tasks: Hidden["tasks"],
  place: { line: number; column: number },
  report: Report,
): void {
  const ids = named(tasks);
  const [{ line: first }] = tasks as [Hidden["tasks"][number]];
  const lines = `lines ${block.line} to ${block.end}`;
  switch (block.what) {
    case "fence":
      if (block.ends !== "mark")
        report.add(
          "error",
          "FENCE_OPEN",
          place,
          `the code fence that begins on line ${block.line} is never closed and runs to line ${block.end}; it swallows ${ids}`,
          `close the code fence above line ${first}`,
        );
      else if (SHOWN.test(block.info)) return;
      else if (!MARKDOWN.test(block.info))
        report.add(
          "error",
          "FENCE_OPEN",
          place,
          `the code fence from line ${block.line} to line ${block.end} swallows ${ids}; nothing in it is read`,
          `close it above line ${first}, or begin it with \`\`\`markdown if it only shows tasks`,
        );
      else
        report.add(
          "info",
          "TASK_HIDDEN",
          place,
          `the example in ${lines} shows ${ids}; nothing in a code fence is read`,
          "move them out of the fence if they are tasks",
        );
      return;
    case "comment":
      if (block.ends !== "mark")
        report.add(
          "error",
          "COMMENT_OPEN",
          place,
          `the HTML comment that begins on line ${block.line} is never closed and runs to line ${block.end}; it swallows ${ids}`,
          `close the HTML comment above line ${first}`,
        );
      else
        report.add(
          "info",
          "TASK_HIDDEN",
          place,
          `the HTML comment in ${lines} holds ${ids}; they are not read`,
          "move them out of the comment if they are tasks",
        );
      return;
    case "html":
      report.add(
        "warning",
        "TASK_HIDDEN",
        place,
        `the HTML in ${lines} holds ${ids}; Markdown in it is not read`,
        "move them out of the HTML element if they are tasks",
      );
      return;
    case "indented":
      report.add(
        "warning",
        "TASK_HIDDEN",
        { line: first, column: 1 },
        `${ids} is indented so far that it is code in Markdown; it is not read`,
        "indent it by less than four columns",
      );
      return;
    case "quote":
      report.add(
        "warning",
        "TASK_HIDDEN",
        { line: first, column: 1 },
        `the quote in ${lines} holds ${ids}; tasks in quotes are not read`,
        "take the quote marks off if they are tasks",
      );
  }
}
