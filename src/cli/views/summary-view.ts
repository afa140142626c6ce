import type { Check, Condensed, Source, Summary, Survival } from "../../summary/index.ts";
import { artifactText, type EntityKind } from "../../summary/index.ts";
import { type Locale, visible, visibleLines } from "../../text/index.ts";
import { type SummaryWords, summaryWordsFor } from "./summary-words.ts";

/** Everything known about one level of one output. */
export interface SummaryFacts {
  readonly source: Source;
  readonly summary: Summary;
  readonly survival: Survival;
  readonly checks: readonly Check[];
  /** Checks that the output passes and this level no longer shows. */
  readonly lostChecks: readonly string[];
  readonly condensed: Condensed | undefined;
}

/** Lost facts that are named. */
const MOST_LOST = 40;
const KINDS: readonly EntityKind[] = ["path", "id", "code", "number"];

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

function* measured({ source, summary, survival }: SummaryFacts, words: SummaryWords): Generator<string> {
  const { level, tokens, retention, whole } = summary;
  yield words.level(level, tokens, source.tokens);
  if (whole) yield words.whole;
  else yield words.retention(`${(100 * retention).toFixed(1)} %`, survival.total);
  const kinds = KINDS.filter(kind => survival.byKind[kind].total > 0);
  const tallies = kinds.map(kind => {
    const { kept, total } = survival.byKind[kind];
    return `${words.kinds[kind]} ${words.keptOf(kept, total)}`;
  });
  if (tallies.length > 0) yield `  ${tallies.join(", ")}`;
  const { lost, total, kept } = survival;
  if (lost.length > 0) {
    const named = lost.slice(0, MOST_LOST).map(({ entity }) => visible(entity.key, 80));
    const more = total - kept - named.length;
    yield `${words.lost}: ${named.join(", ")}${more > 0 ? `, ${words.more(more)}` : ""}`;
  }
  if (!survival.decisionKept) yield words.decisionLost;
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
