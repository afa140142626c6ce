import { createHash } from "node:crypto";
import type { Model, ModelAnswer, ModelFailure, Result } from "../../ports/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { entitiesIn } from "../entity/index.ts";
import { cutToTokens } from "../level.ts";
import type { Source } from "../types.ts";
import {
  type Digest,
  DigestSchema,
  digestJsonSchema,
  digestLines,
  mergeDigests,
  withoutInventions,
  withoutNulls,
} from "./digest.ts";
import { INSTRUCTIONS, promptFor } from "./prompt.ts";

/** What a model has said about an output so far, and up to where it has read it. Plain data, to be kept. */
export interface DigestState {
  readonly digest: Digest;
  /** Characters of the output that are in the digest, and the hash of just these. */
  readonly length: number;
  readonly hash: string;
}

/** Why an answer of a model was not used. */
export interface Refusal {
  readonly reason: ModelFailure["kind"] | "not-smaller" | "facts-lost";
  readonly message: string;
  /** Facts that were required and lost. */
  readonly lost: readonly string[];
}

export interface Condensed {
  /** Undefined when no answer was ever good enough: summaries are then extracted. */
  readonly state: DigestState | undefined;
  /** `unchanged`: there was nothing new to read. */
  readonly how: "model" | "extraction" | "unchanged";
  readonly refusals: readonly Refusal[];
  /** Whether all of the output is read. */
  readonly isWhole: boolean;
  /** Spent, useless answers too. */
  readonly spent: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
}

export interface CondenseOptions {
  readonly previous?: DigestState;
  /** Facts that must survive besides those of the decision and of decided ids. */
  readonly required?: readonly string[];
  /** Tokens of the output in one question. */
  readonly maxInputTokens?: number;
  readonly timeoutMs?: number;
  /** Called when a span has been read: what is known now, and all that was spent so far. */
  readonly onSpan?: (state: DigestState, spent: Condensed["spent"]) => void;
}

/** Questions per call of `condense`; what is left is read next time. */
const MOST_SPANS = 6;
const MOST_REQUIRED = 40;
const OUTPUT_TOKENS = 2000;

interface Spending {
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * Lets a model read what is new in an output and merges its typed answers by code. An answer that is no smaller than what
 * it was made from, or that lost a required fact, is asked for once more, naming what was lost; then it is done without.
 */
export async function condense(
  model: Model,
  source: Source,
  options: CondenseOptions = {},
): Promise<Condensed> {
  const { maxInputTokens = 30_000 } = options;
  const refusals: Refusal[] = [];
  const spent: Spending = { calls: 0, inputTokens: 0, outputTokens: 0 };
  let state = isPrefix(options.previous, source.text) ? options.previous : undefined;
  const begun = state?.length ?? 0;
  for (let spans = 0; spans < MOST_SPANS && !source.binary; spans++) {
    const from = state?.length ?? 0;
    const span = nextSpan(source.text, from, maxInputTokens);
    if (span.trim() === "") break;
    const digest = await ask(model, span, source, options, refusals, spent);
    if (digest === undefined) break;
    const length = from + span.length;
    state = {
      digest: mergeDigests(state?.digest, digest),
      length,
      hash: hashOf(source.text.slice(0, length)),
    };
    options.onSpan?.(state, { ...spent });
  }
  const read = (state?.length ?? 0) > begun;
  const how = read ? "model" : refusals.length > 0 ? "extraction" : "unchanged";
  const isWhole = source.text.slice(state?.length ?? 0).trim() === "";
  return { state, how, refusals, isWhole, spent };
}

/** One span: an answer, a second one that is told what the first lost, or none. */
async function ask(
  model: Model,
  span: string,
  source: Source,
  { required = [], timeoutMs = 60_000 }: CondenseOptions,
  refusals: Refusal[],
  spent: Spending,
): Promise<Digest | undefined> {
  const needed = requiredIn(span, source, required);
  let missing: readonly string[] = [];
  for (let tries = 0; tries < 2; tries++) {
    spent.calls++;
    const prompt = promptFor(span, missing);
    const answer = await model.answer({
      instructions: INSTRUCTIONS,
      prompt,
      schema: digestJsonSchema(),
      maxOutputTokens: OUTPUT_TOKENS,
      timeoutMs,
    });
    spend(spent, answer, prompt);
    if (!answer.ok) {
      refusals.push({ reason: answer.failure.kind, message: answer.failure.message, lost: [] });
      if (!answer.failure.retryable && answer.failure.kind !== "malformed") return undefined;
      continue;
    }
    const parsed = DigestSchema.safeParse(withoutNulls(answer.value.value));
    const digest = parsed.success ? withoutInventions(parsed.data, span) : undefined;
    const refusal =
      digest === undefined ? malformed(parsed.error?.issues[0]?.message) : faultOf(digest, span, needed);
    if (digest !== undefined && refusal === undefined) return digest;
    refusals.push(refusal!);
    missing = refusal!.lost;
  }
  return undefined;
}

/** What a call has cost: as reported, else what was sent and came back, where a model has read it. */
function spend(spent: Spending, answer: Result<ModelAnswer, ModelFailure>, prompt: string): void {
  const usage = answer.ok ? answer.value.usage : answer.failure.usage;
  const isRead = answer.ok || answer.failure.kind === "malformed" || answer.failure.kind === "timeout";
  const sent = usage?.inputTokens ?? (isRead ? countTokens(INSTRUCTIONS) + countTokens(prompt) : 0);
  const came = usage?.outputTokens ?? (answer.ok ? countTokens(JSON.stringify(answer.value.value)) : 0);
  spent.inputTokens += sent;
  spent.outputTokens += came;
}

function faultOf(digest: Digest, span: string, needed: readonly string[]): Refusal | undefined {
  const text = [...digestLines(digest), digest.decision ?? ""].join("\n");
  const [before, after] = [countTokens(span), countTokens(text)];
  if (text.trim() === "") return malformed("the answer is empty");
  if (after >= before) {
    return { reason: "not-smaller", message: `${after} tokens were made of ${before}`, lost: [] };
  }
  const there = entitiesIn(text);
  const lost = needed.filter(fact => !there.has(fact) && !text.includes(fact));
  if (lost.length === 0) return undefined;
  return { reason: "facts-lost", message: `${lost.length} required facts are not in the answer`, lost };
}

function malformed(message = "the answer does not fit the schema"): Refusal {
  return { reason: "malformed", message, lost: [] };
}

/** What an answer about a span must name: facts of the decision, ids decided, what the caller asks for; as far as there. */
function requiredIn(span: string, source: Source, required: readonly string[]): string[] {
  const there = entitiesIn(span);
  const decision = [...entitiesIn(source.contract.decision ?? "").keys()];
  const needed = new Set([
    ...required.filter(fact => span.includes(fact)),
    ...decision,
    ...source.artifacts.decided,
  ]);
  return [...needed].filter(fact => there.has(fact) || span.includes(fact)).slice(0, MOST_REQUIRED);
}

/** The next piece of the text, cut at a line's end where there is one. */
function nextSpan(text: string, from: number, maxTokens: number): string {
  // No encoding makes more than one token of a byte, and few make less than one of eight characters.
  const most = text.slice(from, from + 8 * maxTokens);
  const cut = cutToTokens(most, maxTokens);
  if (cut === most) return most;
  const kept = cut.slice(0, -1);
  const line = kept.lastIndexOf("\n");
  return line > kept.length / 2 ? kept.slice(0, line + 1) : kept;
}

function isPrefix(state: DigestState | undefined, text: string): boolean {
  return (
    state !== undefined && state.length <= text.length && hashOf(text.slice(0, state.length)) === state.hash
  );
}

function hashOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
