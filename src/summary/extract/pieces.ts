import {
  type Item,
  isBlank,
  keyOf,
  lineShape,
  type MarkdownDocument,
  type Section,
} from "../../markdown/index.ts";
import { splitRow } from "../contract/table.ts";
import { cuesOf, REASONS, REJECTS } from "./cues.ts";
import { type Parted, partsOf, rowOf } from "./parts.ts";
import { foldBlanks, plainOf } from "./plain.ts";
import { LONGEST_PIECE, sentencesOf } from "./sentences.ts";
import type { Piece, PieceKind } from "./types.ts";

/** Pieces of a document that are weighed: far beyond what any level can hold. */
const MOST_PIECES = 60_000;
/** Characters of a block of code that can be told. */
const LONGEST_BLOCK = 2000;
/** Deepest nesting of lists and front matter that keeps its parents. */
const DEEPEST = 40;

/** Words that make a sentence depend on the one before it. */
const POINTS_BACK =
  /^(?:this|that|these|those|it|its|they|their|he|she|such|so|then|but|however|therefore|thus|hence|because|instead|otherwise|also|both|neither|either|which|and|or|the (?:latter|former|same)|이는|이것|이를|그것|그러나|하지만|따라서|그래서|또한|즉|단,|다만|대신|이때|이 경우)(?:[\s,']|$)/iu;

/** Cuts a document into the pieces a summary is made of, in order, each with what must stand above it. */
export function piecesOf({ items, sections }: MarkdownDocument): Piece[] {
  const cutter = new Cutter(sections);
  for (let index = 0; index < items.length && cutter.pieces.length < MOST_PIECES; index++)
    cutter.take(items, index);
  return cutter.pieces;
}

/** Where the cutting stands: what the next piece may have to stand under. */
class Cutter {
  readonly pieces: Piece[] = [];
  private readonly sections: readonly Section[];
  /** Heading pieces by section. */
  private readonly headings = new Map<number, number>();
  private heading = -1;
  private block = 0;
  /** Pieces of open list items, by depth, and of open keys of front matter with their indentation. */
  private list: number[] = [];
  private keys: { readonly indent: number; readonly piece: number }[] = [];
  /** What ends with a colon just above. */
  private lead = -1;
  private readonly claims: number[] = [];
  private table = -1;

  constructor(sections: readonly Section[]) {
    this.sections = sections;
  }

  take(items: readonly Item[], index: number): void {
    const item = items[index]!;
    this.block = index;
    if (item.kind !== "table-row") this.table = -1;
    if (item.kind === "blank") return;
    if (item.kind !== "list-item" && item.kind !== "key-value" && item.depth === 0 && !this.isItem(item))
      this.list = [];
    switch (item.kind) {
      case "rule":
        this.lead = -1;
        break;
      case "heading":
        this.openHeading(item);
        break;
      case "table-row":
        this.takeRow(items, index);
        break;
      case "fence":
        this.takeBlock(item);
        break;
      case "front-matter":
        this.takeKey(item);
        break;
      case "list-item":
      case "key-value":
      case "paragraph":
        if (this.isItem(item)) this.takeItem(item);
        else this.takeProse(item);
    }
  }

  private isItem({ kind, text }: Item): boolean {
    return kind === "list-item" || (kind === "key-value" && lineShape(text.slice(0, 200)).marker !== "");
  }

  private push(
    kind: PieceKind,
    text: string,
    under: number,
    part?: Pick<Piece, "at" | "fills" | "strong">,
  ): number {
    const piece = { kind, text, under, block: this.block, heading: this.heading, ...part };
    return this.pieces.push(piece) - 1;
  }

  private pushParted(
    kind: PieceKind,
    before: string,
    { base, parts }: Parted,
    under: number,
    strong = false,
  ): number {
    const own = this.push(kind, before + base, under, strong ? { strong } : undefined);
    for (const { text, at, fills } of parts) this.push("part", text, own, { at: at + before.length, fills });
    return own;
  }

  private openHeading(item: Item): void {
    const above = this.sections[item.section]!.parent;
    const { level } = this.sections[item.section]!;
    const title = shortened(plainOf(this.sections[item.section]!.title));
    this.heading = -1;
    this.heading = this.push("heading", `${"#".repeat(level)} ${title}`, this.headings.get(above) ?? -1);
    this.headings.set(item.section, this.heading);
    this.list = [];
    this.lead = -1;
  }

  /** What stands at a depth of a list stands under the item around it. */
  private around(depth: number): number {
    for (let at = Math.min(depth, this.list.length) - 1; at >= 0; at--)
      if (this.list[at] !== undefined) return this.list[at]!;
    return this.lead >= 0 ? this.lead : this.heading;
  }

  private takeItem(item: Item): void {
    const depth = Math.min(item.depth, DEEPEST);
    const first = item.text.slice(0, 400);
    const { marker, content, box } = lineShape(first);
    const words = plainOf(item.text.slice(content));
    const mark = `${"  ".repeat(depth)}${marker} ${box === undefined ? "" : `[${box}] `}`;
    this.list.length = Math.min(this.list.length, depth);
    const under = this.claimFor(words, depth) ?? this.around(depth);
    if (words === "") return;
    const own = this.sentences(words, under, "line", mark, isStrong(item.text.slice(content)));
    this.list[depth] = own;
    if (under === this.around(depth)) this.claims[depth] = own;
  }

  /** A reason or a rejected alternative stands under the item before it that it is about. */
  private claimFor(words: string, depth: number): number | undefined {
    const label = words.endsWith(":") ? words : labelOf(words);
    if (label.length > LONGEST_LABEL || (cuesOf(label) & (REASONS | REJECTS)) === 0) return undefined;
    const claim = this.claims[depth];
    return claim !== undefined && this.pieces[claim]!.under === this.around(depth) ? claim : undefined;
  }

  private takeProse(item: Item): void {
    const depth = Math.min(item.depth, DEEPEST);
    const under = depth > 0 ? this.around(depth) : this.heading;
    if (depth === 0) this.lead = -1;
    const lines = item.kind === "key-value" ? labelledIn(item.text) : [item.text];
    const kind = lines.length > 1 ? "line" : "sentence";
    for (const line of lines) {
      const words = plainOf(line);
      if (words === "" || words === ">") continue;
      const before = this.pieces.length;
      this.sentences(words, under, kind, "", isStrong(line));
      const last = this.lastHead(before);
      if (depth === 0 && this.pieces[last]!.text.endsWith(":")) this.lead = last;
    }
  }

  private lastHead(from: number): number {
    let at = this.pieces.length - 1;
    while (at > from && this.pieces[at]!.kind === "part") at--;
    return at;
  }

  /** Sentences of one block: those that point back stand under the one before, those of an item under its first. */
  private sentences(words: string, under: number, kind: PieceKind, mark: string, strong: boolean): number {
    let first = -1;
    let before = -1;
    for (const sentence of sentencesOf(words)) {
      const isFirst = first < 0;
      const parent = isFirst
        ? under
        : sentence.startsWith("(") || POINTS_BACK.test(sentence.slice(0, 24))
          ? before
          : kind === "line"
            ? first
            : under;
      before = this.pushParted(
        isFirst ? kind : "sentence",
        isFirst ? mark : "",
        partsOf(sentence),
        parent,
        strong && isFirst,
      );
      if (isFirst) first = before;
      if (this.pieces.length >= MOST_PIECES) break;
    }
    return first;
  }

  private takeRow(items: readonly Item[], index: number): void {
    const item = items[index]!;
    if (isRuler(item)) return;
    const cells = splitRow(item.text.slice(0, 8 * LONGEST_PIECE)).map(cell => shortened(plainOf(cell)));
    if (this.table < 0 && isRuler(items[index + 1])) {
      const under = this.lead >= 0 ? this.lead : this.heading;
      this.table = this.push("table", `| ${cells.join(" | ")}`, under);
    } else this.pushParted("row", "| ", rowOf(cells), this.table < 0 ? this.heading : this.table);
  }

  private takeBlock(item: Item): void {
    if (item.text.length > LONGEST_BLOCK) return;
    const under = item.depth > 0 ? this.around(item.depth) : this.lead >= 0 ? this.lead : this.heading;
    this.push("block", item.text.trimEnd(), under);
  }

  private takeKey({ text }: Item): void {
    if (text.startsWith("---") || text.trimStart().startsWith("#") || isBlank(text)) return;
    const indent = text.length - text.trimStart().length;
    const isEntry = text.trimStart().startsWith("- ");
    while (this.keys.length > 0) {
      const { indent: above, piece } = this.keys.at(-1)!;
      // Entries of a list may stand as far left as its key.
      if (
        above < indent ||
        (above === indent && isEntry && !this.pieces[piece]!.text.trimStart().startsWith("- "))
      )
        break;
      this.keys.pop();
    }
    const line = `${" ".repeat(Math.min(indent, DEEPEST))}${shortened(foldBlanks(text))}`;
    const piece = this.push("line", line, this.keys.at(-1)?.piece ?? -1);
    this.keys.push({ indent, piece });
  }
}

/** Characters of a label before its colon. */
const LONGEST_LABEL = 40;

/** What stands before the colon of `Label: statement`; empty without one. */
export function labelOf(text: string): string {
  const line = text.trimStart();
  const colon = line.indexOf(":");
  return colon > 0 && colon <= LONGEST_LABEL && colon < line.length - 1 ? line.slice(0, colon) : "";
}

/** Labels in a row are one paragraph to Markdown and several statements to a reader; a line without one goes on. */
function labelledIn(text: string): string[] {
  const statements: string[] = [];
  for (const line of text.split("\n")) {
    const key = keyOf(line);
    if (statements.length === 0 || (key !== undefined && key.length <= LONGEST_LABEL)) statements.push(line);
    else statements.push(`${statements.pop()!} ${line}`);
  }
  return statements;
}

/** Cut at a blank where it is longer than a piece may be. */
function shortened(text: string): string {
  if (text.length <= LONGEST_PIECE) return text;
  const blank = text.lastIndexOf(" ", LONGEST_PIECE);
  return `${text.slice(0, blank > LONGEST_PIECE / 2 ? blank : LONGEST_PIECE).toWellFormed()}…`;
}

/** Bold at its beginning, and not only a label. */
function isStrong(text: string): boolean {
  const line = text.trimStart();
  const end = line.startsWith("**") ? line.indexOf("**", 2) : -1;
  return end > 0 && line[end - 1] !== ":" && line[end + 2] !== ":";
}

/** `| --- | :-: |` */
function isRuler(item: Item | undefined): boolean {
  if (item?.kind !== "table-row" || item.text.length > 2000) return false;
  for (const char of item.text) if (!"|-: \t\r\n".includes(char)) return false;
  return item.text.includes("-");
}
