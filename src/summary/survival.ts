import { type EntityKind, entitiesIn } from "./entity/index.ts";
import { MOST_LOST } from "./limits.ts";
import type { Fact, Source } from "./types.ts";

/** What a text kept of the facts of its source. */
export interface Survival {
  /** Share of the facts' worth, 0 to 1; 1 when there are no facts. */
  readonly retention: number;
  readonly kept: number;
  readonly total: number;
  readonly byKind: Readonly<Record<EntityKind, { readonly kept: number; readonly total: number }>>;
  /** The facts that were lost, the most valuable first; bounded. */
  readonly lost: readonly Fact[];
  /** Whether the decision, its score and its confidence, as far as stated, can be read in the text. */
  readonly decisionKept: boolean;
}

/** Checks mechanically which facts of a source a text still names. */
export function survival(source: Pick<Source, "facts" | "contract">, text: string): Survival {
  const there = entitiesIn(text);
  const byKind = { path: none(), id: none(), number: none(), code: none() };
  const lost: Fact[] = [];
  let worth = 0;
  let keptWorth = 0;
  for (const fact of source.facts) {
    const tally = byKind[fact.entity.kind];
    tally.total++;
    worth += fact.worth;
    if (there.has(fact.entity.key)) {
      tally.kept++;
      keptWorth += fact.worth;
    } else lost.push(fact);
  }
  lost.sort((a, b) => b.worth - a.worth);
  return {
    retention: worth === 0 ? 1 : keptWorth / worth,
    kept: source.facts.length - lost.length,
    total: source.facts.length,
    byKind,
    lost: lost.slice(0, MOST_LOST),
    decisionKept: keepsDecision(source.contract.decision, text),
  };
}

function none(): { kept: number; total: number } {
  return { kept: 0, total: 0 };
}

/** A decision is kept when most of its words stand in the text: summaries shorten long ones. */
function keepsDecision(decision: string | undefined, text: string): boolean {
  if (decision === undefined) return true;
  const words = wordsOf(decision).slice(0, 20);
  if (words.length === 0) return true;
  const there = new Set(wordsOf(text));
  return words.filter(word => there.has(word)).length >= 0.6 * words.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{1,60}/gu) ?? [];
}
