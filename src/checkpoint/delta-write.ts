import { diff, encode, notMade, shortHash } from "../delta/index.ts";
import { ok, type Result } from "../ports/index.ts";
import { type Locale, told } from "../text/index.ts";
import { countTokens } from "../tokens/index.ts";
import { changesSection, ROOMS, type Room } from "./delta-body.ts";
import { BLOCK_INFO } from "./delta-read.ts";
import { instructions, summarySentence } from "./delta-steps.ts";
import { type Differences, differences } from "./differences.ts";
import { failed, type ToldFailure } from "./failure.ts";
import { deltaId, isCheckpointId, numberOf } from "./names.ts";
import { sealOf } from "./seal.ts";
import { deltaWords } from "./words.ts";

/** A checkpoint under its id. */
export interface Named {
  readonly id: string;
  readonly text: string;
}

/** What a delta document says beside the difference. */
export interface WriteOptions {
  /** ISO-8601. */
  readonly created: string;
  /** What it was for, e.g. `Phase 2 completed`; by default the two ids. */
  readonly headline?: string;
  readonly locale?: Locale;
  readonly countTokens?: (text: string) => number;
}

/** A delta document, made of two checkpoints. */
export interface WrittenDelta {
  readonly text: string;
  /** Its machine block: an update message. */
  readonly block: string;
  readonly summary: string;
  readonly found: Differences;
}

/** Why no delta document was made. */
export type WriteFailure = ToldFailure<"id" | "date" | "inexact">;

/** Label of the machine block's update message. */
const LABEL = "CHK";

/** Writes the delta document that leads from one checkpoint to another; its machine block has been carried out and is exact. */
export function writeDelta(
  from: Named,
  to: Named,
  options: WriteOptions,
): Result<WrittenDelta, WriteFailure> {
  const wrong = [from.id, to.id].find(id => !isCheckpointId(id));
  if (wrong !== undefined)
    return failed("id", told`Not a checkpoint's id: ${JSON.stringify(wrong.slice(0, 80))}`);
  const encoded = encode(diff(from.text, to.text), from.text, to.text, {
    label: LABEL,
    ...versions(from.id, to.id),
    countTokens: options.countTokens ?? countTokens,
  });
  if (!encoded.ok) return failed("inexact", notMade(encoded.failure), encoded.failure.message);
  const words = deltaWords(options.locale ?? "en");
  const found = differences(from.text, to.text);
  const block = encoded.value.text;
  const fence = fenceFor(block);
  const front = [
    "---",
    `delta: ${deltaId(from.id, to.id)}`,
    `created: ${options.created}`,
    `from: ${from.id}`,
    `to: ${to.id}`,
    `from_hash: ${shortHash(from.text)}`,
    `to_hash: ${shortHash(to.text)}`,
    "seal: ",
    "---",
  ];
  const headline = options.headline ?? words.step(from.id, to.id);
  const wordsFor = (room: Room) => {
    const summary = summarySentence(found, headline, words, room);
    const lines = [
      ...front,
      "",
      "## Summary",
      "",
      summary,
      "",
      ...changesSection(found, words, room),
      "## Merge Instructions",
      "",
      ...instructions(found, from.id, to.id, words, room),
      "",
      `${fence}${BLOCK_INFO}`,
    ];
    return { summary, text: lines.join("\n") };
  };
  const count = options.countTokens ?? countTokens;
  const most = mostTold(count(to.text), count(block));
  let human = wordsFor(ROOMS[0]!);
  for (const room of ROOMS.slice(1)) {
    if (count(human.text) + SEAL_TOKENS <= most) break;
    human = wordsFor(room);
  }
  const unsealed = `${human.text}\n${block}\n${fence}\n`;
  const text = unsealed.replace("\nseal: \n", `\nseal: ${sealOf(unsealed)}\n`);
  return ok({ text, block, summary: human.summary, found });
}

/** What the seal and the end of the fence take, in tokens. */
const SEAL_TOKENS = 14;
/** Tokens in which a small difference is told, however small its target is. */
const LEAST_TOLD = 260;
/** The share of the target that people are told in, and by how many tokens the whole may be larger than the target. */
const SHARE_TOLD = 0.3;
const MOST_ABOVE = 200;

/** Tokens for what people read of a delta, by those of its target and of its machine block. */
function mostTold(target: number, block: number): number {
  return Math.min(Math.max(LEAST_TOLD, SHARE_TOLD * target), target + MOST_ABOVE - block);
}

/** Versions of the update message: the ids' own numbers, where both have one. */
function versions(from: string, to: string): { from: number; to: number } {
  const [a, b] = [numberOf(from), numberOf(to)];
  return a === undefined || b === undefined ? { from: 0, to: 1 } : { from: a, to: b };
}

/** A fence that no line of the text closes. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (let at = text.indexOf("```"); at >= 0; at = text.indexOf("```", at)) {
    const start = at;
    while (text[at] === "`") at++;
    longest = Math.max(longest, at - start);
  }
  return "`".repeat(longest + 1);
}
