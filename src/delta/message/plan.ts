import { align } from "./align.ts";
import type { Base } from "./base.ts";
import type { Piece } from "./piece.ts";
import { addition, placesFor, removal, renaming, replacement } from "./place.ts";
import { pieceText } from "./render.ts";
import { rewrapping } from "./rewrap.ts";
import { cutsSentence, withSentences } from "./sentences.ts";
import { shareChanges } from "./shared.ts";
import { type Lines, type Room, slidesOf } from "./slides.ts";
import { bodyRange, sectionAt } from "./view.ts";
import { type CountTokens, CUT, NUMBERED, STRAIN, writeChange } from "./write-change.ts";

/** Words a change may be estimated to cost beside its changed ones: few pair more lines, many pair fewer. */
const CHANGE_COSTS = [3, 1, 6];

/** Writes hunks of one base as the cheapest pieces. */
export interface Planner {
  readonly plan: (hunk: Lines, room: Room) => readonly Piece[];
  /** Tokens of pieces, and what their wording costs a reader. */
  readonly cost: (pieces: readonly Piece[]) => number;
}

/** A planner for one base and one counter of tokens. */
export function plannerFor(base: Base, countTokens: CountTokens): Planner {
  const cost = (pieces: readonly Piece[]): number => {
    const others = pieces.filter(piece => piece.kind !== "CHANGED");
    const changed = Map.groupBy(pieces, piece => (piece.kind === "CHANGED" ? piece.section : -1));
    changed.delete(-1);
    let sum = others.reduce((total, piece) => total + countTokens(pieceText(piece)) + strainOf(piece), 0);
    for (const [section, alike] of changed) {
      sum += alike.reduce((total, piece) => total + (piece.strain ?? 0), 0);
      for (const text of shareChanges(
        base,
        section,
        alike.map(piece => piece.inline!),
      )) {
        sum += countTokens(`\n ${text}`);
      }
    }
    return sum;
  };
  const cheapest = (options: readonly (readonly Piece[])[]): readonly Piece[] => {
    let best = { pieces: options[0]!, cost: options.length === 1 ? 0 : cost(options[0]!) };
    for (const pieces of options.slice(1)) {
      const found = cost(pieces);
      if (found < best.cost) best = { pieces, cost: found };
    }
    return best.pieces;
  };
  const changes = new Map<string, Piece>();
  /** One line's change, or, where no wording of it is read back as that, the line as a whole. */
  const change = (line: number, next: string): Piece => {
    const key = `${line}\n${next}`;
    const known = changes.get(key);
    if (known !== undefined) return known;
    const section = sectionAt(base.view, line);
    const { text: inline, strain } = writeChange(base.view, base.keys(section), line, next, countTokens);
    const worded =
      inline === "" ? undefined : ({ kind: "CHANGED", section, place: "", inline, strain } as const);
    const title = renaming(base.view, section, line, next);
    const renamed =
      title === undefined ||
      (worded !== undefined && countTokens(` → ${title}`) > countTokens(`: ${inline}`) + strain)
        ? undefined
        : ({ kind: "RENAMED", section, place: "", inline: title } as const);
    const piece = renamed ?? worded ?? replacement(base, line, line + 1, [next]);
    changes.set(key, piece);
    return piece;
  };

  const strained = (piece: Piece, lines: Lines): Piece =>
    cutsSentence(base.view.lines, lines) ? { ...piece, strain: CUT } : piece;

  /** A pure insertion or removal, where it reads best. */
  const standing = (hunk: Lines, room: Room): readonly Piece[] =>
    cheapest(
      slidesOf(base.view, hunk, room).flatMap(({ at, removed, added }) =>
        (added.length === 0
          ? [removal(base, at, at + removed.length)]
          : placesFor(base, at).map(place => addition(base.view, place, added))
        ).map(piece => [strained(piece, { at, removed, added })]),
      ),
    );

  /** Lines that give way as a whole. */
  const replaced = (lines: Lines): Piece =>
    strained(replacement(base, lines.at, lines.at + lines.removed.length, lines.added), lines);

  /** Lines that live on as changes, the rest by themselves. */
  const apart = ({ at, removed, added }: Lines, room: Room, changeCost: number): readonly Piece[] => {
    const stretches = align(removed, added, changeCost);
    return stretches.flatMap((stretch, index): readonly Piece[] => {
      const lines = {
        at: at + stretch.from,
        removed: removed.slice(stretch.from, stretch.to),
        added: added.slice(stretch.nextFrom, stretch.nextTo),
      };
      const end = lines.at + lines.removed.length;
      if (stretch.kind === "change")
        return lines.removed[0] === lines.added[0] ? [] : [change(lines.at, lines.added[0]!)];
      if (lines.removed.length > 0 && lines.added.length > 0) return [replaced(lines)];
      const from = index === 0 ? room.from : lines.at;
      return standing(lines, { from, to: index === stretches.length - 1 ? room.to : end });
    });
  };

  /** The sentences that a hunk is of, as far as they stand with it in one section's text: another group may begin there. */
  const sentencesOf = (hunk: Lines, room: Room): Lines => {
    const { from, to } = bodyRange(base.view, sectionAt(base.view, hunk.at));
    const isWithin = hunk.at >= from && hunk.at + hunk.removed.length <= to;
    const near = { from: Math.max(room.from, from), to: Math.min(room.to, to) };
    return isWithin ? withSentences(base.view.lines, hunk, near) : hunk;
  };

  const plan = (hunk: Lines, room: Room): readonly Piece[] => {
    const { removed, added } = hunk;
    const whole = sentencesOf(hunk, room);
    const sentences = whole === hunk ? [] : [[replaced(whole)]];
    for (const lines of new Set([hunk, whole])) {
      const piece = rewrapping(base, lines, countTokens);
      if (piece !== undefined) sentences.push([piece.inline === "" ? piece : strained(piece, lines)]);
    }
    if (removed.length === 0 || added.length === 0) return cheapest([standing(hunk, room), ...sentences]);
    const ways = CHANGE_COSTS.map(changeCost => apart(hunk, room, changeCost));
    return cheapest([...ways, [replaced(hunk)], ...sentences]);
  };
  return { plan, cost };
}

/** What the wording of a piece costs a reader: a line's number says nothing, and what comes behind reads better than what comes before. */
function strainOf({ place, inline, kind, strain = 0 }: Piece): number {
  if (/^ from L\d/.test(place)) return strain + NUMBERED;
  if (/^ (?:after|before) L\d/.test(place)) return strain + STRAIN;
  if (kind === "REMOVED" && inline !== undefined && /^L\d/.test(inline)) return strain + STRAIN;
  return strain + (place.startsWith(" before ") ? 1.5 : 0);
}
