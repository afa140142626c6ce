import type { Check, Condensed, Source, Summary } from "../../summary/index.ts";
import { artifactText } from "../../summary/index.ts";
import { type Locale, visible, visibleLines } from "../../text/index.ts";
import { type SummaryWords, summaryWordsFor } from "./words/summary-words.ts";

/** Everything known about one level of one output. */
export interface SummaryFacts {
  readonly source: Source;
  readonly summary: Summary;
  readonly checks: readonly Check[];
  /** Checks that the output passes and this level no longer shows. */
  readonly lostChecks: readonly string[];
  readonly condensed: Condensed | undefined;
}

/** What `--why` tells below the level's text. */
export function* summaryView(facts: SummaryFacts, locale: Locale): Generator<string> {
  const words = summaryWordsFor(locale);
  yield "";
  yield "---";
  yield* measured(facts, words);
  yield* modelLines(facts, words);
  yield* contractLines(facts, words);
  const artifacts = artifactText(facts.source.artifacts);
  if (artifacts !== "") {
    yield `${words.artifacts}:`;
    for (const line of visibleLines(artifacts).split("\n")) yield `  ${line}`;
  }
}

function* measured({ source, summary }: SummaryFacts, words: SummaryWords): Generator<string> {
  const { level, tokens, whole } = summary;
  yield words.level(level, tokens, source.tokens);
  if (whole) yield words.whole;
  if (source.unread > 0 && !source.binary) yield words.unread(source.unread);
}

function* modelLines({ condensed }: SummaryFacts, words: SummaryWords): Generator<string> {
  if (condensed === undefined) return;
  const { calls, inputTokens, outputTokens } = condensed.spent;
  yield words.model(calls, inputTokens, outputTokens);
  for (const { reason, message, lost } of condensed.refusals) {
    const named = lost.length === 0 ? "" : `: ${lost.slice(0, 10).join(", ")}`;
    yield `  ${words.refused(words.reasons[reason], visible(message + named, 200))}`;
  }
  if (condensed.how === "extraction") yield `  ${words.extracted}`;
}

function* contractLines(
  { source, checks, lostChecks }: SummaryFacts,
  words: SummaryWords,
): Generator<string> {
  const { handover } = source;
  if (handover !== undefined)
    yield `${words.handsOver}: ${handover.map(({ label }) => visible(label, 40)).join(", ") || "–"}`;
  if (source.problems.length > 0) {
    yield `${words.contract}:`;
    for (const { kind, field, found } of source.problems) {
      yield `  ${words.problems[kind](visible(field, 40), visible(found, 60))}`;
    }
  }
  // Outputs without a contract are not judged by one.
  if (checks.every(({ state }) => state === "missing")) return;
  yield `${words.evaluation}:`;
  for (const { name, state, expected, found } of checks) {
    const why = state === "passed" ? "" : `: ${words.expected(expected, visible(found, 80))}`;
    const lost = lostChecks.includes(name) ? `; ${words.lostHere}` : "";
    yield `  ${words.checks[name]} ${words.states[state]}${why}${lost}`;
  }
}
