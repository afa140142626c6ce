import { readFileSync } from "node:fs";

/** A fenced block of a page. */
export interface Block {
  readonly lang: string;
  readonly text: string;
}

const root = new URL("../../", import.meta.url);

/** The text of a file of the project. */
export function readPage(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** All fenced blocks of a Markdown text, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly lang: string; readonly lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    const fence = /^`{3,}/.exec(line)?.[0] ?? "";
    if (open === undefined) {
      if (fence !== "") open = { fence, lang: line.slice(fence.length).trim(), lines: [] };
    } else if (line.trimEnd() === open.fence) {
      blocks.push({ lang: open.lang, text: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

/** The cells of a table row; bars inside backticks do not split. */
export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let code = false;
  for (const char of row.slice(1)) {
    if (char === "`") code = !code;
    if (char === "|" && !code) {
      cells.push(cell.trim());
      cell = "";
    } else cell += char;
  }
  return cells;
}

/** The body rows of the table whose header row begins with these cells. */
export function tableOf(markdown: string, ...header: readonly string[]): string[][] {
  const lines = markdown.split("\n");
  const at = lines.findIndex(
    line => line.startsWith("|") && header.every((name, i) => cellsOf(line)[i] === name),
  );
  if (at < 0) throw new Error(`no table with the columns ${header.join(", ")}`);
  const rows: string[][] = [];
  for (const line of lines.slice(at + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(cellsOf(line));
  }
  return rows;
}

/** The code spans of a text. */
export function spansOf(text: string): string[] {
  return text.split("`").filter((_, index) => index % 2 === 1);
}
