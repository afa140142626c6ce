import type { Item } from "../markdown/index.ts";
import { append, itemsOf } from "./merge-append.ts";
import type { Merged } from "./merged.ts";
import { isDelimiterRow, splitRow, writeRow } from "./table.ts";

/** Longest cell of a row that is written anew under other titles. */
const LONGEST = 2_000;

/** Rows are updated by what names them (a file, a reference), never dropped; the table keeps its own columns. */
export function mergeRows(old: string, fresh: string): Merged {
  const [known, come] = [itemsOf(old, "row"), itemsOf(fresh, "row")];
  if (known.length === 0)
    return {
      text: append(
        old,
        undefined,
        come.map(item => item.text.trimEnd()),
      ),
    };
  const adapt = adapter(titlesOf(known), titlesOf(come));
  const news = new Map(namedRows(come).map(({ name, item }) => [name, item]));
  const lines = old.split("\n");
  for (const { name, item } of namedRows(known)) {
    const row = news.get(name);
    if (row === undefined) continue;
    news.delete(name);
    lines[item.line] = adapt(row, item);
  }
  const added = [...news.values()].map(row => adapt(row));
  return { text: append(lines.join("\n"), known.at(-1), added) };
}

/** Rows of one section as the table of another has them. */
export function adaptRows(old: string, fresh: string, rows: readonly Item[]): string[] {
  const adapt = adapter(titlesOf(itemsOf(old, "row")), titlesOf(itemsOf(fresh, "row")));
  return rows.map(row => adapt(row));
}

/** The first row's cells, where they are titles. */
function titlesOf(rows: readonly Item[]): string[] {
  return isDelimiterRow(rows[1]?.text ?? "") ? splitRow(rows[0]!.text).map(title => title.toLowerCase()) : [];
}

/**
 * How a row comes under other titles: cell by cell where titles are shared, else in order. A column it knows nothing of
 * keeps what stood there before.
 */
function adapter(titles: readonly string[], theirs: readonly string[]): (row: Item, before?: Item) => string {
  if (titles.length === 0 || titles.join("\0") === theirs.join("\0")) return row => row.text.trimEnd();
  const shared = titles.some(title => theirs.includes(title));
  const columns = titles.map((title, at) => (shared ? theirs.indexOf(title) : at));
  return (row, before) => {
    const cells = splitRow(row.text);
    const own = before === undefined ? [] : splitRow(before.text);
    return writeRow(
      columns.map((column, at) => cells[column] ?? own[at] ?? ""),
      LONGEST,
    );
  };
}

/** The rows below a table's titles, by the second cell of `Type | Reference | Hint`, else by the first. */
function namedRows(rows: readonly Item[]): { name: string; item: Item }[] {
  const column = titlesOf(rows).indexOf("reference") === 1 ? 1 : 0;
  return rows.flatMap((item, at) =>
    isDelimiterRow(item.text) || isDelimiterRow(rows[at + 1]?.text ?? "")
      ? []
      : [{ name: (splitRow(item.text)[column] ?? "").replaceAll("`", "").trim(), item }],
  );
}
