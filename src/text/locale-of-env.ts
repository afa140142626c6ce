import type { Locale } from "./messages.ts";

const NAMES = ["ESPALIER_LOCALE", "LC_ALL", "LC_MESSAGES", "LANG"];

/** The language of an environment: of the first variable that says one. What is neither of ours, `C` and `POSIX` are English. */
export function localeOfEnv(env: Readonly<Record<string, string | undefined>>): Locale {
  const said = NAMES.map(name => env[name]).find(value => value !== undefined && value !== "") ?? "";
  return /^ko(?:$|[-_.@])/i.test(said) ? "ko" : "en";
}
