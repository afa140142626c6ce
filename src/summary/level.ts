import { createHash } from "node:crypto";
import { isBlank } from "../markdown/index.ts";
import type { Locale } from "../text/index.ts";
import { countCapped, countTokens, prefixWithin } from "../tokens/index.ts";
import { type Contract, handoverWithin } from "./contract/index.ts";
import { createChooser, render, scanFeatures } from "./extract/index.ts";
import { SUMMARY_FORMAT } from "./limits.ts";
import { defaultRules, fillTemplate, type LevelRule, type LevelRules } from "./template/index.ts";
import type { Level, Source, Summary, SummaryLevel } from "./types.ts";

export interface SummaryOptions {
  /** Language of the templates; that of the text unless said. */
  readonly locale?: Locale;
  /** Templates and ceilings instead of the document's. */
  readonly rules?: LevelRules;
}

/** A text and its tokens. */
interface Counted {
  readonly text: string;
  readonly tokens: number;
}

/** Lengths a template's values are cut to, until it fits. */
const LENGTHS = [600, 300, 150, 80, 40] as const;
/** A template may use this share of its ceiling; facts take the rest. */
const TEMPLATE_SHARE = 0.7;
/** Characters of the longest token. */
const MOST_PER_TOKEN = 128;
/** A mark behind a cut seldom makes more of the last piece's tokens, and then by one or two. */
const MOST_CUTS = 8;
/** Choices made of one level, and the tokens left of it that are worth another. */
const MOST_TRIES = 4;
const WORTH_FILLING = 8;
/** Below this an extraction says nothing. */
const LEAST_EXTRACTION = 12;

/** An output at one level, computed from the original and never beyond the level's ceiling. */
export function summarize(source: Source, level: Level, options: SummaryOptions = {}): Summary {
  const rule = level === 0 ? undefined : rulesOf(source, options)[level];
  if (rule === undefined || (source.tokens <= rule.tokens && !source.binary)) return wholeAt(source, level);
  const isEmpty = source.handover === undefined && source.document.items.every(({ text }) => isBlank(text));
  if (source.binary || isEmpty)
    return made(level, counted(cutToTokens(note(source, options.locale), rule.tokens)));
  const head = headOf(source, rule);
  const filled = withExtraction(source, head, rule.tokens);
  const isBare = filled.text === head && !says(head);
  return made(level, isBare ? counted(withBeginning(source, head, rule.tokens)) : filled);
}

/** Whether a text is more than headings. */
function says(text: string): boolean {
  return text.split("\n").some(line => line !== "" && !line.startsWith("#"));
}

/** Data without a fact leaves nothing to choose: its beginning still says more than nothing. */
function withBeginning({ document }: Source, head: string, ceiling: number): string {
  const read = beginningOf(document, ceiling * MOST_PER_TOKEN);
  const cut = cutToTokens(read, ceiling - countTokens(head) - 2);
  return head === "" || cut === "" ? head || cut : `${head}\n\n${cut}`;
}

/** So many characters of a document from its first word on. */
function beginningOf({ items }: Source["document"], most: number): string {
  let text = "";
  for (const item of items) {
    text = text === "" ? item.text.slice(0, most).trimStart() : text + item.text;
    if (text.length >= most) break;
  }
  return text.slice(0, most);
}

/** All four levels, for whoever chooses among them. */
export function offersOf(source: Source, options: SummaryOptions = {}): readonly Summary[] {
  return ([0, 1, 2, 3] as const).map(level => summarize(source, level, options));
}

/** What a table has more than is told, in the language of its text. */
const MORE_ROWS: Readonly<Record<Locale, (rows: number) => string>> = {
  en: rows => `(${rows} more ${rows === 1 ? "row" : "rows"})`,
  ko: rows => `(${rows}개 행 더)`,
};

/** Fills what `head` leaves of a ceiling with the source's most valuable pieces that it does not tell yet. */
export function withExtraction(source: Source, head: string, ceiling: number): Counted {
  let best = counted(head);
  const left = ceiling - best.tokens - 2;
  if (left < LEAST_EXTRACTION) return counted(cutToTokens(head, ceiling));
  const covered = new Set<number>();
  scanFeatures(`${head} ${toldBy(source, head)}`, name => {
    const feature = source.weights.index.get(name);
    if (feature !== undefined) covered.add(feature);
  });
  const choose = createChooser(source.pieces, source.weights, source.costs, covered);
  // Costs of pieces add up to a little more or less than the whole: what is over or left is tried again.
  for (let budget = left, tries = 0; tries < MOST_TRIES && budget >= LEAST_EXTRACTION; tries++) {
    const { pieces, tokens: taken } = choose(budget);
    const body = render(source.pieces, pieces, MORE_ROWS[source.locale]);
    const made = counted(head === "" ? body : body === "" ? head : `${head}\n\n${body}`);
    const slack = ceiling - made.tokens;
    if (slack >= 0) best = made;
    if (slack >= 0 && (slack < WORTH_FILLING || pieces.length === source.pieces.length)) break;
    budget = slack >= 0 ? budget + slack : Math.min(budget, taken) + slack - 1;
  }
  return best;
}

/** The names of the contract's fields, which say nothing by themselves. */
const FIELD_NAMES = "final decision T-Score score confidence 최종 결정 신뢰도";

/** What a filled template tells in other words than the output: field names, and a confidence in another spelling. */
function toldBy({ contract: { confidence } }: Source, head: string): string {
  if (head === "") return "";
  const percent = Math.round(100 * (confidence ?? Number.NaN));
  return head.includes(String(percent)) ? `${FIELD_NAMES} ${confidence} ${percent} ${percent}%` : FIELD_NAMES;
}

/** The key under which a cache keeps a level: equal only for the same text, rules and version of this software. */
export function summaryKey(source: Source, level: SummaryLevel, options: SummaryOptions = {}): string {
  const { format, tokens } = rulesOf(source, options)[level];
  const parts = [SUMMARY_FORMAT, source.hash, source.id, level, tokens, format];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The rules that apply. */
export function rulesOf({ locale }: Pick<Source, "locale">, options: SummaryOptions): LevelRules {
  return options.rules ?? defaultRules(options.locale ?? locale);
}

/** The filled template, its values shortened until it leaves room for facts, and what the output hands over. */
function headOf(source: Source, { format, tokens }: LevelRule): string {
  const contract = told(source);
  let head = "";
  for (const longest of LENGTHS) {
    head = fillTemplate(format, source.id, contract, longest);
    if (countTokens(head) <= TEMPLATE_SHARE * tokens) return withHandover(source, head, tokens);
  }
  return cutToTokens(head, tokens);
}

/** A head with what the output hands over behind it, as far as that fits. */
export function withHandover({ handover = [] }: Source, head: string, ceiling: number): string {
  const joined = (text: string) => [head, text].filter(Boolean).join("\n\n");
  return joined(handoverWithin(handover, text => countTokens(joined(text)) <= ceiling));
}

/** Of several decisions none leads as the output's own, unless it is scored. */
export function told({ contract, problems }: Source): Contract {
  const isOne = !problems.some(({ kind, field }) => kind === "conflict" && field === "decision");
  if (isOne || contract.tScore !== undefined || contract.confidence !== undefined) return contract;
  const { decision: _, ...rest } = contract;
  return { ...rest, reasons: [] };
}

/** The longest beginning of a text within a number of tokens, with a mark where it was cut. */
export function cutToTokens(text: string, tokens: number): string {
  if (countCapped(text, tokens) !== undefined) return text;
  // The mark may join the last piece of the text to another token.
  for (let cap = tokens - 1; cap > 0 && cap >= tokens - MOST_CUTS; cap--) {
    const cut = `${text.slice(0, prefixWithin(text, cap).end).trimEnd()}…`;
    if (cut === "…") return "";
    if (countTokens(cut) <= tokens) return cut;
  }
  return "";
}

function wholeAt(source: Source, level: Level): Summary {
  return { level, text: source.text, tokens: source.tokens, whole: true };
}

/** A text as a summary. */
export function made(level: Level, { text, tokens }: Counted): Summary {
  return { level, text, tokens, whole: false };
}

function counted(text: string): Counted {
  return { text, tokens: countTokens(text) };
}

/** What is told of an output that has nothing to read. */
function note({ id, text, hash, binary, ...source }: Source, locale: Locale = source.locale): string {
  const blank = isBlank(text);
  const what =
    locale === "ko"
      ? binary
        ? "텍스트가 아닌 출력"
        : blank
          ? "빈 출력"
          : "주석뿐인 출력"
      : binary
        ? "not text"
        : `nothing but ${blank ? "blanks" : "comments"}`;
  const size = locale === "ko" ? `, ${text.length}자` : `: ${text.length} characters`;
  return `${id === "" ? "" : `[${id}] `}${what}${size} (sha256 ${hash.slice(0, 12)})`;
}
