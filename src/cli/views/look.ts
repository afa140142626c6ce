import type { Locale } from "../../text/index.ts";
import { createPaint, type Paint, type Piece, paintLine } from "./terminal/paint.ts";
import { filled, textWidth } from "./terminal/width.ts";
import type { Words } from "./words/words.ts";
import { wordsFor } from "./words/words-for.ts";

/** How a view is shown: its language, its colours, and how wide a line may be. */
export interface Look {
  readonly words: Words;
  readonly paint: Paint;
  /** Columns of a line; infinite where nothing is cut, e.g. in a pipe. */
  readonly width: number;
}

/** What a view needs to know of a stream. */
export interface ViewStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Whether a stream takes colour: a terminal that is not dumb, or `FORCE_COLOR`; `NO_COLOR` always wins. */
export function wantsColor(stream: ViewStream, env: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = env;
  if (no !== undefined && no !== "") return false;
  if (force !== undefined) return force !== "0" && force !== "false";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** The look of a stream: its own width on a terminal, uncut lines elsewhere. */
export function lookOf(
  stream: ViewStream,
  env: Readonly<Record<string, string | undefined>>,
  locale: Locale,
): Look {
  const width =
    stream.isTTY === true && (stream.columns ?? 0) > 0 ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY;
  return { words: wordsFor(locale), paint: createPaint(wantsColor(stream, env)), width };
}

/** One line of a view, cut to its width. */
export function line(look: Look, ...pieces: readonly Piece[]): string {
  return paintLine(pieces, look.width, look.paint);
}

/** A text as the cell of a table: cut and filled on a terminal, only filled in a pipe, where nothing may get lost. */
export function cell(look: Look, text: string, width: number): string {
  if (Number.isFinite(look.width)) return filled(text, width);
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** The title above a section. */
export function heading(look: Look, text: string): string {
  return line(look, { text, style: "bold" });
}
