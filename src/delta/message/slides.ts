import type { Hunk } from "../types.ts";
import type { View } from "./view.ts";

/** A hunk's lines in the base and what replaces them. */
export type Lines = Pick<Hunk, "at" | "removed" | "added">;

/** The stretch of the base that a hunk may slide over: nothing else touches it. */
export interface Room {
  readonly from: number;
  readonly to: number;
}

/** Lines an insertion or removal is moved at most, in each direction. */
const SLIDES = 12;

/** A pure insertion or removal at every place where it has the same effect, nearest first. */
export function slidesOf(view: View, hunk: Lines, room: Room): Lines[] {
  const { lines } = view;
  const adds = hunk.removed.length === 0;
  const block = adds ? hunk.added : hunk.removed;
  const width = adds ? 0 : block.length;
  const slides = [hunk];
  const put = (at: number, moved: readonly string[]): void => {
    slides.push(adds ? { at, removed: [], added: moved } : { at, removed: moved, added: [] });
  };
  let moved = block;
  for (let at = hunk.at; at > room.from && at > hunk.at - SLIDES && lines[at - 1] === moved.at(-1); at--) {
    moved = [moved.at(-1)!, ...moved.slice(0, -1)];
    put(at - 1, moved);
  }
  moved = block;
  for (
    let at = hunk.at;
    at + width < room.to && at < hunk.at + SLIDES && lines[at + width] === moved[0];
    at++
  ) {
    moved = [...moved.slice(1), moved[0]!];
    put(at + 1, moved);
  }
  return slides;
}
