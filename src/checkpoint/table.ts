/** One row of a Markdown table. */
export interface Row {
  readonly cells: readonly string[];
  /** 0-based line. */
  readonly line: number;
}

/** A Markdown table: a row of titles, a row of dashes, and rows below. */
export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly Row[];
  /** Index into `rows` of those with another number of cells than there are titles. */
  readonly broken: readonly number[];
}

/** Longest cell that is written; the rest is `…`. */
const LONGEST_CELL = 160;

/** The cells of a row, trimmed; `\|` is a bar within a cell. */
export function splitRow(line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  const text = line.trim();
  for (let at = text[0] === "|" ? 1 : 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\" && text[at + 1] === "|") {
      cell += "|";
      at++;
    } else if (char === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += char;
  }
  if (cell.trim() !== "") cells.push(cell.trim());
  return cells;
}

/** Whether a row is the line of dashes below a table's titles. */
export function isDelimiterRow(line: string): boolean {
  let dashes = 0;
  for (const char of line) {
    if (char === "-") dashes++;
    else if (!"|: \t\r\n".includes(char)) return false;
  }
  return dashes > 0;
}

/** A text as one cell: on one line, bars escaped, cut where it is longer than `most`. */
export function asCell(text: string, most: number = LONGEST_CELL): string {
  const line = oneLine(text, most);
  // A backslash at the end would escape the bar behind it.
  const safe = line.replaceAll("\\|", "|").replaceAll("|", "\\|");
  return safe.endsWith("\\") ? `${safe} ` : safe;
}

/** A text on one line, control characters and runs of blanks as one blank, cut with `…` where it is longer than `most`. */
export function oneLine(text: string, most: number): string {
  let out = "";
  let gap = false;
  for (let at = 0; at < text.length && out.length <= most; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || (code >= 0x7f && code <= 0xa0) || code === 0x2028 || code === 0x2029) gap = true;
    else {
      if (gap && out !== "") out += " ";
      gap = false;
      out += text[at]!;
    }
  }
  if (out.length <= most) return out;
  const kept = out.slice(0, most - 1);
  const last = kept.charCodeAt(kept.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? kept.slice(0, -1) : kept}…`;
}

/** A table row of texts. */
export function writeRow(cells: readonly string[], most?: number): string {
  return `| ${cells.map(cell => asCell(cell, most)).join(" | ")} |`;
}

/** The tables among lines `from` (0-based) to `to`, in order. `isRow` tells which lines are rows of a table. */
export function readTables(
  lines: readonly string[],
  from: number,
  to: number,
  isRow: (line: number) => boolean,
): Table[] {
  const tables: Table[] = [];
  for (let at = from; at + 1 < to; at++) {
    if (!isRow(at) || !isRow(at + 1) || !isDelimiterRow(lines[at + 1]!)) continue;
    const titles = splitRow(lines[at]!);
    const rows: Row[] = [];
    const broken: number[] = [];
    for (at += 2; at < to && isRow(at); at++) {
      const row = { cells: splitRow(lines[at]!), line: at };
      if (row.cells.length !== titles.length) broken.push(rows.length);
      rows.push(row);
    }
    tables.push({ titles, rows, broken });
  }
  return tables;
}
