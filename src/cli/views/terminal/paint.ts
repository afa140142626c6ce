import { styleText } from "node:util";
import { cut, filled, textWidth } from "./width.ts";

/** The few looks a text can have; they stay readable on light and dark terminals. */
export type Style = "plain" | "bold" | "dim" | "green" | "red" | "yellow" | "cyan" | "title";

/** Gives a text its look; without colour it returns the text itself. */
export type Paint = (style: Style, text: string) => string;

const FORMATS: Readonly<Record<Exclude<Style, "plain">, Parameters<typeof styleText>[0]>> = {
  bold: "bold",
  dim: "dim",
  green: "green",
  red: "red",
  yellow: "yellow",
  cyan: "cyan",
  title: ["bold", "cyan"],
};

/** A painter with or without colour. */
export function createPaint(color: boolean): Paint {
  if (!color) return (_style, text) => text;
  return (style, text) =>
    style === "plain" || text === "" ? text : styleText(FORMATS[style], text, { validateStream: false });
}

/** A part of a line. Its text is already safe to show. */
export interface Piece {
  readonly text: string;
  readonly style?: Style;
  /** Takes the columns the others leave, cut or filled; at most one in a line. */
  readonly flexible?: boolean;
}

/** Pieces in at most `width` columns, painted. Nothing follows the last visible character. */
export function paintLine(pieces: readonly Piece[], width: number, paint: Paint): string {
  let fixed = 0;
  for (const piece of pieces) if (piece.flexible !== true) fixed += textWidth(piece.text);
  let left = width;
  const shown: { style: Style; text: string }[] = [];
  for (const [at, piece] of pieces.entries()) {
    const room = piece.flexible === true ? Math.min(left, Math.max(0, width - fixed)) : left;
    const padded = piece.flexible === true && Number.isFinite(room) && at < pieces.length - 1;
    const text = padded ? filled(piece.text, room) : cut(piece.text, room);
    shown.push({ style: piece.style ?? "plain", text });
    // A line that was cut ends with its ellipsis, even when one column is left.
    if (text !== piece.text && piece.flexible !== true) break;
    left -= textWidth(text);
  }
  for (let last = shown.at(-1); last !== undefined; last = shown.at(-1)) {
    last.text = last.text.trimEnd();
    if (last.text !== "") break;
    shown.pop();
  }
  return shown.map(({ style, text }) => paint(style, text)).join("");
}
