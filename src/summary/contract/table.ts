import type { Collector } from "./collect.ts";
import { fieldOf } from "./fields.ts";
import { lineOf, readShare } from "./values.ts";

/** Rows of a table of options that are read. */
const MOST_ROWS = 100;

/** The cells of a table row, without the bars around it; `\|` does not split. */
export function splitRow(row: string): string[] {
  const cells: string[] = [];
  const line = row.trim();
  let from = line.startsWith("|") ? 1 : 0;
  for (let at = from; at <= line.length; at++) {
    if (at < line.length && (line[at] !== "|" || line[at - 1] === "\\")) continue;
    cells.push(line.slice(from, at).trim());
    from = at + 1;
  }
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

/** Reads a table whose header has a column for T-Scores; false when it is another table. */
export function readOptionTable(rows: readonly string[], into: Collector): boolean {
  const header = splitRow(rows[0] ?? "");
  const scores = header.findIndex(cell => fieldOf(cell) === "tScore");
  if (scores < 0 || header.length < 2 || rows.length < 3) return false;
  const named = header.findIndex(
    cell => fieldOf(cell) === "options" || /^(?:option|method|방법|옵션|대안)/i.test(cell),
  );
  const names = named >= 0 ? named : scores === 0 ? 1 : scores - 1;
  for (const row of rows.slice(1, MOST_ROWS)) {
    const cells = splitRow(row);
    const option = lineOf(cells[names] ?? "");
    if (option === "" || /^[-: ]+$/.test(option)) continue;
    const found = cells[scores] ?? "";
    const share = readShare(found, false);
    if (typeof share === "string" && found !== "") into.problem(share, "tScore", found);
    into.addOption({ option, ...(typeof share === "number" ? { tScore: share } : {}) });
  }
  return true;
}
