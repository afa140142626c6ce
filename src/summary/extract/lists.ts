import { cuesOf, KEEPS } from "./cues.ts";
import type { Piece } from "./types.ts";

/** Says that what follows it is all there is: `Only these may write:`, `다음만 허용한다:`; no `하지만`, `다만` or `100만`. */
const CLOSED = /\b(?:only|exclusively|nothing else|no others?)\b|오직|뿐|(?<![지다\d])만(?=[\s:：])/iu;
const OPENS = /[:：]$/u;
const MARK = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[.\]\s+)?/u;
/** Words and characters of an item that names what stands below it, and how one ends that states something. */
const MOST_WORDS = 2;
const LONGEST_NAME = 24;
const STATES = /[.!?。]$|[다요음함됨임]$/u;

/** `금지`, `Do not`: above items that say what. */
function onlyForbids(text: string): boolean {
  const words = text.replace(MARK, "");
  const isName = words.length <= LONGEST_NAME && words.split(" ").length <= MOST_WORDS;
  return isName && !STATES.test(words) && (cuesOf(words) & KEEPS) !== 0;
}

/**
 * Pieces of which a list that is said to be all there is comes whole or not at all, since its rest would be denied, and an item that
 * only says that something is forbidden, or the like, with what that is.
 */
export function withLists(pieces: readonly Piece[]): Piece[] {
  const below = Map.groupBy(
    pieces.keys().filter(at => pieces[at]!.kind === "line"),
    at => pieces[at]!.under,
  );
  const bound = [...pieces];
  for (const [lead, items] of below) {
    const { kind, text } = pieces[lead] ?? {};
    if (kind === undefined || text === undefined || kind === "heading") continue;
    if (kind === "line" && onlyForbids(text)) bound[lead] = { ...bound[lead]!, opens: true };
    if (items.length < 2 || !OPENS.test(text) || !CLOSED.test(text)) continue;
    for (const [nth, item] of items.entries())
      bound[item] = { with: items[(nth + 1) % items.length]!, ...bound[item]! };
  }
  return bound;
}
