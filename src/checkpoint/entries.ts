import { lineShape } from "../markdown/index.ts";
import { shorten } from "./excerpt.ts";
import { partOf } from "./parts.ts";
import { nameOf, type Side, titlesOf } from "./side.ts";
import { isDelimiterRow } from "./table.ts";

/** Something that stands in one of two documents only. */
export interface Entry {
  /** Title of the section; empty before the first heading. */
  readonly section: string;
  /** What it says; of a whole section its number of lines, those of the sections below that came or went with it included. */
  readonly text: string;
  readonly kind: "item" | "row" | "section";
  /** What it is called. */
  readonly name: string;
  /** Titles of the table a row stands in; absent where it has none. */
  readonly titles?: readonly string[];
  /** Titles of the sections below a section that came or went with it; absent where there are none. */
  readonly inner?: readonly string[];
}

/** Items that stand on one side only; those of a section that is new or gone as a whole are told with it. */
export function entries(side: Side, indexes: ReadonlySet<number>): Entry[] {
  const { items, sections } = side.document;
  const whole = new Map<number, { entry: Entry; lines: number; inner: string[] }>();
  const found: Entry[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const item = items[index]!;
    const { title, endLine, line, parent } = sections[item.section]!;
    if (item.kind === "heading") {
      const above = whole.get(parent);
      if (above === undefined) {
        const entry = { section: title, text: "", kind: "section", name: title } as const;
        whole.set(item.section, { entry, lines: endLine - line, inner: [] });
        found.push(entry);
      } else {
        above.lines += endLine - line;
        above.inner.push(title);
        whole.set(item.section, above);
      }
    } else if (!whole.has(item.section) || partOf(title) === "artifacts") {
      const name = nameOf(item);
      if (item.kind !== "table-row") {
        const text = shorten(item.text.slice(lineShape(item.text).content), 200);
        found.push({ section: title, text, kind: "item", name });
        continue;
      }
      // Titles are told with the rows below them.
      if (isDelimiterRow(items[index + 1]?.text ?? "") && indexes.has(index + 2)) continue;
      const titles = titlesOf(side, index);
      const text = item.text.trim();
      found.push({ section: title, text, kind: "row", name, ...(titles.length === 0 ? {} : { titles }) });
    }
  }
  const sums = new Map([...whole.values()].map(one => [one.entry, one]));
  return found.map(entry => {
    const sum = sums.get(entry);
    if (sum === undefined) return entry;
    const { lines, inner } = sum;
    return { ...entry, text: String(lines), ...(inner.length === 0 ? {} : { inner }) };
  });
}
