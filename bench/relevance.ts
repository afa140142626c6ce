import { indexPassages, rank } from "../src/budget/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { type History, historyOf, type Question } from "./budget/history.ts";
import { random } from "./budget/random.ts";
import { plainBm25, textRank } from "./budget/text-rank.ts";

/**
 * Which share of the passages that answer a question is among those that fit 300, 1,000 and 3,000 tokens: our ranking beside
 * recency, TextRank and plain BM25, on generated histories with planted facts, English and Korean.
 * `npx node bench/relevance.ts`
 */
const HISTORIES = 4;
const BUDGETS = [300, 1000, 3000];
/** About 22,000 tokens. */
const CHARACTERS = 72_000;

type Ranking = (history: History, question: Question) => readonly number[];

/** Positions that fit the budget, the first ones first. */
function taken(order: readonly number[], tokens: readonly number[], budget: number): Set<number> {
  const chosen = new Set<number>();
  let room = budget;
  for (const at of order) {
    if (tokens[at]! > room) continue;
    chosen.add(at);
    room -= tokens[at]!;
  }
  return chosen;
}

const ranks = new WeakMap<History, readonly number[]>();
const indexes = new WeakMap<History, ReturnType<typeof indexPassages>>();
const RANKINGS: readonly (readonly [string, Ranking])[] = [
  ["recency", ({ passages }) => passages.map((_, at) => passages.length - 1 - at)],
  [
    "TextRank",
    history => {
      const known = ranks.get(history) ?? textRank(history.passages);
      ranks.set(history, known);
      return known;
    },
  ],
  ["plain BM25", ({ passages }, { text }) => plainBm25(passages, text)],
  [
    "ours",
    (history, { text }) => {
      const index = indexes.get(history) ?? indexPassages(history.passages);
      indexes.set(history, index);
      return rank(index, text).map(({ at }) => at);
    },
  ],
];

const next = random(2026);
const histories = Array.from({ length: HISTORIES }, () => historyOf(next, CHARACTERS));
const counted = histories.map(({ passages }) => passages.map(({ text }) => countTokens(text)));
const sizes = counted.map(list => list.reduce((sum, tokens) => sum + tokens, 0));
const questions = histories.reduce((sum, history) => sum + history.questions.length, 0);
console.log(`${questions} questions over ${HISTORIES} histories of ${Math.min(...sizes)} tokens and more`);
console.log(`| ranking | ${BUDGETS.map(budget => `${budget} tokens`).join(" | ")} | ms a question |`);
console.log(`|---|${BUDGETS.map(() => "---:").join("|")}|---:|`);
for (const [name, ranking] of RANKINGS) {
  const found = BUDGETS.map(() => 0);
  let ms = 0;
  for (const [at, history] of histories.entries()) {
    for (const question of history.questions) {
      const start = performance.now();
      const order = ranking(history, question);
      ms += performance.now() - start;
      for (const [column, budget] of BUDGETS.entries()) {
        const chosen = taken(order, counted[at]!, budget);
        const hits = question.evidence.filter(id => chosen.has(Number(id))).length;
        found[column]! += hits / question.evidence.length / questions;
      }
    }
  }
  const cells = found.map(share => `${(share * 100).toFixed(1)} %`);
  console.log(`| ${name} | ${cells.join(" | ")} | ${(ms / questions).toFixed(2)} |`);
}
