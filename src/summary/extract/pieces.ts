import { type Item, lineShape, type MarkdownDocument, type Section } from "../../markdown/index.ts";
import type { Locale } from "../../text/index.ts";
import { splitRow } from "../contract/table.ts";
import { type Above, type Lead, STAND_IN } from "./around.ts";
import { cuesOf, KEEPS, REASONS, REJECTS } from "./cues.ts";
import { dataLines } from "./data-lines.ts";
import { openKeys } from "./front-matter.ts";
import {
  isListItem,
  isQuote,
  isRuler,
  isStrong,
  isTag,
  isTitleTag,
  LONGEST_LABEL,
  labelOf,
  linesOfCode,
  shortened,
  titleIn,
  unquoted,
} from "./lines.ts";
import { withLists } from "./lists.ts";
import { type Parted, partsOf, rowOf } from "./parts.ts";
import { plainOf } from "./plain.ts";
import * as refers from "./references.ts";
import { endsSentence, firstOf, LONGEST_PIECE, sentencesOf } from "./sentences.ts";
import { itemStatements, statementsIn } from "./statements.ts";
import type { Piece, PieceKind } from "./types.ts";

/** Pieces of a document that are weighed: far beyond what any level can hold. */
const MOST_PIECES = 60_000;
/** Characters of a block of code that can be told. */
const LONGEST_BLOCK = 2000;
/** Characters of one that is told with every sentence about it; something stands for a longer one. */
const LONGEST_TOLD_ALONG = 200;
/** Deepest nesting of lists and front matter that keeps its parents. */
const DEEPEST = 40;
/** Pieces that one can stand under: what points back further is left out. */
const MOST_ABOVE = 64;
/** Pieces that a sentence is cut into; what goes on longer is data without sentences. */
const MOST_CUTS = 3;

/** Cuts a document into the pieces a summary is made of, in order, each with what must stand above it. */
export function piecesOf(document: MarkdownDocument, locale: Locale = "en"): Piece[] {
  const cutter = new Cutter(document.sections, locale);
  const items = dataLines(document) ?? document.items;
  for (let index = 0; index < items.length && cutter.pieces.length < MOST_PIECES; index++)
    cutter.take(items, index);
  return withLists(cutter.pieces);
}

/** Where the cutting stands: what the next piece may have to stand under. */
class Cutter {
  readonly pieces: (Piece & { with?: number })[] = [];
  private readonly sections: readonly Section[];
  private readonly locale: Locale;
  /** Heading pieces by section. */
  private readonly headings = new Map<number, number>();
  private heading = -1;
  private block = 0;
  /** Pieces of open list items, what opens the next block, and the block before, by depth. */
  private list: number[] = [];
  private leads: (Lead | undefined)[] = [];
  private above: (Above | undefined)[] = [];
  private readonly keys = openKeys(DEEPEST);
  /** How many pieces each stands under. */
  private readonly height: number[] = [];
  private readonly claims: number[] = [];
  private table = -1;

  constructor(sections: readonly Section[], locale: Locale) {
    this.sections = sections;
    this.locale = locale;
  }

  take(items: readonly Item[], index: number): void {
    const item = items[index]!;
    this.block = index;
    if (item.kind !== "table-row") this.table = -1;
    if (item.kind === "blank") return;
    if (item.kind !== "list-item" && item.kind !== "key-value" && item.depth === 0 && !isListItem(item))
      this.list = [];
    switch (item.kind) {
      case "rule":
        this.leads = [];
        this.above = [];
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
        if (isListItem(item)) this.takeItem(item, items[index - 1]);
        else this.takeProse(item);
    }
  }

  private push(
    kind: PieceKind,
    text: string,
    under: number,
    traits?: Pick<Piece, "at" | "fills" | "strong" | "opens">,
  ): number {
    const piece = { kind, text, under, block: this.block, heading: this.heading, ...traits };
    this.height.push(1 + (this.height[under] ?? 0));
    return this.pieces.push(piece) - 1;
  }

  private pushParted(
    kind: PieceKind,
    before: string,
    { base, parts }: Parted,
    under: number,
    traits?: Pick<Piece, "strong" | "opens">,
  ): number {
    const own = this.push(kind, before + base, under, traits);
    for (const { text, at, fills, goesOn } of parts) {
      const above = goesOn === true ? this.pieces.length - 1 : own;
      this.push("part", text, above, { at: at + before.length, fills });
    }
    return own;
  }

  private openHeading(item: Item): void {
    const { level, parent, title } = this.sections[item.section]!;
    const text = `${"#".repeat(level)} ${shortened(plainOf(title))}`;
    this.heading = -1;
    this.heading = this.push("heading", text, this.headings.get(parent) ?? -1);
    this.headings.set(item.section, this.heading);
    [this.list, this.leads, this.above] = [[], [], []];
  }

  /** What stands at a depth of a list stands under the line that opens it, else under the item around it. */
  private around(depth: number): number {
    for (let at = depth; at >= 0; at--) {
      const lead = this.leads[at];
      if (lead !== undefined) return lead.piece;
      if (at > 0 && this.list[at - 1] !== undefined) return this.list[at - 1]!;
    }
    return this.heading;
  }

  /** What a list, a table or code stands under: the line above is about the first of them, another one stands below that. */
  private openBlock(depth: number, kind: "list" | "table" | "code", count: number): number {
    const lead = this.leads[depth];
    const before = this.above[depth];
    const under = this.around(depth);
    const isSame = before?.kind === kind;
    const inside =
      isSame && kind === "list"
        ? before.inside
        : !isSame && before !== undefined && lead?.below === "rest"
          ? this.pointedAt(depth)
          : under;
    if (lead !== undefined) lead.below = "rest";
    this.leads.length = Math.min(this.leads.length, depth + 1);
    this.above.length = Math.min(this.above.length, depth + 1);
    if (isSame && kind === "list") before.count += count;
    else this.above[depth] = { kind, from: this.pieces.length, under, inside, count };
    return inside;
  }

  /** What a sentence that points back is about: the end of the text above it, or what stands for a list or code; -1 without one. */
  private pointedAt(depth: number): number {
    const above = this.above[depth];
    if (above === undefined) return depth > 0 ? (this.list[depth - 1] ?? -1) : -1;
    const { kind, from, under, count } = above;
    const first = this.pieces[from];
    if (kind === "code" && (first === undefined || first.text.length > LONGEST_TOLD_ALONG))
      return this.push("stand-in", STAND_IN[this.locale].code(count), under, { at: from });
    if (kind === "list" && count > 1)
      return this.push("stand-in", STAND_IN[this.locale].list(count), under, { at: from });
    if (first === undefined) return under;
    return kind === "prose" || kind === "quote" ? this.lastHead(from) : from;
  }

  private takeItem(item: Item, before: Item | undefined): void {
    const depth = Math.min(item.depth, DEEPEST);
    const above = this.above[depth];
    // A line right above a list that ends no sentence opens it.
    if (above?.kind === "prose" && before?.kind !== "blank" && this.leads[depth] === undefined) {
      const piece = this.lastHead(above.from);
      if (!endsSentence(this.pieces[piece]!.text))
        this.leads[depth] = { piece, isTitle: true, below: "nothing" };
    }
    const first = item.text.slice(0, 400);
    const { marker, content, box } = lineShape(first);
    const { own: line, below, behind } = itemStatements(item.text);
    const words = plainOf(line.slice(content));
    const mark = `${"  ".repeat(depth)}${marker} ${box === undefined ? "" : `[${box}] `}`;
    this.list.length = Math.min(this.list.length, depth);
    if (words === "") return;
    const claim = above?.kind === "list" ? this.claims[depth] : undefined;
    const limited = claim !== undefined && refers.limits(words) ? claim : undefined;
    const around = this.openBlock(depth, "list", 1);
    const under = limited ?? this.claimFor(words, depth, around) ?? around;
    const from = this.pieces.length;
    const own = this.sentences(words, under, "line", mark, isStrong(line.slice(content)));
    if (own < 0) return;
    const keys: number[] = [];
    for (const { text, above, deeper } of below) {
      const indent = "  ".repeat(depth + 1 + deeper);
      keys.push(this.sentences(plainOf(text), keys[above] ?? own, "line", indent, isStrong(text)));
    }
    if (limited !== undefined) this.bind(limited, limited + 1, own);
    this.list[depth] = own;
    if (under === around) this.claims[depth] = own;
    this.above[depth + 1] = { kind: "prose", from, under: own, inside: own, count: 0 };
    const last = this.lastHead(from);
    if (last !== own && refers.opensNext(words))
      this.leads[depth + 1] = { piece: last, isTitle: false, below: "nothing" };
    if (behind.length > 0) this.list.length = Math.min(this.list.length, depth);
    this.takeLines(behind, depth, "line");
  }

  /** A reason or a rejected alternative stands under the item before it that it is about. */
  private claimFor(words: string, depth: number, around: number): number | undefined {
    const label = words.endsWith(":") ? words : labelOf(words);
    if (label.length > LONGEST_LABEL || (cuesOf(label) & (REASONS | REJECTS)) === 0) return undefined;
    const claim = this.claims[depth];
    return claim !== undefined && this.pieces[claim]!.under === around ? claim : undefined;
  }

  private takeProse(item: Item): void {
    const depth = Math.min(item.depth, DEEPEST);
    const quoted = isQuote(item.text);
    const text = quoted ? unquoted(item.text) : item.text;
    const lines = quoted && item.kind !== "key-value" ? [text] : statementsIn(text);
    const kind = lines.length > 1 ? "line" : quoted ? "quote" : "sentence";
    this.takeLines(lines, depth, kind);
  }

  /** Statements that stand one below the other: the last one may be the title of what follows. */
  private takeLines(lines: readonly string[], depth: number, kind: "line" | "sentence" | "quote"): void {
    for (const [at, line] of lines.entries()) {
      const words = plainOf(line);
      if (isTag(words)) this.takeTag(words, depth);
      else if (words !== "")
        this.takeText(words, depth, kind, at === lines.length - 1 && titleIn(line), isStrong(line));
    }
  }

  /** What a tag that is no element of HTML opens stands under it, as under a title: `<rejected>`. */
  private takeTag(tag: string, depth: number): void {
    this.leads.length = Math.min(this.leads.length, depth);
    this.above.length = Math.min(this.above.length, depth);
    if (!isTitleTag(tag)) return;
    const piece = this.push("sentence", tag, this.around(depth), { opens: true });
    this.leads[depth] = { piece, isTitle: true, below: "nothing" };
  }

  /** A text stands under the line that opens it, one that points back under what it is about, a quote under the text above it. */
  private takeText(
    words: string,
    depth: number,
    kind: "line" | "sentence" | "quote",
    title: boolean,
    strong: boolean,
  ): void {
    const above = this.above[depth];
    const lead = this.leads[depth];
    const opens = title || refers.opensNext(words);
    const ends =
      lead?.below === "rest" ||
      (lead?.below === "prose" && opens) ||
      (lead?.below === "nothing" && lead.isTitle && title);
    if (ends) this.leads[depth] = undefined;
    const going = this.leads[depth];
    const back = going?.below !== "nothing" && (refers.pointsBack(words) || refers.retracts(firstOf(words)));
    const isQuoted = kind === "quote" && going === undefined && above !== undefined;
    const under =
      isQuoted && above.kind === "quote" ? above.under : back || isQuoted ? this.pointedAt(depth) : -1;
    const from = this.pieces.length;
    const around = this.around(depth);
    const parent = under >= 0 ? under : around;
    const first = this.sentences(words, parent, kind, kind === "quote" ? "> " : "", strong, around);
    if (first < 0) return;
    if (above !== undefined) this.bindBack(words, above, first, back);
    this.above.length = Math.min(this.above.length, depth);
    this.above[depth] = {
      kind: kind === "quote" ? "quote" : "prose",
      from,
      under: parent,
      inside: parent,
      count: 0,
    };
    if (opens) this.leads[depth] = { piece: this.lastHead(from), isTitle: title, below: "nothing" };
    else if (going?.below === "nothing") this.leads[depth] = { piece: first, isTitle: false, below: "prose" };
  }

  /** What takes a block back, or limits it, is told with it. */
  private bindBack(words: string, { kind, from }: Above, own: number, back: boolean): void {
    const sentence = firstOf(words);
    const isAbout = back || kind === "quote";
    if (!isAbout || !(refers.retracts(sentence) || refers.limits(sentence))) return;
    this.bind(refers.retracts(sentence) || kind === "list" ? from : this.lastHead(from, own), own, own);
  }

  private bind(from: number, to: number, own: number): void {
    for (let at = from; at < to; at++) if (this.pieces[at]!.kind !== "part") this.pieces[at]!.with ??= own;
  }

  private lastHead(from: number, to = this.pieces.length): number {
    let at = to - 1;
    while (at > from && this.pieces[at]!.kind === "part") at--;
    return at;
  }

  /** Sentences of one block: those that point back stand under the one before, those of an item or quote under its first. */
  private sentences(
    words: string,
    under: number,
    kind: "line" | "sentence" | "quote",
    mark: string,
    strong: boolean,
    rest = under,
  ): number {
    /** Of these, `claim` is the last one that does not point back. */
    let [first, before, about, claim] = [-1, -1, -1, -1];
    /** The sentence that those after it in the block are about, and one that opened a quotation. */
    let [governor, opened] = [-1, -1];
    let said = "";
    let unbound = this.pieces.length;
    let cuts = 0;
    const all = sentencesOf(words);
    for (const [nth, sentence] of all.entries()) {
      const isFirst = first < 0;
      const isCut = !isFirst && !endsSentence(said) && cuts++ < MOST_CUTS;
      if (cuts > MOST_CUTS) governor = -1;
      const takesBack = !isFirst && refers.retracts(sentence);
      const back = takesBack || (!isFirst && (refers.pointsBack(sentence) || said.endsWith("?")));
      const aside = kind !== "sentence" ? about : governor >= 0 ? governor : rest;
      const inside = opened >= 0 ? opened : back || isCut ? before : aside;
      const parent = isFirst ? under : inside;
      if ((this.height[parent] ?? 0) >= MOST_ABOVE) continue;
      const isLabel = isFirst && all.length > 1 && refers.isBareLabel(sentence);
      const isLast = nth === all.length - 1;
      const traits = { ...(strong && isFirst ? { strong } : {}), ...(isLabel ? { opens: true } : {}) };
      const own = this.pushParted(
        isFirst && kind === "line" ? kind : "sentence",
        isFirst ? mark : "",
        isLast && refers.opensNext(sentence) ? { base: sentence, parts: [] } : partsOf(sentence),
        parent,
        traits,
      );
      if (takesBack) this.bind(unbound, own, own);
      else if (!isFirst && refers.qualifies(said, sentence)) this.bind(claim, own, own);
      else if (isCut && (cuesOf(sentence) & KEEPS) !== 0) this.bind(before, own, own);
      if (takesBack) unbound = own;
      before = own;
      if (isFirst) first = own;
      if (!back) claim = own;
      // What a label opens begins with what the rest is about: `Decision 4. We use SQLite. Phones are to be tested.`
      const isOpened = nth === 1 && this.pieces[first]!.opens === true && (cuesOf(said) & KEEPS) === 0;
      if (isFirst || isOpened) about = own;
      if (isOpened || refers.governs(sentence, isFirst)) governor = own;
      if (refers.leavesOpen(sentence)) opened = opened >= 0 ? -1 : own;
      if (endsSentence(sentence)) cuts = 0;
      said = sentence;
      if (this.pieces.length >= MOST_PIECES) break;
    }
    return first;
  }

  private takeRow(items: readonly Item[], index: number): void {
    const item = items[index]!;
    if (isRuler(item)) return;
    const cells = splitRow(item.text.slice(0, 8 * LONGEST_PIECE)).map(cell => shortened(plainOf(cell)));
    const depth = Math.min(item.depth, DEEPEST);
    const under = this.table < 0 ? this.openBlock(depth, "table", 1) : this.table;
    if (this.table < 0 && isRuler(items[index + 1]))
      this.table = this.push("table", `| ${cells.join(" | ")}`, under);
    else this.pushParted("row", "| ", rowOf(cells), under);
  }

  private takeBlock(item: Item): void {
    const depth = Math.min(item.depth, DEEPEST);
    const text = item.text.trimEnd();
    const under = this.openBlock(depth, "code", linesOfCode(text));
    if (item.text.length <= LONGEST_BLOCK) this.push("block", text, under);
  }

  private takeKey({ text }: Item): void {
    const key = this.keys.take(text);
    if (key === undefined) return;
    const own = this.push("line", key.line, key.under, { opens: /[[{]$/.test(key.line) });
    if (key.judges) this.bind(key.under, key.under + 1, own);
    this.keys.became(own);
  }
}
