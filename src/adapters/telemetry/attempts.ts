import type { AttemptRow, Reason } from "../../ports/index.ts";
import { reasonText } from "../../text/index.ts";
import type { Figures } from "./figures.ts";
import { ERROR_TYPE, GEN_AI, OWN, providerOf } from "./names.ts";
import type { Attributes, Span } from "./otlp.ts";

/** Characters of an answer that go along: with all of them escaped it is still no longer than a value may be. */
const ANSWER = 8_000;

/** Words as they may be sent; undefined where they may not, or are none. */
export type Words = (text: string) => string | undefined;

/** A reason as its code; in words where they may be sent. */
export function whyOf(reason: Reason | undefined, words: Words): Attributes {
  return reason === undefined
    ? {}
    : { [ERROR_TYPE]: reason.code, [OWN.why]: words(reasonText(reason, "en")) };
}

function agentFacts(agent: string): Attributes {
  return {
    [GEN_AI.operation]: "invoke_agent",
    [GEN_AI.provider]: providerOf(agent),
    [GEN_AI.agent]: agent,
  };
}

/** Counts what an attempt took. */
export function measureAttempt(row: AttemptRow, figures: Figures): void {
  const { agent, outcome, usage = {}, startedAt, endedAt } = row;
  const common = agentFacts(agent);
  const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = usage;
  const tokens = [
    ["input", inputTokens],
    ["output", outputTokens],
  ] as const;
  for (const [type, count] of tokens)
    if (count > 0)
      figures.spread(GEN_AI.tokenUsage, "{token}", count, { ...common, [GEN_AI.tokenType]: type });
  const failed = outcome === "done" ? {} : { [ERROR_TYPE]: row.reason?.code ?? outcome };
  figures.spread(GEN_AI.duration, "s", (endedAt - startedAt) / 1000, { ...common, ...failed });
  figures.add("espalier.attempts", "{attempt}", 1, {
    [GEN_AI.agent]: agent,
    [OWN.attemptOutcome]: outcome,
  });
  const costs = Object.entries(usage.reviewers ?? {}).map(
    ([by, { costUsd: cost = 0 }]) => [by, cost] as const,
  );
  for (const [by, cost] of [[agent, costUsd] as const, ...costs])
    if (cost > 0) figures.add("espalier.cost", "USD", cost, { [GEN_AI.agent]: by });
}

/** An attempt that has ended, as a span. */
export function attemptFacts(row: AttemptRow, words: Words): Omit<Span, "traceId" | "spanId" | "parentId"> {
  const { task, number, agent, outcome, usage = {}, machine } = row;
  const message = words(row.finalMessage)?.slice(0, ANSWER).toWellFormed();
  const reason = outcome === "done" ? "stop" : "error";
  const said = [{ role: "assistant", parts: [{ type: "text", content: message }], finish_reason: reason }];
  return {
    name: `invoke_agent ${agent}`,
    kind: "client",
    startMs: row.startedAt,
    endMs: row.endedAt,
    attributes: {
      ...agentFacts(agent),
      [GEN_AI.conversation]: row.session,
      [GEN_AI.inputTokens]: usage.inputTokens,
      [GEN_AI.outputTokens]: usage.outputTokens,
      [GEN_AI.cachedTokens]: usage.cachedTokens,
      [GEN_AI.outputMessages]: message === undefined ? undefined : JSON.stringify(said),
      [OWN.estimated]: usage.estimatedTokens,
      [OWN.cost]: usage.costUsd,
      [OWN.othersTokens]: usage.models?.tokens,
      [OWN.othersCost]: usage.models?.costUsd,
      [OWN.task]: task,
      [OWN.attempt]: number,
      [OWN.attemptOutcome]: outcome,
      [OWN.machine]: machine,
      ...(outcome === "done" ? {} : { [ERROR_TYPE]: outcome, ...whyOf(row.reason, words) }),
    },
    isError: outcome !== "done",
  };
}
