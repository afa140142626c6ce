import { nearest } from "../../text/index.ts";
import { isAlpha, isColon, isMarkup, isSpace, skipSpaces } from "./chars.ts";
import { fieldKey } from "./field-key.ts";
import { TAUGHT } from "./fields.ts";

/** The names we teach: only these are ever proposed. */
const PROPOSED: ReadonlyMap<string, string> = new Map(TAUGHT.map(name => [name.replaceAll("_", ""), name]));

/** Names of other things that stand one letter beside one of ours. */
const ORDINARY = new Set(
  (
    "tests text texts rule rules find mind bind file list tool tools note notes task tasks type types title user state " +
    "states rest best roles risks agents content contexts contents contest flow block unblocks fields field filled runs " +
    "verified verifies expected expect specialists stats station parent parents"
  ).split(" "),
);

/** A field name that is none, and the one that may be meant. */
export interface Misspelt {
  readonly at: number;
  readonly name: string;
  readonly meant: string;
  /** Written as we write our own: lower case, no markup. */
  readonly plain: boolean;
}

function sameLetters(a: string, b: string): boolean {
  return a.split("").sort().join("") === b.split("").sort().join("");
}

const MAX_NAME = 20;
const MAX_KNOWN = 1000;

/** Creates a check for lines that read like a field of a name we do not know; names are compared once each. */
export function createSpelling(): (text: string, at: number, end: number) => Misspelt | undefined {
  const known = new Map<string, string | undefined>();

  function meantBy(name: string): string | undefined {
    const compact = name.toLowerCase().replace(/[_-]/g, "");
    if (known.has(compact)) return known.get(compact);
    const isOpen = compact.length >= 3 && !ORDINARY.has(compact) && fieldKey(compact) === undefined;
    const guess = isOpen ? nearest(compact, PROPOSED.keys()) : undefined;
    // In a short word a letter more or less, or one replaced, makes another word.
    const isClose = guess !== undefined && (compact.length >= 5 || sameLetters(compact, guess));
    const meant = isClose ? PROPOSED.get(guess) : undefined;
    if (known.size < MAX_KNOWN) known.set(compact, meant);
    return meant;
  }

  return (text, at, end) => {
    let start = at;
    while (start < end && start < at + 4 && isMarkup(text.charCodeAt(start))) start++;
    const limit = Math.min(end, start + MAX_NAME + 1);
    let stop = start;
    while (stop < limit && (isAlpha(text.charCodeAt(stop)) || text[stop] === "_" || text[stop] === "-"))
      stop++;
    let next = stop;
    while (next < end && next < stop + 4 && isMarkup(text.charCodeAt(next))) next++;
    if (stop === start || stop >= limit || next >= end || !isColon(text.charCodeAt(next))) return undefined;
    const behind = skipSpaces(text, next + 1, end);
    if (behind < end && !isSpace(text.charCodeAt(next + 1)) && !isMarkup(text.charCodeAt(next + 1)))
      return undefined;
    const name = text.slice(start, stop);
    const meant = meantBy(name);
    const plain = start === at && next === stop && name === name.toLowerCase();
    return meant === undefined ? undefined : { at: start, name, meant, plain };
  };
}
