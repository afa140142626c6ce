import type { PackageWords } from "../text/index.ts";
import { visible } from "../text/index.ts";
import { ownPiece } from "./render.ts";
import type { CountTokens, Piece } from "./types.ts";
import type { Wanted } from "./wanted.ts";

/** Most tokens of the section that names what is not given. */
const MOST = 400;
/** Share of a package's room that it takes, and what it needs to say anything at all. */
const SHARE = 0.1;
const LEAST = 150;
/** Sources of one group that are named. */
const NAMED = 4;
/** Characters of a name. */
const NAME = 120;

/** Tokens that are kept for the section in a package of so much room. */
export function noteRoom(room: number): number {
  return Math.max(0, Math.floor(Math.min(MOST, room / 2, Math.max(LEAST, room * SHARE))));
}

/** Sources of one kind, node and folder share a line. */
function groupOf({ section, part, name }: Wanted): string {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  return section === "results" ? "" : `${part.node ?? ""} ${folder}`;
}

function lineOf(group: readonly Wanted[], words: PackageWords): string {
  const tokens = group.reduce((sum, { whole }) => sum + whole, 0);
  const names = group.slice(0, NAMED).map(({ name }) => visible(name, NAME));
  const [first] = group;
  return words.leftOut(first?.part.node, group.length, tokens, names);
}

/**
 * Says how what is shortened or left out can be had, and names the latter in groups, what is nearest first, as far as there is
 * room; undefined where there is not even room to say so.
 */
export function leftOutNote(
  left: readonly Wanted[],
  words: PackageWords,
  room: number,
  count: CountTokens,
): Piece | undefined {
  const near = (one: Wanted) => (one.section === "results" ? -1 : (one.item.distance ?? 0));
  const groups = Map.groupBy(
    left.toSorted((a, b) => near(a) - near(b)),
    groupOf,
  );
  const lines = [...groups.values()].map(group => lineOf(group, words));
  const made = (most: number) => {
    const more = lines.length - most;
    const rest = more > 0 ? [words.moreLeftOut(more)] : [];
    return ownPiece(
      count,
      "heading",
      "left-out",
      [words.shortened, ...lines.slice(0, most), ...rest].join("\n"),
    );
  };
  // A line has at least ten tokens, so that few are tried.
  for (let most = Math.min(lines.length, Math.floor(room / 10)); most >= 0; most--) {
    const note = made(most);
    if (note.part.tokens <= room) return note;
  }
  return undefined;
}
