import { readFileSync } from "node:fs";

/** Rows of the glossary: one word, and those that are not used for it. */
export const GLOSSARY = [
  ...readFileSync("src/text/SPEC.md", "utf8")
    .split("\n## Korean\n")[1]!
    .split("\n## ")[0]!
    .matchAll(/^\| (?<meaning>[^|]+) \| (?<word>[^|]*[가-힣][^|]*) \| (?<rejected>[^|]+) \|$/gm),
].map(({ groups }) => ({ ...groups, rejected: groups!["rejected"]!.split(", ") }));

/** Particles that leave the choice to the reader. */
const UNDECIDED = /은\(는\)|는\(은\)|을\(를\)|를\(을\)|이\(가\)|가\(이\)|과\(와\)|와\(과\)|\(으\)로/;
/** The window of a context by its last word alone, which is that of a program on a screen. */
const BARE_WINDOW =
  /(?<!컨텍스트 )(?<![가-힣])창(?![가-힣])|(?<!컨텍스트 )(?<![가-힣])창(?:[이을은의에]|으로)(?![가-힣])/;
/** What is wrong with Korean words, wherever they stand. */
export function amissIn(text: string): string[] {
  return [
    ...GLOSSARY.flatMap(({ rejected }) => rejected).filter(word =>
      new RegExp(`(?<![A-Za-z])${word}(?![A-Za-z])`).test(text),
    ),
    ...[UNDECIDED, BARE_WINDOW].flatMap(pattern => pattern.exec(text)?.[0] ?? []),
  ];
}
