import { createHash } from "node:crypto";
import { prefixWithin, type TokenPrefix } from "../tokens/index.ts";
import { attemptText, left, piece, resultText, shown } from "./render.ts";
import { fitByLevels } from "./results.ts";
import type {
  CountTokens,
  Fitted,
  PackageLimits,
  PackageRequest,
  PackageResult,
  Piece,
  ReceiptPart,
} from "./types.ts";

/** Attempts that are told in full; of older ones a line. */
const TOLD_IN_FULL = 3;
/** Attempts that are told at all. */
const MOST_ATTEMPTS = 12;
/** Of a text that is shortened, the share of its room that goes to the beginning; the end says what came of it. */
const HEAD = 0.6;
/** Tokens that delimiters and the note of a shortened text take, at most. */
const AROUND = 120;

/** Beginning and end of a text, the end about `tail` of its `tokens` long, with a note between them. */
function shortened(text: string, tokens: number, head: TokenPrefix, tail: number, note: string): string {
  const length = Math.floor((text.length * tail) / tokens);
  const from = Math.max(head.end, text.length - length);
  const end = text.slice(isLow(text.charCodeAt(from)) ? from + 1 : from);
  return `${text.slice(0, head.end).trimEnd()}\n${note}\n${end.trimStart()}`;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Results of dependencies within their room: at chosen levels where there are any, else whole, shortened, or pointed at. */
export function fitResults(
  {
    results,
    words,
    limits,
    levels,
  }: Pick<PackageRequest, "results" | "words" | "levels"> & { limits: PackageLimits },
  room: number,
  count: CountTokens,
): Fitted {
  if (levels !== undefined) return fitByLevels({ results, words, levels }, room, count);
  const pieces: Piece[] = [];
  const out: ReceiptPart[] = [];
  let rest = room;
  for (const result of results) {
    const fitted = fitResult(result, words, limits, rest, count);
    if (fitted === undefined) {
      const { task, attempt, hash } = result;
      const part = {
        kind: "result",
        source: `${task}#${attempt}`,
        hash: shown(hash),
        level: "pointer",
      } as const;
      out.push(left({ ...part, why: "no-room" }));
      continue;
    }
    pieces.push(fitted);
    rest -= fitted.part.tokens;
  }
  return { pieces, left: out };
}

function fitResult(
  result: PackageResult,
  words: PackageRequest["words"],
  limits: PackageLimits,
  room: number,
  count: CountTokens,
): Piece | undefined {
  const text = result.text.trim() === "" ? words.withoutResult : result.text;
  const part = {
    kind: "result",
    source: `${result.task}#${result.attempt}`,
    hash: shown(result.hash),
  } as const;
  const whole = piece(count, resultText(result, text), part);
  const most = Math.min(limits.result, room);
  if (whole.part.tokens <= most) return whole;
  const why = limits.result <= room ? "longer-than-a-result-may-be" : "no-room";
  const tokens = count(text);
  const space = most - AROUND;
  const head = prefixWithin(text, Math.floor(space * HEAD));
  // The end is cut by its share of the characters: where those are dense, half of it or none is taken.
  for (const share of space > AROUND ? [1, 0.5, 0] : []) {
    const tail = (space - head.tokens) * share;
    const note = words.shortened(tokens - head.tokens - Math.floor(tail), result.where);
    const short = resultText(result, shortened(text, tokens, head, tail, note));
    const capped = piece(count, short, { ...part, level: "capped", why });
    if (capped.part.tokens <= most) return capped;
  }
  const pointer = resultText(result, words.leftOut(tokens, result.where));
  const pointed = piece(count, pointer, { ...part, level: "pointer", in: false, why });
  return pointed.part.tokens <= room ? pointed : undefined;
}

/** Earlier attempts, oldest first: the newest in full, of older ones how they ended. */
export function fitAttempts(
  { task, attempts, words, maxAttempts }: Pick<PackageRequest, "task" | "attempts" | "words" | "maxAttempts">,
  room: number,
  count: CountTokens,
): Fitted {
  const pieces: Piece[] = [];
  const out: ReceiptPart[] = [];
  let rest = room;
  for (const [age, attempt] of attempts.toReversed().entries()) {
    const hash = createHash("sha256").update(attempt.told).digest("hex");
    const part = { kind: "attempt", source: `${task}#${attempt.number}`, hash: shown(hash) } as const;
    const how = words.attempt(attempt.number, maxAttempts, attempt.how);
    const told = age < TOLD_IN_FULL ? attempt.told : "";
    const text = attemptText(attempt.number, how, hash, told);
    const whole = piece(count, text, age < TOLD_IN_FULL ? part : { ...part, level: 3, why: "older-attempt" });
    const { tokens } = whole.part;
    if (age >= MOST_ATTEMPTS || tokens > rest) {
      out.push(left({ ...part, level: 3, why: age >= MOST_ATTEMPTS ? "older-attempt" : "no-room" }));
      continue;
    }
    rest -= tokens;
    pieces.push(whole);
  }
  return { pieces: pieces.reverse(), left: out.reverse() };
}
