import type { RunEvent } from "../ports/index.ts";
import { eventText, type Locale, visible, visibleLines } from "../text/index.ts";

/** Characters of a one-line field that reach the page. */
export const LINE = 500;
/** Characters of a block of text that reach the page. */
export const BLOCK = 64 * 1024;

/** Foreign text as one line of the page: nothing in it reorders, hides or grows without bound. */
export function shown(text: string, max: number = LINE): string {
  // Cut first: making a megabyte visible only to drop it costs more than the page does.
  return visible(text.length > max * 2 ? text.slice(0, max * 2) : text, max);
}

/** Foreign text of several lines; of long ones the end is kept, where what went wrong stands. */
export function shownBlock(text: string, max: number = BLOCK, keep: "start" | "end" = "start"): string {
  if (text.length <= max) return visibleLines(text);
  const part = keep === "start" ? text.slice(0, max) : text.slice(-max);
  const safe = visibleLines(part);
  return keep === "start" ? `${safe}\n…` : `…\n${safe}`;
}

/** Items of a list in an event that reach the page. */
const ITEMS = 64;

/** An event with every text in it made visible. */
export function shownEvent(event: RunEvent, locale: Locale): { type: string } & Record<string, unknown> {
  const entries = Object.entries(eventText(event, locale)).map(([key, value]): [string, unknown] => {
    if (typeof value === "string") return [key, shown(value)];
    if (!Array.isArray(value)) return [key, value];
    return [
      key,
      value.slice(0, ITEMS).map((item: unknown) => (typeof item === "string" ? shown(item) : item)),
    ];
  });
  return Object.fromEntries(entries) as { type: string } & Record<string, unknown>;
}
