import { isBlank } from "../../markdown/index.ts";
import type { Base } from "./base.ts";
import type { Piece } from "./piece.ts";
import { placesFor, rangeWords } from "./place.ts";
import { readMove } from "./read-head.ts";
import { refOf } from "./refs.ts";
import { type Lines, slidesOf } from "./slides.ts";
import { sectionAt } from "./view.ts";

/** Lines `[from, to)` of the base that stand before its line `at` now. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** What moved, and the hunks that are left besides. */
export interface Moves {
  readonly moves: readonly Move[];
  readonly rest: readonly Lines[];
}

/** Characters, at least, of what is said to have moved: less is said as quickly again. */
const SHORTEST = 24;
/** Hunks beyond which nothing is looked for: each that only removes is held against each that only adds. */
const MOST_HUNKS = 400;

/** Hunks that only remove what others only add, as moves. */
export function movesOf({ view }: Base, hunks: readonly Lines[]): Moves {
  const moves: Move[] = [];
  const done = new Set<Lines>();
  if (hunks.length > MOST_HUNKS) return { moves, rest: hunks };
  const arrivals = new Map<string, { readonly hunk: Lines; readonly at: number }[]>();
  for (const [index, hunk] of hunks.entries()) {
    if (hunk.removed.length > 0 || !isTelling(hunk.added)) continue;
    for (const { at, added } of slidesOf(view, hunk, roomOf(view.lines.length, hunks, index))) {
      const text = added.join("\n");
      const known = arrivals.get(text) ?? [];
      known.push({ hunk, at });
      arrivals.set(text, known);
    }
  }
  for (const [index, hunk] of hunks.entries()) {
    if (hunk.added.length > 0 || !isTelling(hunk.removed)) continue;
    for (const { at, removed } of slidesOf(view, hunk, roomOf(view.lines.length, hunks, index))) {
      const found = arrivals.get(removed.join("\n"))?.find(arrival => !done.has(arrival.hunk));
      if (found === undefined || isBlank(removed[0]!)) continue;
      moves.push({ from: at, to: at + removed.length, at: found.at });
      done.add(hunk).add(found.hunk);
      break;
    }
  }
  return { moves, rest: hunks.filter(hunk => !done.has(hunk)) };
}

function isTelling(lines: readonly string[]): boolean {
  return lines.reduce((sum, line) => sum + line.trim().length, 0) >= SHORTEST;
}

/** The lines between a hunk and its neighbours. */
function roomOf(length: number, hunks: readonly Lines[], index: number): { from: number; to: number } {
  const before = hunks[index - 1];
  const after = hunks[index + 1];
  return {
    from: before === undefined ? 0 : before.at + before.removed.length + 1,
    to: after === undefined ? length : after.at - 1,
  };
}

/** A move as a message says it; undefined where it has no words for its place. */
export function moved(base: Base, { from, to, at }: Move): Piece | undefined {
  const { view, names } = base;
  const section = sectionAt(view, from);
  const { level, line, treeEnd } = view.sections[section]!;
  if (level > 0 && line === from && treeEnd === to) {
    const place = placeOfTree(base, at, level);
    return place === undefined ? undefined : { kind: "MOVED", section, place };
  }
  const range = rangeWords(base, section, from, to);
  for (const { section: other, words } of placesFor(base, at)) {
    const ref = `§${refOf(view, names, other)}`;
    const isHere = other === section;
    if (isHere && words === "") continue;
    const elsewhere = words === "" ? ` after ${ref}` : words.replace(/^ \w+ /, word => `${word}${ref}.`);
    const inline = range + (isHere ? words : elsewhere);
    if (readMove(inline) !== undefined) return { kind: "MOVED", section, place: "", inline };
  }
  return undefined;
}

/** ` after §Title` for a line behind a section with all its subsections, ` before §Title` for the line of its heading. */
function placeOfTree({ view, names }: Base, at: number, moving: number): string | undefined {
  const ended = [...view.sections.keys()].filter(section => {
    const { level, treeEnd } = view.sections[section]!;
    return level > 0 && treeEnd === at;
  });
  const before = ended.find(section => view.sections[section]!.level >= moving) ?? ended.at(-1);
  if (before !== undefined) return ` after §${refOf(view, names, before)}`;
  const next = view.sections.findIndex(({ level, line }) => level > 0 && line === at);
  return next < 0 ? undefined : ` before §${refOf(view, names, next)}`;
}
