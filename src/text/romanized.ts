const INITIALS = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(" ");
const VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(" ");
const FINALS = " k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ");

const FIRST = 0xac00;
const LAST = 0xd7a3;

/** A Hangul syllable in Latin letters, by Revised Romanization of each letter by itself; undefined for any other character. */
export function romanized(char: string): string | undefined {
  const code = char.charCodeAt(0);
  if (code < FIRST || code > LAST) return undefined;
  const at = code - FIRST;
  const initial = INITIALS[Math.floor(at / 588)] ?? "";
  const vowel = VOWELS[Math.floor(at / 28) % 21] ?? "";
  return initial + vowel + (FINALS[at % 28] ?? "");
}
