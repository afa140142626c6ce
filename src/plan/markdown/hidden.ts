import { skipSpaces } from "../syntax/chars.ts";
import { readField } from "../syntax/field.ts";
import { readHead } from "../syntax/head.ts";
import type { Line, Unclosed } from "../syntax/scan.ts";

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
  /** Of a fence: a line in it can only open another fence, so that its end may be that of the other one. */
  opens: boolean;
  /** Of a fence: a command of a task. */
  command: boolean;
  /** Ids of the lines that would define a task if they stood in the open, and where. */
  readonly tasks: { readonly id: string; readonly line: number }[];
  /** Lines that would be a field of the task above. */
  readonly fields: { readonly text: string; readonly line: number }[];
}

/** Watches what stands in fences, comments, quotes and indented code. */
export interface HiddenReader {
  /** A line that is hidden; lines of one block in a row. Says whether it would define a task. */
  add(what: Hidden["what"], line: Line, inTask: boolean): boolean;
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
        opens: false,
        command: false,
        tasks: [],
        fields: [],
      };
      if (line.body < line.end || line.kind === "close") open.end = line.number;
      if (line.kind === "close") {
        if (!line.marked) open.ends = "container";
        close();
      } else if (line.kind !== "open") return look(open, line, inTask);
      return false;
    },
    finish(unclosed) {
      if (open !== undefined && unclosed !== undefined) open.ends = "file";
      close();
      return all;
    },
  };

  function look(hidden: Hidden, line: Line, inTask: boolean): boolean {
    if (hidden.what === "fence")
      hidden.opens ||= /^(?:`{3,}|~{3,}) *[A-Za-z]/.test(
        text.slice(line.body, Math.min(line.body + 12, line.end)),
      );
    const id = taskIn(line);
    if (id !== undefined) hidden.tasks.push({ id, line: line.number });
    else if (hidden.what === "indented" && inTask) {
      const at = line.body;
      const hit = readField(text, at, line.end);
      if (hit !== undefined && hit.valueStart < hit.valueEnd)
        hidden.fields.push({ text: text.slice(hit.nameStart, line.end).slice(0, 60), line: line.number });
    }
    return id !== undefined;
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
