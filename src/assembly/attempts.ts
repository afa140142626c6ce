import { createHash } from "node:crypto";
import { attemptText, left, piece, shown } from "./render.ts";
import type { CountTokens, PackageRequest, ReceiptPart } from "./types.ts";
import type { Wanted } from "./wanted.ts";

/** Attempts that are told in full; of older ones a line. */
const TOLD_IN_FULL = 3;
/** Attempts that are told at all. */
const MOST_ATTEMPTS = 12;

type Request = Pick<PackageRequest, "task" | "attempts" | "words" | "maxAttempts">;

/** What is wanted of earlier attempts, oldest first: the newest in full, of older ones how they ended; and who is too old. */
export function wantedAttempts(
  { task, attempts, words, maxAttempts }: Request,
  count: CountTokens,
): { readonly wanted: readonly Wanted[]; readonly left: readonly ReceiptPart[] } {
  const old = attempts.slice(0, -MOST_ATTEMPTS).map(({ number, told }) => {
    const hash = shown(createHash("sha256").update(told).digest("hex"));
    return left({ kind: "attempt", source: `${task}#${number}`, hash, level: 3, why: "older-attempt" });
  });
  const wanted = attempts.slice(-MOST_ATTEMPTS).map((attempt, at, { length }): Wanted => {
    const age = length - 1 - at;
    const hash = createHash("sha256").update(attempt.told).digest("hex");
    const part = { kind: "attempt", source: `${task}#${attempt.number}`, hash: shown(hash) } as const;
    const how = words.attempt(attempt.number, maxAttempts, attempt.how);
    const told = (text: string) => attemptText(attempt.number, how, hash, text);
    const full = age < TOLD_IN_FULL && attempt.told !== "" ? [piece(count, told(attempt.told), part)] : [];
    const why = full.length === 0 ? "older-attempt" : "no-room";
    const line = piece(count, told(""), { ...part, level: 3, why: attempt.told === "" ? "given" : why });
    return {
      section: "attempts",
      part,
      name: "",
      whole: 0,
      // What went wrong last time is what this attempt is for.
      item: { priority: 1 / (age + 1), ...(age === 0 ? { critical: true, floor: 0 } : {}) },
      forms: [...full.map(told => ({ piece: told, retention: 1 })), { piece: line, retention: 0.5 }],
    };
  });
  return { wanted, left: old };
}
