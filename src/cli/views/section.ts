import { heading, type Look, line } from "./look.ts";

/** Entries of a list until the rest is only counted. */
const LISTED = 10;

/** A titled list, cut after a few entries. Empty when there is nothing to list. */
export function section<T>(
  title: string,
  entries: readonly T[],
  look: Look,
  show: (entry: T) => string[],
): string[] {
  if (entries.length === 0) return [];
  const left = entries.length - LISTED;
  return [
    "",
    heading(look, title),
    ...entries.slice(0, LISTED).flatMap(show),
    ...(left > 0 ? [line(look, { text: `  ${look.words.more(left)}`, style: "dim" })] : []),
  ];
}
