/** A sentence with holes, `{0}`, `{1}` and so on in this order, and the same in another language with them in any order. */
export type Phrase = readonly [english: string, told: string];

/** Sentences of which the first that fits counts. */
export type Phrases = readonly Phrase[];

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

/** A text in another language where the whole of it is one of these phrases; any other comes back as it is. */
export function inOtherWords(text: string, phrases: Phrases): string {
  for (const [english, told] of phrases) {
    const held = heldBy(english, text);
    if (held !== undefined) return told.replace(HOLES, (_, at: string) => held[Number(at)] ?? "");
  }
  return text;
}

/** Two sentences that are told as one, the second behind a semicolon. */
export function joined(first: Phrase, second: Phrase): Phrase {
  const taken = first[0].match(HOLES)?.length ?? 0;
  const shifted = (text: string) => text.replace(HOLES, (_, at: string) => `{${Number(at) + taken}}`);
  return [`${first[0]}; ${shifted(second[0])}`, `${first[1]}; ${shifted(second[1])}`];
}
