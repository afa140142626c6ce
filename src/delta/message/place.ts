import { isBlank, lineShape } from "../../markdown/index.ts";
import type { Base } from "./base.ts";
import { keyFor } from "./keys.ts";
import { countMark, type Piece } from "./piece.ts";
import { bodyLine, isInline, isNewTitle, quoted } from "./quote.ts";
import { bodyRange, lineNumber, sectionAt, type View } from "./view.ts";

/** A place for new lines: before line `at` of the base, as a message names it. */
export interface Place {
  readonly section: number;
  readonly words: string;
  /** The line whose marker an inline text takes over; undefined when it takes none. */
  readonly sibling: number | undefined;
}

/** Where additions to a section go that name no place: behind its last line with text. */
export function endOf(view: View, section: number): { at: number; sibling: number | undefined } {
  const { from, to } = bodyRange(view, section);
  if (from === to) return { at: view.sections[section]!.bodyLine, sibling: undefined };
  return { at: to, sibling: to - 1 };
}

/** The ways to name the place before line `at`, the plainest first; there is always one. */
export function placesFor({ view, keys }: Base, at: number): Place[] {
  const places: Place[] = [];
  const before = at - 1;
  if (before >= 0) {
    const section = sectionAt(view, before);
    const end = endOf(view, section);
    if (end.at === at) places.push({ section, words: "", sibling: end.sibling });
    if (!isBlank(view.lines[before]!)) {
      const words = ` after ${keyFor(view, keys(section), before)}`;
      places.push({ section, words, sibling: before });
    }
  }
  if (at < view.lines.length) {
    const section = sectionAt(view, at);
    const key = isBlank(view.lines[at]!)
      ? `L${lineNumber(view, section, at)}`
      : keyFor(view, keys(section), at);
    places.push({ section, words: ` before ${key}`, sibling: at });
  }
  if (before >= 0) {
    const section = sectionAt(view, before);
    places.push({ section, words: ` after L${lineNumber(view, section, before)}`, sibling: before });
  }
  return places;
}

/** New lines at a place: inline when it is one that continues its sibling's list or text. */
export function addition(view: View, place: Place, lines: readonly string[]): Piece {
  const piece = { kind: "ADDED", section: place.section, place: place.words } as const;
  const mark = markOf(view, place.sibling);
  const text = lines.length === 1 && lines[0]!.startsWith(mark) ? lines[0]!.slice(mark.length) : "";
  return isInline(text) ? { ...piece, inline: text } : { ...piece, body: lines.map(bodyLine) };
}

/** Indentation, marker and box of a line, which an inline text beside it shares. */
export function markOf(view: View, sibling: number | undefined): string {
  if (sibling === undefined) return "";
  const line = view.lines[sibling]!;
  return line.slice(0, lineShape(line).content);
}

/** The range `[from, to)` of the base as a message names it: by its first line and its length. */
export function rangeWords({ view, keys }: Base, section: number, from: number, to: number): string {
  return `${keyFor(view, keys(section), from)}${countMark(to - from)}`;
}

/** Lines that go: a section with all its subsections, or a range. */
export function removal(base: Base, from: number, to: number): Piece {
  const section = sectionAt(base.view, from);
  const { level, line, treeEnd } = base.view.sections[section]!;
  const piece = { kind: "REMOVED", section, place: "" } as const;
  if (level > 0 && line === from && treeEnd === to) return piece;
  return { ...piece, inline: rangeWords(base, section, from, to) };
}

/** Lines that give way to others. */
export function replacement(base: Base, from: number, to: number, lines: readonly string[]): Piece {
  const section = sectionAt(base.view, from);
  const place = ` from ${rangeWords(base, section, from, to)}`;
  const piece = { kind: "REPLACED", section, place } as const;
  const text = lines.length === 1 ? lines[0]! : "";
  return isInline(text) ? { ...piece, inline: text } : { ...piece, body: lines.map(bodyLine) };
}

/** A section's new title as a message writes it, where that alone makes the new line of its heading; undefined elsewhere. */
export function renaming(view: View, section: number, line: number, next: string): string | undefined {
  const { level, line: heading, title } = view.sections[section]!;
  if (level === 0 || heading !== line || title === "") return undefined;
  const old = view.lines[line]!;
  const from = old.indexOf(title);
  const [before, after] = [old.slice(0, from), old.slice(from + title.length)];
  if (from < 0 || !next.startsWith(before) || !next.endsWith(after)) return undefined;
  const renamed = next.slice(before.length, next.length - after.length);
  if (renamed === "" || renamed !== renamed.trim()) return undefined;
  return isNewTitle(renamed) ? renamed : quoted(renamed);
}
