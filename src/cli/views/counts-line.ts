import type { Tally } from "../../run/index.ts";
import { type Look, line } from "./look.ts";
import { MARKS, STATUS_ORDER } from "./terminal/marks.ts";
import type { Piece } from "./terminal/paint.ts";
import { textWidth } from "./terminal/width.ts";

function pieces(counted: Tally, look: Look, withWords: boolean): Piece[] {
  const { words } = look;
  const parts: Piece[] = [];
  for (const status of STATUS_ORDER) {
    const count = counted.counts[status];
    if (count === 0 && status !== "completed") continue;
    if (parts.length > 0) parts.push({ text: withWords ? "   " : "  " });
    const { sign, style } = MARKS[status];
    parts.push({ text: withWords ? `${sign} ` : sign, style });
    parts.push({ text: withWords ? `${count} ${words.status[status]}` : String(count) });
    if (status !== "completed" || counted.unverified === 0) continue;
    parts.push({
      text: withWords ? ` (${words.unverifiedCount(counted.unverified)})` : `(${counted.unverified}?)`,
      style: "yellow",
    });
  }
  return parts;
}

/** How many tasks stand where, in one line: in words where these fit, else as marks with numbers. */
export function countsLine(counted: Tally, look: Look, indent: string): string {
  const full = pieces(counted, look, true);
  const width = full.reduce((sum, { text }) => sum + textWidth(text), textWidth(indent));
  return line(look, { text: indent }, ...(width <= look.width ? full : pieces(counted, look, false)));
}
