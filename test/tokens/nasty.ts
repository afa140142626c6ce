import fc from "fast-check";

/** Characters at which the encoding's rules part: every class, the contractions, blanks of all kinds, marks, surrogates. */
export const NASTY: readonly string[] = [
  ...Array.from("aAbBzZ09.,-/_()[]{}=#*`'\"<>|~^$@!?:;&%+\\"),
  " ",
  "  ",
  "\n",
  "\r\n",
  "\t",
  "\u00a0",
  "\u2003",
  "'s",
  "'LL",
  "'Re",
  "'x",
  "é",
  "ß",
  "Ж",
  "ж",
  "ǅ",
  "ʰ",
  "ª",
  "\u0301",
  "\u0903",
  "١",
  "Ⅷ",
  "½",
  "가",
  "나다라",
  "ㅋㅋ",
  "漢字",
  "かな",
  "ไทย",
  "😀",
  "👩‍👩‍👧",
  "𝔘",
  "𐐷",
  " the",
  "function",
  "HTTPServer",
  "<|endoftext|>",
];

/** Texts over few of these at a time, so that runs and repetitions come about. */
export function nastyText(maxLength = 60): fc.Arbitrary<string> {
  return fc
    .subarray([...NASTY], { minLength: 1, maxLength: 6 })
    .chain(some => fc.array(fc.constantFrom(...some), { maxLength }))
    .map(parts => parts.join(""));
}
