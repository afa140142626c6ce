import { flatten } from "../json/task-master.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { BOLD_LEVEL } from "../markdown/collect.ts";
import type { Definition } from "../markdown/definition.ts";
import type { Draft } from "../markdown/document.ts";
import { defineMarkdown, type MarkdownFormat } from "../markdown/read-markdown.ts";
import { createReport } from "../report.ts";
import { itemsOf, type Json, member, parseJson, textOf } from "../syntax/json-text.ts";
import { decodeExactly } from "../syntax/source.ts";
import type { Plan } from "../types.ts";

/** One place in the text to be replaced. */
export interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** Boxes and state marks of one draft set to done; the draft is left alone when it shows nothing to set. */
function editsOf(draft: Draft): Edit[] {
  const edits: Edit[] = [];
  const { box } = draft.head;
  if (box !== undefined && box.state !== "done") edits.push({ at: box.at, end: box.close, text: "[x]" });
  const cell = draft.stateCell;
  if (cell !== undefined && cell.state !== "done")
    edits.push({ at: cell.at, end: cell.at + cell.length, text: "✅" });
  return edits;
}

function showsState(draft: Draft): boolean {
  return draft.head.box !== undefined || draft.stateCell !== undefined;
}

/** A box put in front of a heading or list line that has none. */
function insertBox(text: string, draft: Draft): Edit[] {
  if (draft.origin === "row") return [];
  const at =
    draft.level === BOLD_LEVEL && text.startsWith("**", draft.bodyAt) ? draft.bodyAt + 2 : draft.bodyAt;
  return [{ at, end: at, text: "[x] " }];
}

function editsOfDefinition(text: string, definition: Definition): Edit[] {
  const places = [definition.draft, ...definition.others];
  return places.some(showsState) ? places.flatMap(editsOf) : insertBox(text, definition.draft);
}

function markdownEdits(text: string, format: MarkdownFormat, wanted: ReadonlySet<string>): Edit[] {
  const report = createReport(0);
  const { definitions } = defineMarkdown(text, format, {
    path: "",
    allowMissing: true,
    limits: DEFAULT_LIMITS,
    contextNodes: [],
    report,
  });
  return definitions
    .filter(definition => !definition.group && wanted.has(definition.id))
    .flatMap(definition => editsOfDefinition(text, definition));
}

/** Sets the status of JSON tasks, or puts one in front where there is none. */
export function statusEdits(
  values: readonly { readonly id: string; readonly value: Json }[],
  done: string,
  wanted: ReadonlySet<string>,
): Edit[] {
  return values
    .filter(({ id }) => wanted.has(id))
    .flatMap(({ value }): Edit[] => {
      const status = member(value, "status");
      if (status === undefined)
        return [{ at: value.at + 1, end: value.at + 1, text: `"status": "${done}", ` }];
      return textOf(status) === done ? [] : [{ at: status.at, end: status.end, text: `"${done}"` }];
    });
}

function jsonEdits(text: string, plan: Pick<Plan, "format">, wanted: ReadonlySet<string>): Edit[] {
  const parsed = parseJson(text);
  if (!parsed.ok) return [];
  if (plan.format === "task-master") return statusEdits(flatten(parsed.value)?.tasks ?? [], "done", wanted);
  const values = parsed.value.kind === "array" ? parsed.value.items : itemsOf(member(parsed.value, "tasks"));
  return statusEdits(
    values.map(value => ({ id: textOf(member(value, "id")) ?? "", value })),
    "completed",
    wanted,
  );
}

/** The text with all of these places replaced; of two that overlap the first counts. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
    if (edit.at < from) continue;
    parts.push(text.slice(from, edit.at), edit.text);
    from = edit.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/**
 * The file with these tasks shown as done, every other byte as it was. The bytes are read afresh, so a file that was edited
 * since the plan was made is safe. Boxes become `[x]` wherever the id stands with one (summaries too); a row without a
 * box gets ✅ for its state mark; a heading or line that shows no state at all gets a box; JSON gets its status set.
 */
export function tickBoxes(bytes: Uint8Array, plan: Pick<Plan, "format">, ids: Iterable<string>): Uint8Array {
  const wanted = new Set(ids);
  const text = wanted.size === 0 ? undefined : decodeExactly(bytes);
  if (text === undefined) return bytes;
  const isMarkdown = plan.format !== "task-master" && plan.format !== "planner-json";
  const edits = isMarkdown
    ? markdownEdits(text, plan.format as MarkdownFormat, wanted)
    : jsonEdits(text, plan, wanted);
  return edits.length === 0 ? bytes : new TextEncoder().encode(applyEdits(text, edits));
}
