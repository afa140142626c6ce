import type { Hunk } from "../types.ts";
import { align } from "./align.ts";
import type { Base } from "./base.ts";
import type { Piece } from "./piece.ts";
import { addition, placesFor, removal, replacement } from "./place.ts";
import { pieceText } from "./render.ts";
import { sectionAt } from "./view.ts";
import { type CountTokens, STRAIN, writeChange } from "./write-change.ts";

/** A hunk's lines in the base and what replaces them. */
type Lines = Pick<Hunk, "at" | "removed" | "added">;

/** The stretch of the base that a hunk may slide over: nothing else touches it. */
export interface Room {
  readonly from: number;
  readonly to: number;
}

/** Lines an insertion or removal is moved at most to stand where it reads best. */
const SLIDES = 40;
/** Places weighed by their cost; the rest of the slides would only say the same. */
const WEIGHED = 12;

/** The cheapest pieces for one hunk. `room` is the stretch of the base no other hunk touches. */
export function planHunk(
  base: Base,
  hunk: Lines,
  room: Room,
  countTokens: CountTokens,
): Piece[] {
  const cost = (pieces: readonly Piece[]): number =>
    pieces.reduce((sum, piece) => sum + countTokens(pieceText(piece)) + strainOf(piece), 0);
  const cheapest = (options: readonly Piece[][]): Piece[] =>
    options.length === 1 ? options[0]! : options.map(pieces => ({ pieces, cost: cost(pieces) })).sort((a, b) => a.cost - b.cost)[0]!.pieces;
  if (hunk.removed.length === 0 || hunk.added.length === 0) {
    return cheapest(standing(base, hunk, room));
  }
  const { at, removed, added } = hunk;
  const whole = [replacement(base, at, at + removed.length, added)];
  const stretches = align(removed, added);
  if (stretches.length === 1 && stretches[0]!.kind === "block") return whole;
  const apart = stretches.flatMap(stretch => {
    const lines = {
      at: at + stretch.from,
      removed: removed.slice(stretch.from, stretch.to),
      added: added.slice(stretch.nextFrom, stretch.nextTo),
    };
    if (stretch.kind === "change") return changing(base, lines, countTokens);
    if (lines.removed.length > 0 && lines.added.length > 0) {
      return [replacement(base, lines.at, lines.at + lines.removed.length, lines.added)];
    }
    const end = lines.at + lines.removed.length;
    const from = stretch === stretches[0] ? room.from : lines.at;
    return cheapest(standing(base, lines, { from, to: stretch === stretches.at(-1) ? room.to : end }));
  });
  return cheapest([apart, whole]);
}

/** A place named by a line number says nothing to a reader. */
function strainOf({ place, inline, kind }: Piece): number {
  const numbered = / L\d+/.test(place) || (kind === "REMOVED" && inline !== undefined && /^L\d+/.test(inline));
  return numbered ? STRAIN : 0;
}

function changing(base: Base, { at, removed, added }: Lines, countTokens: CountTokens): Piece[] {
  if (removed[0] === added[0]) return [];
  const section = sectionAt(base.view, at);
  const inline = writeChange(base.view, base.keys(section), at, added[0]!, countTokens);
  return [{ kind: "CHANGED", section, place: "", inline }];
}

/** The ways to write a pure insertion or removal. */
function standing(base: Base, hunk: Lines, room: Room): Piece[][] {
  return slidesOf(base, hunk, room)
    .slice(0, WEIGHED)
    .flatMap(({ at, removed, added }) =>
      added.length === 0
        ? [[removal(base, at, at + removed.length)]]
        : placesFor(base, at).map(place => [addition(base.view, place, added)]),
    );
}

/** The same insertion or removal at every place where it has the same effect, nearest first. */
function slidesOf(base: Base, hunk: Lines, room: Room): Lines[] {
  const { lines } = base.view;
  const adds = hunk.removed.length === 0;
  const slides = [hunk];
  const block = adds ? hunk.added : hunk.removed;
  const size = block.length;
  const width = adds ? 0 : size;
  const make = (at: number, moved: readonly string[]): Lines =>
    adds ? { at, removed: [], added: moved } : { at, removed: moved, added: [] };
  let moved = block;
  for (let at = hunk.at; slides.length < SLIDES && at > room.from && lines[at - 1] === moved[size - 1]; at--) {
    moved = [moved[size - 1]!, ...moved.slice(0, -1)];
    slides.push(make(at - 1, moved));
  }
  moved = block;
  for (let at = hunk.at; slides.length < 2 * SLIDES && at + width < room.to && lines[at + width] === moved[0]; at++) {
    moved = [...moved.slice(1), moved[0]!];
    slides.push(make(at + 1, moved));
  }
  return slides;
}
