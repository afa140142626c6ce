import { diffLines } from "../diff.ts";
import type { Hunk } from "../types.ts";
import type { View } from "./view.ts";

/** Lines `[from, to)` of the base give way to others. */
export interface LineEdit {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Columns `[from, to)` of one line give way to a text without line ends. */
export interface SpanEdit {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** All that a message does to its base; the order plays no part. */
export interface Edits {
  readonly lines: LineEdit[];
  readonly spans: SpanEdit[];
}

/** Carries out all edits at once; the line that two of them claim otherwise. */
export function applyEdits(view: View, edits: Edits): readonly string[] | { readonly claimedTwice: number } {
  const result: string[] = [];
  let at = 0;
  let before: LineEdit | undefined;
  for (const edit of inOrder(view, edits)) {
    if (
      edit.from < at ||
      (before !== undefined && isInsertion(before) && isInsertion(edit) && edit.from === before.from)
    ) {
      return { claimedTwice: edit.from };
    }
    for (; at < edit.from; at++) result.push(view.lines[at]!);
    for (const line of edit.lines) result.push(line);
    at = edit.to;
    before = edit;
  }
  for (; at < view.lines.length; at++) result.push(view.lines[at]!);
  return result;
}

/** The exact difference that edits make. Those that touch are one; what they write anew unchanged drops out. */
export function hunksOf(view: View, edits: Edits): Hunk[] {
  const hunks: Hunk[] = [];
  const ordered = inOrder(view, edits);
  for (let at = 0; at < ordered.length; ) {
    const { from } = ordered[at]!;
    let to = from;
    const added: string[] = [];
    for (; at < ordered.length && ordered[at]!.from <= to; at++) {
      for (const line of ordered[at]!.lines) added.push(line);
      to = ordered[at]!.to;
    }
    for (const hunk of diffLines(view.lines.slice(from, to), added, from)) hunks.push(hunk);
  }
  return hunks;
}

function inOrder(view: View, edits: Edits): LineEdit[] {
  const all = [...edits.lines, ...spliceLines(view, edits.spans)];
  return all.sort((a, b) => a.from - b.from || a.to - b.to);
}

function isInsertion(edit: LineEdit): boolean {
  return edit.from === edit.to;
}

/** One line edit per line with spans; overlapping spans become overlapping line edits. */
function spliceLines(view: View, spans: readonly SpanEdit[]): LineEdit[] {
  const ordered = [...spans].sort((a, b) => a.line - b.line || a.from - b.from || a.to - b.to);
  const edits: LineEdit[] = [];
  for (let at = 0; at < ordered.length; ) {
    const { line } = ordered[at]!;
    const text = view.lines[line]!;
    const parts: string[] = [];
    let column = 0;
    let clash = false;
    for (; at < ordered.length && ordered[at]!.line === line; at++) {
      const span = ordered[at]!;
      clash ||= span.from < column;
      parts.push(text.slice(column, span.from), span.text);
      column = span.to;
    }
    const edit = { from: line, to: line + 1, lines: [parts.join("") + text.slice(column)] };
    edits.push(edit);
    if (clash) edits.push(edit);
  }
  return edits;
}
