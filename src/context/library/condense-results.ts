import type { PackageResult } from "../../assembly/index.ts";
import { costOf, priceOf } from "../../budget/index.ts";
import { because } from "../../ports/index.ts";
import type { AttemptSpend } from "../../run/index.ts";
import {
  type Condensed,
  condense,
  readKeptDigest,
  readSource,
  SUMMARY_FORMAT,
  writeKeptDigest,
} from "../../summary/index.ts";
import { visible } from "../../text/index.ts";
import type { Library, Summarizer } from "./library.ts";
import { authors, outputKey } from "./result-levels.ts";

/**
 * Has a model read what is too long to be handed on whole, by the rule of its author or because not everything fits (`isTight`), once for
 * each output; what it took counts in the run's budget. An
 * output of which it makes nothing useful is summarised by extraction, and people are told.
 */
export async function condenseResults(
  library: Library,
  results: readonly PackageResult[],
  isTight: boolean,
  charge: (spent: AttemptSpend) => void,
): Promise<void> {
  const { summarizer, condensed, condensing, options } = library;
  const { budget } = options;
  if (summarizer === undefined || budget === undefined) return;
  const authorOf = authors(budget, library.plan());
  for (const result of results) {
    const role = authorOf(result);
    const key = outputKey(result, role.label);
    if (!role.listed && !isTight) continue;
    if (condensed.has(key) || library.count(result.text) <= role.limits.summaryThreshold) continue;
    // Another attempt may be having the same output read: it is paid once.
    const work =
      condensing.get(key) ??
      condenseOne(library, summarizer, result, role.label, charge).finally(() => condensing.delete(key));
    condensing.set(key, work);
    await work;
  }
}

/** Has one output read from where an earlier process left it; every span is kept as soon as it is paid for. */
async function condenseOne(
  library: Library,
  { model, maxInputTokens, timeoutMs }: Summarizer,
  result: PackageResult,
  label: string,
  charge: (spent: AttemptSpend) => void,
): Promise<void> {
  const { archive, condensed, options } = library;
  const key = outputKey(result, label);
  const kept = `${SUMMARY_FORMAT} ${model.name} ${key}`;
  const found = archive?.get("digests", kept);
  const before = found === undefined ? undefined : readKeptDigest(found);
  if (before?.closed === true) {
    condensed.set(key, before.state);
    return;
  }
  let charged = { inputTokens: 0, outputTokens: 0 };
  const pay = ({ inputTokens, outputTokens }: Condensed["spent"]) => {
    const more = {
      inputTokens: inputTokens - charged.inputTokens,
      outputTokens: outputTokens - charged.outputTokens,
    };
    charged = { inputTokens, outputTokens };
    const tokens = more.inputTokens + more.outputTokens;
    const cost = costOf(more, priceOf(options.budget?.prices ?? {}, model.name));
    if (tokens > 0) charge({ tokens, ...(cost === undefined ? {} : { cost }) });
  };
  const made = await condense(model, readSource(result.text, label), {
    maxInputTokens,
    timeoutMs,
    ...(before?.state === undefined ? {} : { previous: before.state }),
    onSpan(state, spent) {
      archive?.put("digests", kept, writeKeptDigest({ state, closed: false }));
      pay(spent);
    },
  });
  condensed.set(key, made.state);
  archive?.put("digests", kept, writeKeptDigest({ state: made.state, closed: isClosed(made) }));
  pay(made.spent);
  const [refusal] = made.refusals;
  if (refusal !== undefined && made.how === "extraction")
    library.tell(
      "SUMMARY_MODEL",
      because("model-refused", { said: visible(refusal.message, 200) }),
      result.task,
    );
}

/** A model that could not be reached is asked again by a later process; one that was paid for nothing is not. */
function isClosed({ isWhole, refusals }: Condensed): boolean {
  return isWhole || refusals.some(({ reason }) => USELESS.has(reason));
}

const USELESS: ReadonlySet<Condensed["refusals"][number]["reason"]> = new Set([
  "not-smaller",
  "facts-lost",
  "malformed",
]);
