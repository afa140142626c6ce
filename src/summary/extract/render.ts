import type { Piece } from "./types.ts";

/** Says in a text's language how many rows of a table are left out. */
export type MoreRows = (rows: number) => string;

/** Writes chosen pieces in document order: sentences of a block on one line, parts in their gaps, what a table has more. */
export function render(pieces: readonly Piece[], chosen: readonly number[], moreRows: MoreRows): string {
  const told = new Set(chosen);
  const lines: string[] = [];
  let before: Piece | undefined;
  let table: { readonly index: number; rows: number; seen: number } | undefined;
  const close = (): void => {
    if (table !== undefined && table.rows > table.seen) lines.push(moreRows(table.rows - table.seen));
    table = undefined;
  };
  for (const index of chosen) {
    const piece = pieces[index]!;
    if (piece.kind === "part" || (piece.kind === "stand-in" && isNeedless(pieces, index, told))) continue;
    const text = filled(pieces, index, told);
    if (piece.kind !== "row" || piece.under !== table?.index) close();
    if (piece.kind === "table") table = { index, rows: rowsOf(pieces, index), seen: 0 };
    else if (piece.kind === "row" && table !== undefined) table.seen++;
    const goesOn = piece.kind === "sentence" && before?.block === piece.block && before.kind !== "stand-in";
    if (goesOn) lines.push(`${lines.pop()!} ${text}`);
    else lines.push(text);
    before = piece;
  }
  close();
  return lines.join("\n");
}

/** Where all is told, nothing stands for it. */
function isNeedless(pieces: readonly Piece[], standIn: number, told: ReadonlySet<number>): boolean {
  const from = pieces[standIn]!.at!;
  for (let at = from; at < standIn; at++) if (pieces[at]!.kind !== "part" && !told.has(at)) return false;
  return from < standIn;
}

/** A piece's text with the chosen parts in their gaps. */
function filled(pieces: readonly Piece[], index: number, told: ReadonlySet<number>): string {
  let { text } = pieces[index]!;
  let grown = 0;
  for (let at = index + 1; pieces[at]?.kind === "part"; at++) {
    const part = pieces[at]!;
    if (!told.has(at)) continue;
    const place = part.at! + grown;
    const behind = place + (part.fills === true ? 1 : 0);
    text = text.slice(0, place) + part.text + text.slice(behind);
    grown += part.text.length - (behind - place);
  }
  return text;
}

function rowsOf(pieces: readonly Piece[], table: number): number {
  let rows = 0;
  for (let at = table + 1; at < pieces.length; at++) {
    const { kind, under } = pieces[at]!;
    if (kind === "row" && under === table) rows++;
    else if (kind !== "part") break;
  }
  return rows;
}
