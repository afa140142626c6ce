import { type Block, beginsMerge, type Section, scanBlocks, scanSections } from "../markdown/index.ts";
import { type FrontMatter, namedFields, readFrontMatter } from "./front-matter.ts";
import { type Part, partOf } from "./parts.ts";
import { readTables, type Table } from "./table.ts";

/** What a checkpoint says of itself; empty values count as absent. */
export interface Head {
  readonly checkpoint?: string;
  readonly created?: string;
  /** What it is anchored to: a run and its last event, a commit, a session. */
  readonly anchor?: string;
  /** The checkpoint it was made from. */
  readonly parent?: string;
  readonly status?: string;
  /** Other ends of the history that it takes the place of, joined by commas. */
  readonly supersedes?: string;
  /** The delta that leads to it from its parent. */
  readonly lastDelta?: string;
}

/** A heading with its own text up to the next heading. */
export interface Tile {
  readonly section: Section;
  /** What it means; undefined for a section of the author's own, and for what precedes the first heading. */
  readonly part?: Part;
  /** The exact text, heading included. The texts of all tiles, in order, are the document. */
  readonly text: string;
  /** The tile after the last of its subsections. */
  readonly treeEnd: number;
}

/** A checkpoint taken apart without losing a byte. Any text is one; `checkCheckpoint` tells what is amiss. */
export interface Checkpoint {
  readonly head: Head;
  readonly front: FrontMatter;
  readonly tiles: readonly Tile[];
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
}

/** What a front matter says of a checkpoint. */
export function headOf(front: FrontMatter): Head {
  return namedFields(front, {
    checkpoint: "checkpoint",
    created: "created",
    anchor: "anchor",
    parent: "parent",
    status: "status",
    supersedes: "supersedes",
    lastDelta: "last_delta",
  });
}

/** Takes a document apart; linear in its length, for any text. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split("\n");
  const blocks = scanBlocks(lines);
  const sections = scanSections(blocks, lines.length);
  const front = readFrontMatter(text);
  const tiles: Tile[] = [];
  // Ends of trees are lines; a tile's index is found by the line it begins at.
  const byLine = new Map(sections.map((section, index) => [section.line, index]));
  for (const section of sections) {
    const last = section.endLine === lines.length;
    const own = lines.slice(section.line, section.endLine).join("\n") + (last ? "" : "\n");
    const part = section.level === 0 ? undefined : partOf(section.title);
    const treeEnd = byLine.get(section.treeEnd) ?? sections.length;
    tiles.push({ section, text: own, treeEnd, ...(part === undefined ? {} : { part }) });
  }
  return { head: headOf(front), front, tiles, lines, blocks };
}

/** The document again, byte for byte. */
export function printCheckpoint({ tiles }: Pick<Checkpoint, "tiles">): string {
  return tiles.map(({ text }) => text).join("");
}

/** Index of the first tile of a part; -1 without one. */
export function indexOfPart({ tiles }: Checkpoint, part: Part): number {
  return tiles.findIndex(tile => tile.part === part);
}

/** The lines below a part's heading, subsections included; undefined where there is no such part. */
export function bodyOfPart(checkpoint: Checkpoint, part: Part): readonly string[] | undefined {
  const range = rangeOfPart(checkpoint, part);
  return range === undefined ? undefined : checkpoint.lines.slice(range.from, range.to);
}

/** The tile after a part's last: its subsections belong to it, another part below it does not. */
export function endOfPart({ tiles }: Checkpoint, index: number): number {
  const { treeEnd } = tiles[index]!;
  let end = index + 1;
  while (end < treeEnd && tiles[end]!.part === undefined) end++;
  return end;
}

function rangeOfPart(checkpoint: Checkpoint, part: Part): { from: number; to: number } | undefined {
  const index = indexOfPart(checkpoint, part);
  const tile = checkpoint.tiles[index];
  if (tile === undefined) return undefined;
  const last = checkpoint.tiles[endOfPart(checkpoint, index) - 1]!;
  return { from: tile.section.bodyLine, to: last.section.endLine };
}

/** The tables of a part. */
export function tablesOfPart(checkpoint: Checkpoint, part: Part): readonly Table[] {
  const range = rangeOfPart(checkpoint, part);
  if (range === undefined) return [];
  return readTables(checkpoint.lines, range.from, range.to, rowTest(checkpoint));
}

/** Tells which lines are rows of a table. */
export function rowTest({ blocks }: Pick<Checkpoint, "blocks">): (line: number) => boolean {
  const rows = new Set(blocks.filter(({ kind }) => kind === "table-row").map(({ line }) => line));
  return line => rows.has(line);
}

/** 0-based line at which a merge that nobody finished left both of its sides, outside of fences; undefined without one. */
export function conflictLine({ lines, blocks }: Pick<Checkpoint, "lines" | "blocks">): number | undefined {
  const fenced = new Set<number>();
  for (const { kind, line, endLine } of blocks)
    if (kind === "fence") for (let at = line; at < endLine; at++) fenced.add(at);
  const at = lines.findIndex((line, number) => beginsMerge(line) && !fenced.has(number));
  return at < 0 ? undefined : at;
}

/** The list items of a part, each as one text without its mark, in order. */
export function itemsOfPart(checkpoint: Checkpoint, part: Part): readonly string[] {
  const range = rangeOfPart(checkpoint, part);
  if (range === undefined) return [];
  return checkpoint.blocks
    .filter(({ kind, line }) => kind === "list-item" && line >= range.from && line < range.to)
    .map(({ line, endLine }) => checkpoint.lines.slice(line, endLine).join("\n").trimEnd());
}
