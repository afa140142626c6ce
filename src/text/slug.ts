import { romanized } from "./romanized.ts";

const LONGEST = 40;

/** The lower-case ASCII of a text; Hangul by its sound. */
function latin(text: string): string {
  const spelled = Array.from(text.normalize("NFC"), char => romanized(char) ?? char).join("");
  return spelled.normalize("NFKD").toLowerCase();
}

/** Whether the slug of a text keeps all of its letters and digits: of `项目` and `🚀` it has none, and of a long text the beginning. */
export function isToldBySlug(text: string): boolean {
  const word = slug(text, "");
  return word !== "" && word.length < LONGEST && !/(?![a-z0-9])[\p{L}\p{N}]/u.test(latin(text));
}

/** Lower-case ASCII words joined by `-`, at most 40 characters; `fallback` when nothing is left. */
export function slug(text: string, fallback: string): string {
  let out = "";
  for (const char of latin(text)) {
    if ((char >= "a" && char <= "z") || (char >= "0" && char <= "9")) out += char;
    else if (out !== "" && !out.endsWith("-")) out += "-";
    if (out.length >= LONGEST) break;
  }
  while (out.endsWith("-")) out = out.slice(0, -1);
  return out === "" ? fallback : out;
}
