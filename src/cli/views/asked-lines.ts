import type { Asked } from "../../engine/index.ts";
import { visible } from "../../text/index.ts";
import { type Look, line } from "./look.ts";
import { MARKS } from "./terminal/marks.ts";
import { clusters, textWidth } from "./terminal/width.ts";

/** Characters of a question from which on its end may not have been told. */
export const WHOLE = 900;

/** Columns below which a line is cut, whatever it holds. */
const NARROW = 20;

/** A text in lines of at most `width` columns, broken wherever one is full. */
function folded(text: string, width: number): string[] {
  const lines = [""];
  let used = 0;
  for (const { segment } of clusters().segment(text)) {
    const wide = textWidth(segment);
    if (used + wide > width) {
      lines.push("");
      used = 0;
    }
    lines[lines.length - 1] += segment;
    used += wide;
  }
  return lines;
}

/**
 * What an agent asks for and the keys that answer it, in at most `rows` lines. Nothing can be answered that is not seen to its
 * end: then `isWhole` is false, and the last line says where it is.
 */
export function askedLines(
  { task, kind, title }: Asked,
  rows: number,
  look: Look,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const { watch, asks } = look.words;
  const text = `${visible(task, 200)} ${asks(visible(kind, 40), visible(title, WHOLE))}`;
  const all = folded(text, Math.max(1, look.width - 3));
  const isWhole = title.length < WHOLE && look.width >= NARROW && all.length < rows;
  const told = all.slice(0, Math.max(0, rows - 1));
  const end = isWhole ? watch.answerKeys : watch.answerElsewhere;
  return {
    isWhole,
    lines: [
      ...told.map((part, at) =>
        line(look, { text: at === 0 ? ` ${MARKS.paused.sign} ` : "   " }, { text: part, style: "yellow" }),
      ),
      line(look, { text: `   ${end}`, style: "bold" }),
    ],
  };
}
