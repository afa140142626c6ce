import type { Locale } from "./messages.ts";

/** Characters that tell a text's language, and the share of its letters that makes it Korean: names are Latin in any. */
const TELLING = 50_000;
const KOREAN_SHARE = 1 / 12;

/** The language that most of a text is in, of those we speak. */
export function localeOf(text: string): Locale {
  let korean = 0;
  let latin = 0;
  for (let at = 0; at < Math.min(text.length, TELLING); at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xac00 && code <= 0xd7a3) korean++;
    else if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) latin++;
  }
  return korean > KOREAN_SHARE * (korean + latin) ? "ko" : "en";
}
