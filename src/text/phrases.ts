/** Sentences with holes, `{0}`, `{1}` and so on in this order, and the same in another language with them in any order. */
export type Phrases = readonly (readonly [english: string, told: string])[];

const HOLES = /\{(\d)\}/g;

/** What stands in a phrase's holes; undefined for a text that is not this phrase. */
function heldBy(english: string, text: string): readonly string[] | undefined {
  const [first = "", ...rest] = english.split(/\{\d\}/);
  if (!text.startsWith(first)) return undefined;
  const held: string[] = [];
  let at = first.length;
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = !isLast
      ? text.indexOf(literal, at)
      : text.endsWith(literal)
        ? text.length - literal.length
        : -1;
    if (end < at) return undefined;
    held.push(text.slice(at, end));
    at = end + literal.length;
  }
  return at === text.length ? held : undefined;
}

function partInOtherWords(part: string, phrases: Phrases): string {
  for (const [english, told] of phrases) {
    const held = heldBy(english, part);
    if (held !== undefined) return told.replace(HOLES, (_, at: string) => held[Number(at)] ?? "");
  }
  return part;
}

/** A text whose parts are joined by semicolons in another language, as far as its words are known: the first phrase counts. */
export function inOtherWords(text: string, phrases: Phrases): string {
  return text
    .split("; ")
    .map(part => partInOtherWords(part, phrases))
    .join("; ");
}
