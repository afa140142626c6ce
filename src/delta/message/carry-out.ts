import type { Base } from "./base.ts";
import { move, moveTree, type Refusal, rangeOf, rewrap } from "./carry-lines.ts";
import type { Edits } from "./edits.ts";
import { resolveKey } from "./keys.ts";
import { endOf, markOf } from "./place.ts";
import { readBodyLine } from "./quote.ts";
import { type Budget, OVERSPENT, readChange } from "./read-change.ts";
import { type Head, readRange } from "./read-head.ts";
import { bodyRange } from "./view.ts";

/** An operation with the lines below it. */
export interface Operation {
  readonly head: Head;
  readonly line: string;
  readonly below: readonly string[];
}

/** Adds what an operation does to the edits and answers how many items it has, or refuses it. */
export function carryOut(
  base: Base,
  section: number,
  item: string | undefined,
  operation: Operation,
  edits: Edits,
  budget: Budget,
): number | Refusal {
  const { head, below } = operation;
  if (head.title !== undefined) return rename(base, section, item, head.title, edits);
  if (head.kind === "MOVED" && head.key !== undefined) return moveTree(base, section, head, edits, budget);
  if (head.kind === "CHANGED" || head.kind === "REMOVED" || head.kind === "MOVED") {
    if (head.kind === "REMOVED" && head.text === undefined && item === undefined)
      return removeTree(base, section, edits);
    const one = [item, head.text].filter(part => part !== undefined && part !== "").join(": ");
    const listed = below
      .filter(line => line.trim() !== "")
      .map(line => (line.startsWith(" ") ? line.slice(1) : line));
    const all = one === "" ? listed : [one, ...listed];
    if (all.length === 0) return { kind: "syntax", reason: "Nothing is named" };
    const carry = { CHANGED: change, REMOVED: remove, MOVED: move }[head.kind];
    for (const text of all) {
      const refused = carry(base, section, text, edits, budget);
      if (refused !== undefined)
        return { kind: refused === OVERSPENT ? "limit" : "unresolved", reason: refused };
    }
    return all.length;
  }
  if (item !== undefined) return { kind: "unresolved", reason: `No section §${head.ref}` };
  if (head.kind === "REWRAPPED") return rewrap(base, section, head, below, edits);
  return head.kind === "ADDED"
    ? add(base, section, head, below, edits)
    : replace(base, section, head, below, edits);
}

function change(base: Base, section: number, text: string, edits: Edits, budget: Budget): string | undefined {
  const spans = readChange(base.view, base.keys(section), text, budget);
  if (typeof spans === "string") return spans;
  for (const span of spans) edits.spans.push(span);
  return undefined;
}

function rename(
  { view }: Base,
  section: number,
  item: string | undefined,
  next: string,
  edits: Edits,
): number | Refusal {
  const { level, line, title } = view.sections[section]!;
  const from = level === 0 || item !== undefined || title === "" ? -1 : view.lines[line]!.indexOf(title);
  if (from < 0) return { kind: "unresolved", reason: "Only a section with a heading can be named anew" };
  edits.spans.push({ line, from, to: from + title.length, text: next });
  return 1;
}

function remove(base: Base, section: number, text: string, edits: Edits): string | undefined {
  const range = readRange(text);
  if (range === undefined) return `Not a range: ${text}`;
  const found = rangeOf(base, section, range.key, range.count);
  if (typeof found === "string") return found;
  edits.lines.push({ ...found, lines: [] });
  return undefined;
}

function removeTree(base: Base, section: number, edits: Edits): number | Refusal {
  const { line, treeEnd, level } = base.view.sections[section]!;
  if (level === 0) return { kind: "syntax", reason: "Only a section with a heading can be removed whole" };
  edits.lines.push({ from: line, to: treeEnd, lines: [] });
  return 1;
}

function add(
  base: Base,
  section: number,
  head: Head,
  below: readonly string[],
  edits: Edits,
): number | Refusal {
  let place: { at: number; sibling: number | undefined } = endOf(base.view, section);
  if (head.where === "from" || head.text === undefined) return { kind: "syntax", reason: "Not an addition" };
  if (head.where !== undefined) {
    const found = resolveKey(base.view, base.keys(section), head.key!);
    if (typeof found === "string") return { kind: "unresolved", reason: found };
    place = { at: found.line + (head.where === "after" ? 1 : 0), sibling: found.line };
  }
  const lines = newLines(head.text, below, markOf(base.view, place.sibling));
  if (lines === undefined) return { kind: "syntax", reason: BAD_TEXT };
  edits.lines.push({ from: place.at, to: place.at, lines });
  return 1;
}

function replace(
  base: Base,
  section: number,
  head: Head,
  below: readonly string[],
  edits: Edits,
): number | Refusal {
  if (head.where === "after" || head.where === "before")
    return { kind: "syntax", reason: "Not a replacement" };
  if (isBodiless(head, below)) {
    const { title } = base.view.sections[section]!;
    return { kind: "needs-section", reason: `The text of §${title} is not in the message`, section: title };
  }
  let range = bodyRange(base.view, section);
  if (head.where === "from") {
    const found = resolveKey(base.view, base.keys(section), head.key!);
    if (typeof found === "string") return { kind: "unresolved", reason: found };
    range = { from: found.line, to: found.line + head.count };
    if (range.to > base.view.lines.length)
      return { kind: "unresolved", reason: "The range reaches beyond the end" };
  }
  const lines = newLines(head.text ?? "", below, "");
  if (lines === undefined) return { kind: "syntax", reason: BAD_TEXT };
  edits.lines.push({ ...range, lines });
  return 1;
}

/** The documents' `REPLACED §X` without a body, with or without `(see GC-v4 for full content)`. */
function isBodiless(head: Head, below: readonly string[]): boolean {
  if (below.some(line => line.trim() !== "" || line === "\\")) return false;
  if (head.text === undefined || (head.text === "" && below.length === 0)) return true;
  return head.text.startsWith("(see ") && head.text.endsWith(" for full content)");
}

const BAD_TEXT = "Its text is quoted badly, or stands both behind the colon and below";

/** Inline text with its sibling's mark, or the body below. */
function newLines(text: string, below: readonly string[], mark: string): string[] | undefined {
  if (text !== "") return below.every(line => line.trim() === "") ? [mark + text] : undefined;
  const lines = below.map(readBodyLine);
  return lines.includes(undefined) ? undefined : (lines as string[]);
}
