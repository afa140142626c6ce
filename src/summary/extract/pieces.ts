import { type Item, isBlank, lineShape, type MarkdownDocument } from "../../markdown/index.ts";
import { fieldOf } from "../contract/fields.ts";
import { fenceMark } from "./render.ts";
import { LONGEST_PIECE, sentencesOf } from "./sentences.ts";
import type { Piece, PieceKind } from "./types.ts";

/** Pieces of a document that are weighed: far beyond what any level can hold. */
const MOST_PIECES = 60_000;
/** Items up to this length stay in one piece. */
const WHOLE_ITEM = 240;

/** Cuts a document into the pieces a summary is made of, in order. */
export function piecesOf({ items, sections }: MarkdownDocument): Piece[] {
  const pieces: Piece[] = [];
  const at = { heading: -1, table: -1, title: "", block: 0 };
  const push = (kind: PieceKind, text: string, under: number): number =>
    pieces.push({ kind, text, under, block: at.block, title: at.title }) - 1;
  for (let index = 0; index < items.length && pieces.length < MOST_PIECES; index++) {
    const item = items[index]!;
    at.block = index;
    if (item.kind !== "table-row") at.table = -1;
    switch (item.kind) {
      case "blank":
      case "rule":
        break;
      case "heading":
        at.title = sections[item.section]!.title;
        at.heading = push("heading", oneLine(item.text), -1);
        break;
      case "table-row":
        if (at.table < 0 && isRuler(items[index + 1])) {
          at.table = push(
            "table-head",
            `${oneLine(item.text)}\n${oneLine(items[index + 1]!.text)}`,
            at.heading,
          );
          index++;
        } else push("table-row", oneLine(item.text), at.table < 0 ? at.heading : at.table);
        break;
      case "fence":
        pushFence(item, at.heading, push);
        break;
      case "front-matter":
        // What the contract says stands in the template.
        if (!item.text.startsWith("---") && fieldOf(item.key ?? "") === undefined)
          push("line", oneLine(item.text), -1);
        break;
      case "list-item":
      case "key-value":
      case "paragraph":
        pushProse(item, at.heading, push);
    }
  }
  return pieces;
}

type Push = (kind: PieceKind, text: string, under: number) => number;

/** A list item keeps its marker; a long one, and a paragraph, comes apart into sentences. */
function pushProse(item: Item, heading: number, push: Push): void {
  // Labels in a row are one paragraph to Markdown and several statements to a reader.
  if (item.kind === "key-value" && lineShape(item.text.slice(0, WHOLE_ITEM)).marker === "") {
    for (const own of item.text.split("\n"))
      for (const sentence of sentencesOf(words(own))) push("line", sentence, heading);
    return;
  }
  const line = words(item.text);
  const short = line.length <= WHOLE_ITEM;
  if (item.kind === "list-item" || item.kind === "key-value") {
    const { marker } = lineShape(line.slice(0, 200));
    if (short) push(marker === "" ? "line" : "list-item", line, heading);
    else
      for (const [at, sentence] of sentencesOf(line).entries())
        push(at === 0 ? "line" : "sentence", sentence, heading);
    return;
  }
  for (const sentence of sentencesOf(line)) push("sentence", sentence, heading);
}

function pushFence(item: Item, heading: number, push: Push): void {
  const lines = item.text.split("\n");
  const first = lines[0]!.slice(lineShape(lines[0]!).content);
  const opener = push("fence", oneLine(first), heading);
  const mark = fenceMark(first);
  for (const line of lines.slice(1)) {
    if (isBlank(line) || line.trim() === mark) continue;
    for (let from = 0; from < line.length; from += LONGEST_PIECE) {
      const text = line.slice(from, from + LONGEST_PIECE).trimEnd();
      if (text !== "") push("code", text.toWellFormed(), opener);
      // The rest of a line of data says nothing that its beginning does not.
      if (from > 4 * LONGEST_PIECE) break;
    }
  }
}

/** `| --- | :-: |` */
function isRuler(item: Item | undefined): boolean {
  if (item?.kind !== "table-row" || item.text.length > 2000) return false;
  for (const char of item.text) if (!"|-: \t\r\n".includes(char)) return false;
  return item.text.includes("-");
}

function words(text: string): string {
  return text.split(/\s/).filter(Boolean).join(" ");
}

function oneLine(text: string): string {
  return words(text.slice(0, 2 * LONGEST_PIECE))
    .slice(0, LONGEST_PIECE)
    .toWellFormed();
}
