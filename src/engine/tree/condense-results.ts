import type { PackageResult } from "../../assembly/index.ts";
import { costOf, priceOf } from "../../budget/index.ts";
import type { Model } from "../../ports/index.ts";
import type { AttemptSpend } from "../../run/index.ts";
import { condense, readSource } from "../../summary/index.ts";
import { visible } from "../../text/index.ts";
import type { Library } from "./library.ts";
import { authors, outputKey } from "./result-levels.ts";

/** A model that condenses long outputs, and what it may be asked. */
export interface Summarizer {
  readonly model: Model;
  /** Tokens of an output in one question. */
  readonly maxInputTokens: number;
  readonly timeoutMs: number;
}

/**
 * Has a model read what is too long to be handed on whole, once for each output; what it took counts in the run's budget. An
 * output of which it makes nothing useful is summarised by extraction, and people are told.
 */
export async function condenseResults(
  library: Library,
  results: readonly PackageResult[],
  charge: (spent: AttemptSpend) => void,
): Promise<void> {
  const { summarizer, condensed, options } = library;
  const { budget } = options;
  if (summarizer === undefined || budget === undefined) return;
  const { model, maxInputTokens, timeoutMs } = summarizer;
  const authorOf = authors(budget, library.plan());
  for (const result of results) {
    const role = authorOf(result);
    const key = outputKey(result, role.label);
    if (condensed.has(key) || library.count(result.text) <= role.limits.summaryThreshold) continue;
    const made = await condense(model, readSource(result.text, role.label), { maxInputTokens, timeoutMs });
    condensed.set(key, made.state);
    const { inputTokens, outputTokens } = made.spent;
    const cost = costOf({ inputTokens, outputTokens }, priceOf(budget.prices, model.name));
    if (inputTokens + outputTokens > 0)
      charge({ tokens: inputTokens + outputTokens, ...(cost === undefined ? {} : { cost }) });
    const [refusal] = made.refusals;
    if (refusal !== undefined && made.how === "extraction")
      library.tell("SUMMARY_MODEL", `${visible(refusal.message, 200)}; extracted instead`, result.task);
  }
}
