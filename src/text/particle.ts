/** Korean particles by their forms: after a final consonant, and without one. */
const PAIRS = {
  "은/는": ["은", "는"],
  "이/가": ["이", "가"],
  "을/를": ["을", "를"],
  "과/와": ["과", "와"],
  "으로/로": ["으로", "로"],
  "이/": ["이", ""],
} as const;

export type Particle = keyof typeof PAIRS;

/** How a word ends when it is read aloud: the particle 으로 takes ㄹ for a vowel. */
type Ending = "vowel" | "consonant" | "ㄹ";

/** 영 일 이 삼 사 오 육 칠 팔 구; of tens, hundreds and thousands the last zero is read as a consonant as well. */
const DIGITS: readonly Ending[] = [
  "consonant",
  "ㄹ",
  "vowel",
  "consonant",
  "vowel",
  "vowel",
  "consonant",
  "ㄹ",
  "ㄹ",
  "vowel",
];

const HANGUL = 0xac00;
const SYLLABLES = 11_172;
const FINALS = 28;
const RIEUL = 8;

/** Letters behind which a Latin word ends in a consonant in Korean: `git` is 깃, `fallback` 폴백, `name` 네임; `mode` is 모드. */
const SHORT =
  /(?:^|[^a-z])[^aeiou\W\d_]{0,3}[aeiou][ckpt]$|[aiou]ck$|ook$|[aeiou]p$|[aeiou][mn]e$|(?:[dmn])it$|get$|out$|put$|set$/;

function latin(written: string): Ending {
  // Capitals are read as letters, four and more as a word.
  const word = /[A-Z]{4}$/.test(written) ? written.toLowerCase() : written;
  if (/[lL]$|le$|(?:^|[^A-Za-z])[A-Z]?R$/.test(word)) return "ㄹ";
  if (/(?:[mnMN]|[a-z]ng)$/.test(word)) return "consonant";
  return SHORT.test(word) ? "consonant" : "vowel";
}

function ending(text: string): Ending {
  if (text.endsWith("%")) return "vowel";
  const said = /[\p{L}\p{N}][^\p{L}\p{N}]{0,8}$/u.exec(text)?.[0]?.slice(0, 2) ?? "";
  const code = said.codePointAt(0) ?? 0;
  if (code >= 48 && code <= 57) return DIGITS[code - 48] ?? "vowel";
  const final = (code - HANGUL) % FINALS;
  if (code >= HANGUL && code < HANGUL + SYLLABLES)
    return final === 0 ? "vowel" : final === RIEUL ? "ㄹ" : "consonant";
  return latin(text.slice(-40).replace(/[^\p{L}\p{N}]{1,8}$/u, ""));
}

/** The form of a particle that stands behind a word, an id or a number, however that is quoted. */
export function particle(text: string | number, kind: Particle): string {
  const [closed, open] = PAIRS[kind];
  const end = ending(`${text}`.slice(-40));
  return end === "vowel" || (end === "ㄹ" && kind === "으로/로") ? open : closed;
}

/** A word with its particle. */
export function withParticle(text: string | number, kind: Particle): string {
  return `${text}${particle(text, kind)}`;
}
