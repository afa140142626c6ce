import { hunkOf } from "./diff.ts";
import type { Delta } from "./types.ts";

/** The delta that undoes another one. */
export function invert(delta: Delta): Delta {
  let shift = 0;
  const hunks = delta.hunks.map(({ at, removed, added }) => {
    const hunk = hunkOf(at + shift, added, removed);
    shift += added.length - removed.length;
    return hunk;
  });
  return { base: delta.result, result: delta.base, hunks };
}
