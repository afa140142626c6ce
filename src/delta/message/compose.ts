import type { Base } from "./base.ts";
import { moved, movesOf } from "./moves.ts";
import type { Piece } from "./piece.ts";
import { type Planner, plannerFor } from "./plan.ts";
import { bodyLine } from "./quote.ts";
import { renderPieces } from "./render.ts";
import type { Lines, Room } from "./slides.ts";
import { bodyRange, sectionAt, type View } from "./view.ts";
import type { CountTokens } from "./write-change.ts";

/** What a reader is spared who is shown the changes of a text and not all of it again, in tokens. */
const REPEATED = 4;

/** The operations of a message in its possible forms. */
export interface Forms {
  /** Every hunk by itself. */
  readonly delta: readonly string[];
  /** Each section as hunks or as its new text, whichever is cheaper. */
  readonly mixed: readonly string[];
  /** Every hunk by itself, what only stands elsewhere as moved; undefined where nothing does. */
  readonly moved: readonly string[] | undefined;
  /** Each section as its new text, wherever hunks keep to one. */
  readonly sections: readonly string[];
}

/** Hunks that lie within the text of one section, or one hunk that lies within none. */
interface Group {
  readonly pieces: readonly Piece[];
  readonly replaced: Piece | undefined;
  /** Whether lines that stay would be said again with the others. */
  readonly repeats: boolean;
}

/** Writes hunks between two documents' lines in all forms. */
export function composeForms(
  base: Base,
  next: View,
  hunks: readonly Lines[],
  countTokens: CountTokens,
): Forms {
  const planner = plannerFor(base, countTokens);
  const groups = groupsOf(base, next, hunks, planner);
  const choose = (pick: (group: Group) => readonly Piece[]): string[] =>
    renderPieces(base, groups.flatMap(pick));
  const delta = choose(group => group.pieces);
  const whole = (group: Group): readonly Piece[] =>
    group.replaced === undefined ? group.pieces : [group.replaced];
  const cheaper = (group: Group): readonly Piece[] =>
    group.replaced !== undefined &&
    planner.cost([group.replaced]) + (group.repeats ? REPEATED : 0) < planner.cost(group.pieces)
      ? [group.replaced]
      : group.pieces;
  const { moves, rest } = movesOf(base, hunks);
  const told = moves.map(move => moved(base, move));
  const elsewhere = told.length === 0 || told.includes(undefined) ? undefined : planned(base, rest, planner);
  return {
    delta,
    mixed: choose(cheaper),
    moved: elsewhere && renderPieces(base, [...elsewhere, ...(told as Piece[])]),
    sections: choose(whole),
  };
}

function planned(base: Base, hunks: readonly Lines[], planner: Planner): Piece[] {
  return hunks.flatMap((hunk, at) => [...planner.plan(hunk, roomOf(base, hunks, at))]);
}

function groupsOf(base: Base, next: View, hunks: readonly Lines[], planner: Planner): Group[] {
  const groups: Group[] = [];
  let shift = 0;
  for (let first = 0; first < hunks.length; ) {
    const section = sectionAt(base.view, Math.min(hunks[first]!.at, base.view.lines.length - 1));
    const { from, to } = bodyRange(base.view, section);
    let last = first;
    let moved = shift;
    while (
      last < hunks.length &&
      hunks[last]!.at >= from &&
      hunks[last]!.at + hunks[last]!.removed.length <= to
    ) {
      moved += hunks[last]!.added.length - hunks[last]!.removed.length;
      last++;
    }
    const before = hunks[first - 1];
    const apart =
      (before === undefined || before.at + before.removed.length <= from) &&
      (last === hunks.length || hunks[last]!.at >= to);
    const contained = last > first && from < to && apart;
    if (!contained) last = first + 1;
    const pieces: Piece[] = [];
    for (let at = first; at < last; at++) {
      for (const piece of planner.plan(hunks[at]!, roomOf(base, hunks, at))) pieces.push(piece);
    }
    const body = contained ? next.lines.slice(from + shift, to + moved).map(bodyLine) : undefined;
    const replaced =
      body === undefined || body.length === 0
        ? undefined
        : ({ kind: "REPLACED", section, place: "", body } as const);
    const gone = hunks.slice(first, last).reduce((sum, { removed }) => sum + removed.length, 0);
    for (let at = first; at < last; at++) shift += hunks[at]!.added.length - hunks[at]!.removed.length;
    groups.push({ pieces, replaced, repeats: gone < to - from });
    first = last;
  }
  return groups;
}

/** The lines a hunk may slide over: half of what lies between it and its neighbours. */
function roomOf(base: Base, hunks: readonly Lines[], index: number): Room {
  const { at, removed } = hunks[index]!;
  const before = hunks[index - 1];
  const after = hunks[index + 1];
  const end = at + removed.length;
  return {
    from: before === undefined ? 0 : Math.ceil((before.at + before.removed.length + at) / 2),
    to: after === undefined ? base.view.lines.length : Math.floor((end + after.at - 1) / 2),
  };
}
