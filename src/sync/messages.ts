import { shortHash } from "../delta/index.ts";
import { isBlank, type Section, scanMarkdown } from "../markdown/index.ts";
import type { Codec } from "./codec.ts";

/** A message that is not a step between two versions. */
export interface PlainMessage {
  readonly text: string;
  readonly tokens: number;
  readonly items: number;
}

/** Digits of the hash a header shows; an acknowledgement proves itself by more of them. */
const SHOWN = 6;

/** Whom a version affects and what they are to do. */
export interface ImpactFacts {
  readonly affected?: readonly string[];
  readonly actions?: readonly string[];
}

/** A version as a whole, for anyone. Undefined when no message can carry it. */
export function fullMessage(
  codec: Codec,
  label: string,
  version: number,
  text: string,
  impact: ImpactFacts,
): PlainMessage | undefined {
  const made = codec.encodeFull(text, { ...impact, label, to: version });
  if (!made.ok) return undefined;
  return { text: made.value.text, tokens: made.value.tokens.sent, items: 0 };
}

/**
 * Sections of a version once more, as an update from the version to itself: whoever holds it changes nothing, whoever does
 * not is told so. Without references it only asserts the version. Undefined when a reference names no section with text.
 */
export function restatedMessage(
  codec: Codec,
  label: string,
  version: number,
  text: string,
  refs: readonly string[],
): PlainMessage | undefined {
  const { sections } = scanMarkdown(text);
  const lines = text.split("\n");
  const targets = new Set<number>();
  for (const ref of refs) {
    const found = findSection(sections, ref);
    if (found === undefined) return undefined;
    const end = hasText(lines, sections[found]!) ? found + 1 : treeEnd(sections, found);
    for (let at = found; at < end; at++) if (hasText(lines, sections[at]!)) targets.add(at);
  }
  if (refs.length > 0 && targets.size === 0) return undefined;
  const hash = shortHash(text).slice(0, SHOWN);
  const shared = new Set(sections.filter(section => section.ordinal > 1).map(section => section.title));
  const body = [...targets].sort((a, b) => a - b).flatMap(at => restated(lines, sections[at]!, shared));
  const header = `[CONTEXT-UPDATE] ${label}-v${version}→${version} ${hash.slice(0, 4)}→${hash}`;
  return proven(codec, [header, "", "## Delta", ...body].join("\n"), text, text, targets.size);
}

/** Nothing leaves unread: a message that does not lead to the text is none. */
function proven(
  codec: Codec,
  message: string,
  base: string | undefined,
  text: string,
  items: number,
): PlainMessage | undefined {
  const read = codec.decode(message, base);
  if (!read.ok || read.value.text !== text) return undefined;
  return { text: message, tokens: codec.countTokens(message), items };
}

function hasText(lines: readonly string[], section: Section): boolean {
  for (let at = section.bodyLine; at < section.endLine; at++) if (!isBlank(lines[at]!)) return true;
  return false;
}

function treeEnd(sections: readonly Section[], from: number): number {
  let at = from + 1;
  while (at < sections.length && sections[at]!.line < sections[from]!.treeEnd) at++;
  return at;
}

function restated(lines: readonly string[], section: Section, shared: ReadonlySet<string>): string[] {
  const { bodyLine, endLine, title, ordinal } = section;
  let from = bodyLine;
  let to = endLine;
  while (isBlank(lines[from]!)) from++;
  while (isBlank(lines[to - 1]!)) to--;
  const number = shared.has(title) ? `#${ordinal}` : "";
  const name = isPlainTitle(title) ? title : JSON.stringify(title);
  return [`- REPLACED §${name}${number}:`, ...lines.slice(from, to).map(escaped)];
}

const PLAIN = /^[\p{L}\p{N} -]+$/u;

/** Whether a title cannot be read as anything else behind `§`. */
function isPlainTitle(title: string): boolean {
  return PLAIN.test(title) && ![" after ", " before ", " from "].some(word => `${title} `.includes(word));
}

/** A backslash keeps a line from being read as an operation, as the impact part, or as a quoted line. */
function escaped(line: string): string {
  return line.startsWith("- ") || line.startsWith("\\") || line.startsWith("## ") ? `\\${line}` : line;
}

/**
 * The section a reader means: `Decisions D-7`, `Decisions.D-7`, `decisions` and `Decisions Log` all mean `Decisions Log`.
 * Words at the end are left off until a title answers.
 */
export function findSection(sections: readonly Section[], ref: string): number | undefined {
  let name = (ref.startsWith("§") ? ref.slice(1) : ref).trim().slice(0, 200).toLowerCase();
  const titles = sections.map(section => section.title.toLowerCase());
  while (name !== "") {
    const exact = titles.indexOf(name);
    const found =
      exact >= 0
        ? exact
        : titles.findIndex(title => title.startsWith(name) && " .:,(".includes(title[name.length]!));
    if (found >= 0) return found;
    name = name.slice(0, Math.max(name.lastIndexOf(" "), name.lastIndexOf("."), 0));
  }
  return undefined;
}
