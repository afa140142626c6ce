import type { Report } from "../report.ts";
import { readHead } from "../syntax/head.ts";
import { type Line, scanLines, type Unclosed } from "../syntax/scan.ts";
import type { Definition } from "./definition.ts";
import type { Draft, MarkdownDocument, Section } from "./document.ts";

/** A task heading or boxed item that a code fence swallows. */
export interface Swallowed {
  readonly id: string;
  readonly line: number;
}

/** The task that a line would define if it stood in no fence. */
export function taskAt(text: string, at: number, end: number, isHeading: boolean): string | undefined {
  const head = readHead(text, at, end, false, true);
  const isTask = head.id !== undefined && head.shape === "task" && !head.several;
  return isTask && (isHeading || head.box !== undefined) ? head.id : undefined;
}

/** Reports a fence or comment that never closes: an error where tasks stand below it. */
export function reportUnclosed(text: string, unclosed: Unclosed, maxLength: number, report: Report): void {
  const what = unclosed.what === "fence" ? "code fence" : "HTML comment";
  const code = unclosed.what === "fence" ? "FENCE_OPEN" : "COMMENT_OPEN";
  const place = { line: unclosed.line, column: 1 };
  const swallowed = unclosed.what === "fence" ? firstTask(text, unclosed, maxLength) : undefined;
  if (swallowed === undefined)
    report.add(
      "warning",
      code,
      place,
      `the ${what} that begins here is never closed; nothing below it is read`,
      `close the ${what}`,
    );
  else reportSwallowed(unclosed.line, swallowed, report);
}

/** Reports a fence that runs on into further tasks. */
export function reportSwallowed(line: number, { id, line: at }: Swallowed, report: Report): void {
  report.add(
    "error",
    "FENCE_OPEN",
    { line, column: 1 },
    `the code fence that begins here is not closed before ${id} on line ${at}; nothing in it is read`,
    `close the code fence above line ${at}`,
  );
}

function firstTask(text: string, unclosed: Unclosed, maxLength: number): Swallowed | undefined {
  let found: Swallowed | undefined;
  const visit = (line: Line): boolean => {
    if (line.kind !== "heading" && line.kind !== "item") return true;
    const id = taskAt(text, line.body, line.end, line.kind === "heading");
    if (id !== undefined) found = { id, line: line.number };
    return found === undefined;
  };
  scanLines(text, { offset: unclosed.after, line: unclosed.line + 1 }, maxLength, visit, () => {});
  return found;
}

const NAMED = 5;

function named(drafts: readonly { readonly head: Draft["head"] }[]): string {
  const ids = drafts.slice(0, NAMED).map(draft => draft.head.id);
  return ids.join(", ") + (drafts.length > NAMED ? ` and ${drafts.length - NAMED} more` : "");
}

/** Names rows with a box or state that look like tasks and are none. */
export function reportRows(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  const rows = document.drafts.filter(draft => draft.origin === "row" && draft.head.shape === "task");
  const left = [...rows, ...document.innerRows]
    .filter(({ head }) => (head.box ?? head.mark) !== undefined && !known.has(head.id ?? ""))
    .sort((a, b) => a.line - b.line);
  const [first] = left;
  if (first === undefined) return;
  report.add(
    "info",
    "ROW_IGNORED",
    { line: first.line, column: first.column },
    `table rows name tasks that stand nowhere else: ${named(left)}; they are not read as tasks`,
    "write them as headings or list items; rows with a box are tasks outside of other tasks",
  );
}

/** Names boxes without an id below a phase whose tasks have ids: they are no tasks. */
export function reportPlainBoxes(drafts: readonly Draft[], report: Report): void {
  const bySection = new Map<Section, Draft[]>();
  for (const draft of drafts) {
    if (draft.section === undefined) continue;
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
      `boxes without an id under "${section.title.slice(0, 60)}" (${more.length + 1}) are no tasks, because the phase has tasks with ids`,
      "give them ids if they are tasks",
    );
  }
}
