/** Which bytes belong to something, as a table. */
export type Alphabet = Uint8Array;

const RANGES = {
  digits: "0123456789",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  lower: "abcdefghijklmnopqrstuvwxyz",
} as const;

export function alphabet(...chars: readonly string[]): Alphabet {
  const table = new Uint8Array(256);
  for (const text of chars) for (let at = 0; at < text.length; at++) table[text.charCodeAt(at)] = 1;
  return table;
}

export const UPPER_OR_DIGIT: Alphabet = alphabet(RANGES.upper, RANGES.digits);
export const LETTER: Alphabet = alphabet(RANGES.upper, RANGES.lower);
export const WORD: Alphabet = alphabet(RANGES.upper, RANGES.lower, RANGES.digits);
/** Of base64 with the letters of URLs. */
export const NAMES: readonly string[] = [RANGES.upper, RANGES.lower, RANGES.digits, "_-"];
export const NAME: Alphabet = alphabet(...NAMES);
/** Of tokens that consist of parts. */
export const PARTS: Alphabet = alphabet(RANGES.upper, RANGES.lower, RANGES.digits, "_-.~+/=");
export const BASE64: Alphabet = alphabet(RANGES.upper, RANGES.lower, RANGES.digits, "+/=");
