import { type EntityKind, type entitiesIn, scanEntities } from "../entity/index.ts";
import type { Piece } from "./types.ts";
import { scanWords } from "./words.ts";

/** What covering a fact of a kind is worth; a word that matters is worth far less. */
const KIND: Readonly<Record<EntityKind, number>> = { path: 3, id: 3, code: 2.4, number: 2 };
const WORD = 0.07;
/** Words that occur once tell little of what a document is about. */
const RARE_WORD = 0.02;

/** How much a line counts less for every line like it. */
const LOG_DAMPING = 0.25;

/** How much of its worth a piece keeps that only points elsewhere. */
const POINTER = 0.25;

/** Titles under which stand the things later work builds on, and those under which stand what led there. */
const LASTING =
  /decision|decided|result|outcome|interface|contract|api|summary|final|next|handoff|hand-off|artifact|files? |change|risk|constraint|open question|결정|결과|인터페이스|계약|요약|최종|다음|후속|산출물|변경|위험|제약|핵심|추천/iu;
const PASSING =
  /log|output|transcript|trace|history|raw|appendix|background|notes|로그|출력|배경|부록|기록/iu;
const DECIDES =
  /(?:^|[\s*_])(?:decision|decided|we (?:will|chose|use)|chosen|must|never|always|결정|채택|선택|확정|반드시|금지)(?:$|[\s:*_.,])/iu;

/** The features of all pieces: which facts and words each covers, and what covering them is worth. */
export interface Weights {
  /** Per piece the indices of its features, each once. */
  readonly features: readonly (readonly number[])[];
  /** The index of each feature by its name. */
  readonly index: ReadonlyMap<string, number>;
  /** Worth of each feature. */
  readonly worth: readonly number[];
  /** Per piece a factor for where it stands and what it says. */
  readonly factor: readonly number[];
}

/** Calls back for the name of every fact and word of a text. */
export function scanFeatures(text: string, found: (name: string) => void): void {
  scanEntities(text, ({ key }) => found(`=${key}`));
  scanWords(text, found);
}

/** Weighs the pieces of a document. `counted` says how often the whole document names each fact. */
export function weigh(pieces: readonly Piece[], counted: ReturnType<typeof entitiesIn>): Weights {
  const index = new Map<string, number>();
  const worth: number[] = [];
  const words = wordCounts(pieces);
  const feature = (key: string, value: () => number): number => {
    const known = index.get(key);
    if (known !== undefined) return known;
    index.set(key, worth.length);
    return worth.push(value()) - 1;
  };
  const features = pieces.map(piece => {
    if (piece.kind === "fence") return [];
    const own = new Set<number>();
    scanEntities(piece.text, ({ kind, key }) => {
      own.add(feature(`=${key}`, () => KIND[kind] * repeated(counted.get(key)?.count ?? 1)));
    });
    // A heading alone tells nothing but its facts, and neither does a label whose list may be left out.
    if (piece.kind === "heading" || piece.kind === "table-head" || isLabel(piece)) return [...own];
    scanWords(piece.text, word => {
      const count = words.get(word)!;
      own.add(feature(word, () => (count > 1 ? WORD * Math.log2(1 + count) : RARE_WORD)));
    });
    return [...own];
  });
  const alike = likenessOf(pieces);
  const factor = pieces.map((piece, at) => factorOf(piece, at / pieces.length) * alike[at]! ** -LOG_DAMPING);
  return { features, index, worth, factor };
}

/** How many pieces are built like each: lists repeat their form for good reason, prose and output do not. */
function likenessOf(pieces: readonly Piece[]): number[] {
  const shapes = pieces.map(piece =>
    piece.kind === "code" || piece.kind === "sentence" ? shapeOf(piece) : "",
  );
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return shapes.map(shape => (shape === "" ? 1 : counts.get(shape)!));
}

/** What is left of a piece without its facts: equal for the lines of a log or a test report. */
function shapeOf({ kind, text }: Piece): string {
  const words = text.split("`").filter((_, at) => at % 2 === 0);
  return `${kind} ${
    words
      .join("")
      .match(/[\p{L}]+/gu)
      ?.slice(0, 6)
      .join(" ") ?? ""
  }`;
}

/** A fact named again and again is one that later work will name too. */
function repeated(count: number): number {
  return 1 + Math.log2(Math.min(count, 64)) * 0.7;
}

function wordCounts(pieces: readonly Piece[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of pieces) scanWords(text, word => counts.set(word, (counts.get(word) ?? 0) + 1));
  return counts;
}

function factorOf(piece: Piece, place: number): number {
  const title = LASTING.test(piece.title) ? 1.35 : PASSING.test(piece.title) ? 0.7 : 1;
  const decides = piece.kind !== "code" && DECIDES.test(piece.text) ? 1.3 : 1;
  const code = piece.kind === "code" ? 0.75 : 1;
  const pointer = isPointer(piece) ? POINTER : 1;
  return title * decides * code * pointer * (1.15 - 0.15 * place);
}

/** `**Coverage:**`, which says something only above what follows. */
function isLabel({ kind, text }: Piece): boolean {
  if (kind === "code") return false;
  let end = text.length;
  while (end > 0 && "*_ ".includes(text[end - 1]!)) end--;
  return text[end - 1] === ":" || text[end - 1] === "：";
}

/** What only says where something stands: `[name]: https://…`, or a line `- [Title](#title)` of a table of contents. */
function isPointer({ kind, text }: Piece): boolean {
  if (kind === "code") return false;
  const open = text.indexOf("[");
  const close = text.indexOf("]", open);
  if (open < 0 || open > 4 || close < 0) return false;
  return (open === 0 && text[close + 1] === ":") || text.startsWith("(#", close + 1);
}
