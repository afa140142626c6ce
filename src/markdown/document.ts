import { type Block, type BlockKind, scanBlocks } from "./blocks.ts";
import { keyOf } from "./key-value.ts";
import { type Section, scanSections } from "./sections.ts";

export type ItemKind = BlockKind | "key-value";

/** A leaf of a document. The texts of all items, in order, are the source. */
export interface Item {
  /** A list item or paragraph of the shape `key: value` is a `key-value`. */
  readonly kind: ItemKind;
  /** The exact bytes, line ends included. */
  readonly text: string;
  /** 0-based line. */
  readonly line: number;
  /** Index into the document's sections. */
  readonly section: number;
  /** Nesting of list items, from 0. */
  readonly depth: number;
  /** What names the item: its key, or the first cell of a table row. */
  readonly key?: string;
}

/** A Markdown document, taken apart without losing a byte. */
export interface MarkdownDocument {
  readonly sections: readonly Section[];
  readonly items: readonly Item[];
  /** Lines of the front matter, delimiters included; 0 without one. */
  readonly frontMatterLines: number;
}

/** Scans a document into sections and items; linear in its length, for any string. */
export function scanMarkdown(source: string): MarkdownDocument {
  const lines = source.split("\n");
  const blocks = scanBlocks(lines);
  const sections = scanSections(blocks, lines.length);
  const items: Item[] = [];
  let offset = 0;
  let section = 0;
  for (const block of blocks) {
    const end = offset + lengthOf(lines, block);
    while (block.line >= sections[section]!.endLine) section++;
    const first = lines[block.line]!;
    const key = named(block.kind) ? keyOf(first) : undefined;
    items.push({
      kind: key !== undefined && keyed(block.kind) ? "key-value" : block.kind,
      text: source.slice(offset, end),
      line: block.line,
      section,
      depth: block.depth,
      ...(key === undefined ? {} : { key }),
    });
    offset = end;
  }
  return { sections, items, frontMatterLines: blocks.filter(block => block.kind === "front-matter").length };
}

function named(kind: BlockKind): boolean {
  return kind === "table-row" || kind === "front-matter" || keyed(kind);
}

function keyed(kind: BlockKind): boolean {
  return kind === "list-item" || kind === "paragraph";
}

function lengthOf(lines: readonly string[], block: Block): number {
  let length = 0;
  for (let line = block.line; line < block.endLine; line++) length += lines[line]!.length + 1;
  return block.endLine === lines.length ? length - 1 : length;
}
