import { type Told, told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import type { Definition } from "./definition.ts";
import type { Hidden } from "./hidden.ts";

/** What the info of a fence says that shows words, and Markdown: by its author's own word it holds no tasks. */
const SHOWN = /^(?:text|txt|plaintext|plain|diff|mermaid|html|xml|tree)\b/i;
const MARKDOWN = /^(?:markdown|md|mdx)\b/i;

const NAMED = 5;

function named(tasks: readonly { readonly id: string; readonly line: number }[]): Told {
  const [first, ...rest] = tasks.slice(0, NAMED).map(task => told`${task.id} on line ${task.line}`);
  const ids = rest.reduce((before, next) => told`${before}, ${next}`, first!);
  return tasks.length > NAMED ? told`${ids} and ${tasks.length - NAMED} more` : ids;
}

/** Reports what looks like a task, stands hidden, and is defined nowhere in the open. */
export function reportHidden(
  hidden: readonly Hidden[],
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  const isOdd = hidden.some(block => block.what === "fence" && block.ends === "file");
  for (const block of hidden) {
    const lost = block.tasks.filter(task => !known.has(task.id));
    const place = { line: block.line, column: 1 };
    const shown = block.ends === "file" && lost.length === 0 ? block.tasks : lost;
    if (shown.length > 0) reportTasks(block, shown, place, report, isOdd);
    else if (block.command ? block.ends !== "mark" : block.ends === "file") reportOpen(block, place, report);
    for (const field of block.fields)
      report.add(
        "warning",
        "FIELD_HIDDEN",
        { line: field.line, column: 1 },
        told`"${field.text}" is indented so far that it is code in Markdown; it is not read`,
        told`indent it by less than four columns, or write it below a bullet`,
      );
  }
}

function reportOpen(block: Hidden, place: { line: number; column: number }, report: Report): void {
  const what = block.what === "fence" ? told`code fence` : told`HTML comment`;
  const end = block.ends === "file" ? told`the file` : told`its list item`;
  report.add(
    block.command ? "error" : "warning",
    block.what === "fence" ? "FENCE_OPEN" : "COMMENT_OPEN",
    place,
    block.command
      ? told`the ${what} that begins here is never closed and ends with ${end} on line ${block.end}`
      : told`the ${what} that begins here is never closed and ends with ${end} on line ${block.end}; nothing in it is read`,
    told`close the ${what}`,
  );
}

function reportTasks(
  block: Hidden,
  tasks: Hidden["tasks"],
  place: { line: number; column: number },
  report: Report,
  isOdd: boolean,
): void {
  const ids = named(tasks);
  const [{ line: first }] = tasks as [Hidden["tasks"][number]];
  const lines = told`lines ${block.line} to ${block.end}`;
  switch (block.what) {
    case "fence":
      if (block.ends !== "mark")
        report.add(
          "error",
          "FENCE_OPEN",
          place,
          told`the code fence that begins on line ${block.line} is never closed and runs to line ${block.end}; it swallows ${ids}`,
          told`close the code fence above line ${first}`,
        );
      else if (SHOWN.test(block.info)) return;
      else if (!MARKDOWN.test(block.info) && (block.opens || isOdd))
        report.add(
          "error",
          "FENCE_OPEN",
          place,
          told`the code fence from line ${block.line} to line ${block.end} swallows ${ids}; nothing in it is read`,
          told`close it above line ${first}`,
        );
      else
        report.add(
          MARKDOWN.test(block.info) ? "info" : "warning",
          "TASK_HIDDEN",
          place,
          told`the code fence in ${lines} shows ${ids}; nothing in it is read`,
          told`move them out of the fence if they are tasks, else begin it with \`\`\`text`,
        );
      return;
    case "comment":
      if (block.ends !== "mark")
        report.add(
          "error",
          "COMMENT_OPEN",
          place,
          told`the HTML comment that begins on line ${block.line} is never closed and runs to line ${block.end}; it swallows ${ids}`,
          told`close the HTML comment above line ${first}`,
        );
      else
        report.add(
          "info",
          "TASK_HIDDEN",
          place,
          told`the HTML comment in ${lines} holds ${ids}; they are not read`,
          told`move them out of the comment if they are tasks`,
        );
      return;
    case "html":
      report.add(
        "warning",
        "TASK_HIDDEN",
        place,
        told`the HTML in ${lines} holds ${ids}; Markdown in it is not read`,
        told`move them out of the HTML element if they are tasks`,
      );
      return;
    case "indented":
      report.add(
        "warning",
        "TASK_HIDDEN",
        { line: first, column: 1 },
        told`${ids} is indented so far that it is code in Markdown; it is not read`,
        told`indent it by less than four columns`,
      );
      return;
    case "quote":
      report.add(
        "warning",
        "TASK_HIDDEN",
        { line: first, column: 1 },
        told`the quote in ${lines} holds ${ids}; tasks in quotes are not read`,
        told`take the quote marks off if they are tasks`,
      );
  }
}
