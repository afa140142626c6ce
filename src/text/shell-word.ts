import { visible } from "./visible.ts";

/** A word as it stands in a shell command line. */
export function shellWord(text: string): string {
  const safe = visible(text);
  return /^[A-Za-z0-9._/:@+-]+$/.test(safe) && !safe.startsWith("-")
    ? safe
    : `'${safe.replaceAll("'", "'\\''")}'`;
}
