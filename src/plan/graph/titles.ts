import { plainTitle } from "../markdown/definition.ts";
import type { Piece } from "../markdown/document.ts";

const SEPARATORS = /[,;、，；]/u;

/** Looks up tasks by their titles, where the value of a dependency names no id. */
export type ByTitle = (value: readonly Piece[]) => readonly number[] | undefined;

/**
 * Finds tasks by whole titles: each piece of a value is one, or some with commas between. Undefined where a word is left
 * over, or a title is that of several tasks. Punctuation, markup and case do not count.
 */
export function createByTitle(titles: readonly string[]): ByTitle {
  let known: Map<string, number> | undefined;
  const index = (): Map<string, number> => {
    if (known !== undefined) return known;
    known = new Map();
    for (const [task, title] of titles.entries()) {
      const plain = plainTitle(title);
      if (plain !== "") known.set(plain, known.has(plain) ? -1 : task);
    }
    return known;
  };
  return value => {
    const found = new Set<number>();
    for (const { text } of value) {
      const whole = index().get(plainTitle(text));
      const tasks =
        whole === undefined ? text.split(SEPARATORS).map(part => index().get(plainTitle(part))) : [whole];
      for (const task of tasks) {
        if (task === undefined || task < 0) return undefined;
        found.add(task);
      }
    }
    return found.size === 0 ? undefined : [...found];
  };
}
