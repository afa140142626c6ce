import { baseOf } from "./base.ts";
import type { Unreadable } from "./carry-lines.ts";
import { resolveKey } from "./keys.ts";
import { isReserved, newSide, oldSide, quoted } from "./quote.ts";
import { readReplacement } from "./read-change.ts";
import { findWhole } from "./words.ts";

/** Words that others take the place of wherever they stand in a document. */
export interface Throughout {
  readonly old: string;
  readonly next: string;
  /** How often they stand there. */
  readonly times: number;
}

/** A base as the other operations of a message see it. */
export interface Seen {
  readonly text: string;
  readonly operations: readonly string[];
  /** Changes that are done already. */
  readonly items: number;
}

const HEAD = "- CHANGED throughout:";
const TIMES = / \((\d{1,7}) times\)$/;
/** Changes of a message that reach through its document; each is looked for in every line. */
const MOST = 12;
/** Characters of the words that are looked for: a stranger could make the search long. */
export const LONGEST_OLD = 60;
/** Characters of a document, before and after, that is searched as a whole. */
export const LONGEST_SEARCHED = 1_000_000;

/** The operation that says so. */
export function writeThroughout(changes: readonly Throughout[]): string[] {
  const lines = changes.map(
    ({ old, next, times }) => `${side(old, oldSide)} → ${side(next, newSide)} (${times} times)`,
  );
  return lines.length === 1 ? [`${HEAD} ${lines[0]!}`] : [HEAD, ...lines.map(line => ` ${line}`)];
}

/** Marks without words are quoted: among arrows nobody sees where they end. */
function side(text: string, write: (text: string) => string): string {
  return /[\p{L}\p{N}]/u.test(text) ? write(text) : quoted(text);
}

/** A document with words changed wherever they stand, all at once, and how often each was found; undefined where that is too long. */
export function changedThroughout(
  text: string,
  changes: readonly Omit<Throughout, "times">[],
): { readonly text: string; readonly times: readonly number[] } | undefined {
  const times = changes.map(() => 0);
  let length = text.length;
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const parts: string[] = [];
    let at = 0;
    const found = changes.map(({ old }) => findWhole(line, old, 0));
    for (;;) {
      for (const [index, place] of found.entries())
        if (place >= 0 && place < at) found[index] = findWhole(line, changes[index]!.old, at);
      const first = found.reduce(
        (least, place) => (place >= 0 && (least < 0 || place < least) ? place : least),
        -1,
      );
      if (first < 0) break;
      const which = found.indexOf(first);
      const { old, next } = changes[which]!;
      // What reads so already stays.
      const within = next.indexOf(old);
      if (within >= 0 && line.startsWith(next, first - within)) {
        parts.push(line.slice(at, first + old.length));
        at = first + old.length;
        continue;
      }
      length += next.length - old.length;
      if (length > LONGEST_SEARCHED) return undefined;
      parts.push(line.slice(at, first), next);
      at = first + old.length;
      times[which]!++;
    }
    lines.push(at === 0 ? line : parts.join("") + line.slice(at));
  }
  return { text: lines.join("\n"), times };
}

/** A base in which what changes throughout has changed, with the operations that are left; the reason where that cannot be. */
export function seenBy(text: string, operations: readonly string[]): Seen | Unreadable {
  const plain = { text, operations, items: 0 };
  const start = operations.findIndex(line => line.trim() !== "");
  const head = operations[start];
  if (head === undefined || !head.startsWith(HEAD)) return plain;
  let end = start + 1;
  while (end < operations.length && !isReserved(operations[end]!)) end++;
  const said = [head.slice(HEAD.length), ...operations.slice(start + 1, end)].map(line => line.trim());
  const changes = said.filter(line => line !== "").map(readThroughout);
  // A line that begins with this very word is named by it.
  const base = baseOf(text);
  if (
    changes.length === 0 ||
    changes.includes(undefined) ||
    typeof resolveKey(base.view, base.keys(0), "throughout") !== "string"
  )
    return plain;
  const known = changes as readonly Throughout[];
  if (
    known.length > MOST ||
    text.length > LONGEST_SEARCHED ||
    known.some(({ old }) => old.length > LONGEST_OLD)
  )
    return { kind: "limit", operation: head, reason: "Too much to search" };
  const made = changedThroughout(text, known);
  if (made === undefined) return { kind: "limit", operation: head, reason: "The document gets too long" };
  const wrong = known.findIndex(({ times }, at) => times !== made.times[at]);
  if (wrong >= 0) {
    const { old, times } = known[wrong]!;
    return {
      kind: "unresolved",
      operation: head,
      reason: `${old} stands ${made.times[wrong]} times, not ${times}`,
    };
  }
  return { text: made.text, operations: operations.slice(end), items: known.length };
}

function readThroughout(line: string): Throughout | undefined {
  const found = TIMES.exec(line);
  const read = found === null ? undefined : readReplacement(line.slice(0, found.index));
  return read === undefined || found === null ? undefined : { ...read, times: Number(found[1]) };
}
