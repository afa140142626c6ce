/** Words that say nothing about what a text is about. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its " +
    "me my no not of on or our she should so that the their them then there these they this to us was we were what when " +
    "where which who why will with would you your about after before again all any each more most other some such than " +
    "too very just also only over under up out"
  ).split(" "),
);

const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;

type Script = "word" | "hangul" | "han" | "join" | "none";

function scriptOf(code: number): Script {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return "word";
  if (code < 128) return code === 95 || code === 45 || code === 46 || code === 47 ? "join" : "none";
  if (code >= HANGUL_FIRST && code <= HANGUL_LAST) return "hangul";
  if ((code >= 0x3040 && code < 0x3100) || (code >= 0x4e00 && code < 0xa000)) return "han";
  // Letters with accents, Cyrillic, Greek; punctuation and symbols lie elsewhere.
  return code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7 ? "word" : "none";
}

/** Cuts the endings that English puts on one word; crude on purpose, the same on both sides. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith("ed")) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith("es")) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

function addWord(terms: string[], word: string): void {
  if (COMMON.has(word)) return;
  terms.push(stem(word));
}

/** Pairs of neighbouring characters: Korean joins particles to words, so whole words rarely meet again. */
function addPairs(terms: string[], run: string): void {
  if (run.length === 1) terms.push(run);
  for (let at = 0; at + 1 < run.length; at++) terms.push(run.slice(at, at + 2));
}

/**
 * The terms of a text for ranking: stemmed words without the commonest ones, identifiers and paths both whole and in parts,
 * Hangul and Chinese in pairs of characters. Linear.
 */
export function termsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const terms: string[] = [];
  let at = 0;
  while (at < lower.length) {
    const script = scriptOf(lower.charCodeAt(at));
    const from = at;
    if (script === "hangul" || script === "han") {
      while (at < lower.length && scriptOf(lower.charCodeAt(at)) === script) at++;
      addPairs(terms, lower.slice(from, at));
    } else if (script === "word") {
      at = addIdentifier(terms, lower, from);
    } else at++;
  }
  return terms;
}

/** A word, or words joined by `_`, `-`, `.` or `/`; the end of it. */
function addIdentifier(terms: string[], lower: string, from: number): number {
  let at = from;
  let part = from;
  let parts = 0;
  for (;;) {
    while (at < lower.length && scriptOf(lower.charCodeAt(at)) === "word") at++;
    addWord(terms, lower.slice(part, at));
    parts++;
    const joins = at < lower.length && scriptOf(lower.charCodeAt(at)) === "join";
    if (!joins || at + 1 >= lower.length || scriptOf(lower.charCodeAt(at + 1)) !== "word") break;
    at++;
    part = at;
  }
  if (parts > 1) terms.push(lower.slice(from, at));
  return at;
}
