import { z } from "zod";
import type { Contract } from "../contract/index.ts";
import { lineOf } from "../contract/index.ts";
import { entitiesIn } from "../entity/index.ts";

const Line = z
  .string()
  .max(2000)
  .transform(text => lineOf(text.replace(/\p{Cc}/gu, " ")));
const Share = z.number().min(0).max(1);

/** What a model says about one span of an output: typed, bounded, in its own words but with the source's spellings. */
export const DigestSchema = z.lazy(() =>
  z.object({
    summary: Line.default(""),
    decision: Line.optional(),
    t_score: Share.optional(),
    confidence: Share.optional(),
    reasons: z.array(Line).max(12).default([]),
    facts: z.array(Line).max(80).default([]),
    open: z.array(Line).max(20).default([]),
  }),
);

export type Digest = z.infer<typeof DigestSchema>;

/** Facts and questions a digest keeps; the newest win. */
const MOST_LINES = 200;

/** An answer without its `null`s: models write one where they have nothing to say. */
export function withoutNulls(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const told = Object.entries(answer).filter(([, value]) => value !== null);
  return Object.fromEntries(
    told.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((one: unknown) => one !== null) : value,
    ]),
  );
}

/** The digest as JSON Schema, for providers that can be held to one. */
export function digestJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(DigestSchema, { io: "input" });
}

/**
 * A digest without the lines that name a path or an id which the source does not: a model is asked to invent nothing, and
 * these two can be checked.
 */
export function withoutInventions(digest: Digest, span: string): Digest {
  const there = entitiesIn(span);
  const isTrue = (line: string): boolean =>
    [...entitiesIn(line).values()].every(
      ({ entity: { kind, key } }) =>
        (kind !== "path" && kind !== "id") || there.has(key) || span.includes(key),
    );
  const { decision, ...rest } = digest;
  return {
    ...rest,
    ...(decision !== undefined && isTrue(decision) ? { decision } : {}),
    summary: isTrue(digest.summary) ? digest.summary : "",
    reasons: digest.reasons.filter(isTrue),
    facts: digest.facts.filter(isTrue),
    open: digest.open.filter(isTrue),
  };
}

/** Merges what is new into what is known: later single values win, lists grow without repetition. */
export function mergeDigests(known: Digest | undefined, next: Digest): Digest {
  if (known === undefined) return next;
  const decision = next.decision ?? known.decision;
  const tScore = next.t_score ?? known.t_score;
  const confidence = next.confidence ?? known.confidence;
  return {
    summary: [known.summary, next.summary].filter(Boolean).join(" "),
    ...(decision === undefined ? {} : { decision }),
    ...(tScore === undefined ? {} : { t_score: tScore }),
    ...(confidence === undefined ? {} : { confidence }),
    reasons: union(known.reasons, next.reasons),
    facts: union(known.facts, next.facts),
    open: union(known.open, next.open),
  };
}

function union(known: readonly string[], next: readonly string[]): string[] {
  const byWords = new Map<string, string>();
  for (const line of [...known, ...next]) {
    const key =
      line
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(" ") ?? "";
    if (key !== "" && !byWords.has(key)) byWords.set(key, line);
  }
  return [...byWords.values()].slice(-MOST_LINES);
}

/** The contract with what it lacks taken from a digest; what the output states itself stands. */
export function completed(contract: Contract, digest: Digest): Contract {
  return {
    ...(digest.decision === undefined ? {} : { decision: digest.decision }),
    ...(digest.t_score === undefined ? {} : { tScore: digest.t_score }),
    ...(digest.confidence === undefined ? {} : { confidence: digest.confidence }),
    ...contract,
    reasons: contract.reasons.length > 0 ? contract.reasons : digest.reasons,
  };
}

/** A digest as lines, the most general first. */
export function digestLines({ summary, facts, open, reasons }: Digest): string[] {
  return [
    ...(summary === "" ? [] : [summary]),
    ...facts.map(fact => `- ${fact}`),
    ...reasons.map(reason => `- ${reason}`),
    ...open.map(question => `- ? ${question}`),
  ];
}
