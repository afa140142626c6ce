import { readBox } from "../syntax/box.ts";
import { isMarkup, isSpace, skipSpaces, trimEnd } from "../syntax/chars.ts";
import { fieldKey } from "../syntax/field-key.ts";
import { type FieldKey, IN_ROW } from "../syntax/fields.ts";
import { type Head, readHead } from "../syntax/head.ts";
import { emojiAt, leadingState } from "../syntax/marks.ts";
import type { Line } from "../syntax/scan.ts";
import type { Draft, Piece } from "./document.ts";

interface Cell {
  readonly at: number;
  readonly end: number;
}

/** What one body row of a table says about a task. */
export interface Row {
  /** The id cell, with the box or state of the row. */
  readonly head?: Head;
  readonly fields: readonly (Piece & { readonly key: FieldKey })[];
  readonly stateCell?: Draft["stateCell"];
  /** Of a two-column row: a field named in the first cell. */
  readonly pair?: Piece & { readonly key: FieldKey };
}

/** Reads the rows of one table after another; `end` is called where a table stops. */
export interface TableReader {
  read(line: Line): Row | undefined;
  end(): void;
}

/** The cells of a row, spaces left off; `\|` and bars inside backticks do not split. */
function cellsOf(text: string, line: Line): Cell[] {
  const cells: Cell[] = [];
  let from = text.charCodeAt(line.body) === 124 ? line.body + 1 : line.body;
  let quoted = false;
  for (let i = from; i <= line.end; i++) {
    const code = i < line.end ? text.charCodeAt(i) : 124;
    if (code === 96) quoted = !quoted;
    if (i < line.end && (code !== 124 || quoted || text.charCodeAt(i - 1) === 92)) continue;
    const at = skipSpaces(text, from, i);
    if (i < line.end || at < i) cells.push({ at, end: trimEnd(text, at, i) });
    from = i + 1;
  }
  return cells;
}

/** `|---|:--:|`: the line between header and body. */
function isSeparator(text: string, cells: readonly Cell[]): boolean {
  return (
    cells.length > 0 &&
    cells.every(cell => {
      if (cell.end - cell.at === 0 || cell.end - cell.at > 200) return false;
      for (let i = cell.at; i < cell.end; i++)
        if (text.charCodeAt(i) !== 45 && text.charCodeAt(i) !== 58) return false;
      return true;
    })
  );
}

/** The words of a cell without the markup around them. */
function wordsOf(text: string, cell: Cell): Cell {
  let { at, end } = cell;
  while (at < end && (isMarkup(text.charCodeAt(at)) || isSpace(text.charCodeAt(at)))) at++;
  while (end > at && (isMarkup(text.charCodeAt(end - 1)) || isSpace(text.charCodeAt(end - 1)))) end--;
  return { at, end };
}

/** Creates a reader for the tables of one text. */
export function createTableReader(text: string): TableReader {
  let header: readonly Cell[] | undefined;
  /** The row above. */
  let last: readonly Cell[] = [];
  let columns: readonly (FieldKey | undefined)[] | undefined;

  function keyOf(cell: Cell): FieldKey | undefined {
    const words = wordsOf(text, cell);
    return fieldKey(text.slice(words.at, Math.min(words.end, words.at + 40)));
  }

  /** Which cell says whose row it is, or -1: not one in the column of a field, and none where a row begins with several tasks. */
  function idCellOf(cells: readonly Cell[]): number {
    for (const [index, cell] of cells.slice(0, 3).entries()) {
      const head = readHead(text, cell.at, cell.end, false);
      const key = columns?.[index];
      if (head.id === undefined || head.shape !== "task" || (key !== undefined && IN_ROW.has(key))) continue;
      return head.several ? -1 : index;
    }
    return -1;
  }

  function readRow(line: Line, cells: readonly Cell[]): Row {
    const place = (cell: Cell) => ({ line: line.number, column: cell.at - line.start + 1 });
    const [name, value] = cells;
    if (cells.length === 2 && name !== undefined && value !== undefined) {
      const key = keyOf(name);
      if (key !== undefined)
        return { fields: [], pair: { key, text: text.slice(value.at, value.end), ...place(value) } };
    }
    const fields: (Piece & { key: FieldKey })[] = [];
    const idAt = idCellOf(cells);
    const idCell = cells[idAt];
    if (idCell === undefined) return { fields };
    let head = readHead(text, idCell.at, idCell.end, false);
    let stateCell: Row["stateCell"];
    for (const [index, cell] of cells.entries()) {
      if (index === idAt) continue;
      const key = columns?.[index];
      const content = text.slice(cell.at, cell.end);
      const box = readBox(text, cell.at, cell.end);
      const emoji = emojiAt(text, cell.at);
      if (box !== undefined && head.box === undefined) head = { ...head, box };
      else if (key === "status" || (emoji !== undefined && cell.end - cell.at <= emoji.length)) {
        const state = leadingState(content);
        if (state !== undefined) head = { ...head, mark: state };
        if (emoji !== undefined) stateCell = { at: cell.at, length: emoji.length, state: emoji.state };
      } else if (key !== undefined && IN_ROW.has(key)) fields.push({ key, text: content, ...place(cell) });
      else if (head.title === "" && index > idAt) head = { ...head, title: content };
    }
    return { head, fields, stateCell };
  }

  return {
    read(line) {
      const cells = cellsOf(text, line);
      if (header === undefined) {
        header = last = cells;
        // What names a task is no header: such rows stand without one.
        const first = readRow(line, cells);
        return first.head === undefined ? undefined : first;
      }
      const above = last;
      last = cells;
      // Tables with nothing but a blank line between them come as one; `| - | - |` below a task is a row of it.
      if (isSeparator(text, cells) && (columns === undefined || idCellOf(above) < 0)) {
        header = above;
        columns = header.map(cell => keyOf(cell));
        // A table of fields may begin with one in its header.
        return header.length === 2 && columns[0] !== undefined && columns[1] === undefined
          ? readRow(line, header)
          : undefined;
      }
      columns ??= [];
      return readRow(line, cells);
    },
    end() {
      header = undefined;
      columns = undefined;
    },
  };
}
