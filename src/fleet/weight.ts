import type { Report } from "../ports/index.ts";

/** How much room a report takes on its way, in bytes or so. */
export function weightOf({ event }: Report): number {
  if (event.type === "line" || event.type === "call") return 100 + event.text.length;
  if (event.type === "output") return 100 + event.bytes.length;
  return event.type === "ended" ? 100 + event.end.finalMessage.length : 200;
}
