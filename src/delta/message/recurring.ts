import { align } from "./align.ts";
import type { Lines } from "./slides.ts";
import { changedSpans } from "./spans.ts";
import { changedThroughout, LONGEST_OLD, LONGEST_SEARCHED, type Throughout } from "./throughout.ts";

/** Changed lines beyond which nothing is looked for: each is compared word by word. */
const MOST_LINES = 2_000;
/** Changes that are looked at, those of most lines first. */
const MOST = 4;
/** Lines in which words become one thing, at least, for each in which they become another: such a line is written anew. */
const OTHERWISE = 8;
/** What pairs lines: neither few nor many. */
const CHANGE_COST = 3;
/** What ends a word with its path, sign and suffix: blanks, brackets, quotes, bars. */
const STOP = /[\s`()[\]{}"'|*,;]/;

/** Words that give way to the same others wherever they stand in a document, those of most lines first. */
export function recurring(text: string, next: string, hunks: readonly Lines[]): Throughout[] {
  const changed = hunks.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  if (changed > MOST_LINES || Math.max(text.length, next.length) > LONGEST_SEARCHED) return [];
  const seen = new Map<string, { readonly old: string; readonly next: string; lines: number }>();
  const all = new Map<string, number>();
  for (const { removed, added } of hunks) {
    for (const { kind, from, nextFrom } of align(removed, added, CHANGE_COST)) {
      if (kind !== "change") continue;
      for (const change of changesOf(removed[from]!, added[nextFrom]!)) {
        const key = `${change.old}\n${change.next}`;
        const known = seen.get(key) ?? { ...change, lines: 0 };
        known.lines++;
        seen.set(key, known);
        all.set(change.old, (all.get(change.old) ?? 0) + 1);
      }
    }
  }
  const often = [...seen.values()].filter(change => change.lines > 1).sort((a, b) => b.lines - a.lines);
  const found: Throughout[] = [];
  for (const { old, next: put, lines } of often.slice(0, 4 * MOST)) {
    // What becomes something else here and there is not said to become one thing throughout.
    const isSo = (all.get(old)! - lines) * OTHERWISE <= lines;
    const times = isSo ? timesOf(text, next, old, put) : 0;
    if (times > 1 && found.push({ old, next: put, times }) === MOST) break;
  }
  return found;
}

/** How often words stand in a text, where none of them is left in the next one but in what took their place; 0 otherwise. */
function timesOf(text: string, next: string, old: string, put: string): number {
  const rest = changedThroughout(next, [{ old: put, next: "\u0000" }]);
  const left = rest === undefined ? undefined : changedThroughout(rest.text, [{ old, next: "" }]);
  if (left?.times[0] !== 0) return 0;
  if (isAmidWord(text, old)) return 0;
  return changedThroughout(text, [{ old, next: put }])?.times[0] ?? 0;
}

/** Whether a letter or digit stands beside words that begin or end with one: `見直` is no word in `見直し`. */
function isAmidWord(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const end = at + words.length;
    if (
      /[\p{L}\p{N}]{2}/u.test(text.slice(end - 1, end + 1)) ||
      /[\p{L}\p{N}]{2}/u.test(text.slice(Math.max(0, at - 1), at + 1))
    )
      return true;
  }
  return false;
}

/** The words that differ in two lines, by themselves and with what belongs to them. */
function changesOf(old: string, next: string): { readonly old: string; readonly next: string }[] {
  const found = new Map<string, { readonly old: string; readonly next: string }>();
  for (const { from, to, nextFrom, nextTo } of changedSpans(old, next, 0)) {
    let [before, behind] = [0, 0];
    while (from > before && isShared(old[from - before - 1], next[nextFrom - before - 1])) before++;
    while (isShared(old[to + behind], next[nextTo + behind])) behind++;
    for (const [left, right] of [
      [0, 0],
      [before, behind],
    ] as const) {
      const change = {
        old: old.slice(from - left, to + right),
        next: next.slice(nextFrom - left, nextTo + right),
      };
      if (isTelling(change.old) && isTelling(change.next)) found.set(`${change.old}\n${change.next}`, change);
    }
  }
  return [...found.values()];
}

function isShared(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other && !STOP.test(one);
}

const EDGES = /^[|.,;:?!*_]|[|.,;:?!*_]$| {2}/;

/** Whether words say something wherever they stand: letters, a mark alone, or a number that is long. */
function isTelling(text: string): boolean {
  if (text === "" || text !== text.trim() || text.length > LONGEST_OLD) return false;
  if (!/[\p{L}\p{N}]/u.test(text)) return text.length < 4 && !text.includes(" ");
  if (EDGES.test(text)) return false;
  return /\p{L}{2}|\d\p{L}|\p{L}\d/u.test(text) || text.length > 5;
}
