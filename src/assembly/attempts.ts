import { createHash } from "node:crypto";
import { attemptText, left, piece, shown } from "./render.ts";
import type { CountTokens, PackageAttempt, PackageRequest, ReceiptPart } from "./types.ts";
import type { Wanted } from "./wanted.ts";

/** Attempts that are told in full; of older ones a line. */
const TOLD_IN_FULL = 3;
/** Attempts that are told at all. */
const MOST_ATTEMPTS = 12;

type Request = Pick<PackageRequest, "task" | "attempts">;

/** Attempts that followed each other and ended alike, in the same words. */
interface Alike {
  readonly first: number;
  readonly last: PackageAttempt;
  readonly hash: string;
  /** Those before the last, which it stands for. */
  readonly others: number[];
}

function alike(attempts: readonly PackageAttempt[]): Alike[] {
  const found: Alike[] = [];
  for (const attempt of attempts) {
    const hash = createHash("sha256").update(attempt.told).digest("hex");
    const before = found.at(-1);
    const follows = before?.last.number === attempt.number - 1 && before.hash === hash;
    if (!follows || before.last.how !== attempt.how)
      found.push({ first: attempt.number, last: attempt, hash, others: [] });
    else
      found[found.length - 1] = { ...before, last: attempt, others: [...before.others, before.last.number] };
  }
  return found;
}

/**
 * What is wanted of earlier attempts, oldest first: the newest in full, of older ones how they ended, those that ended alike
 * once; and who is too old.
 */
export function wantedAttempts(
  { task, attempts }: Request,
  count: CountTokens,
): { readonly wanted: readonly Wanted[]; readonly left: readonly ReceiptPart[] } {
  const all = alike(attempts);
  const partOf = (number: number, hash: string) =>
    ({ kind: "attempt", source: `${task}#${number}`, hash: shown(hash) }) as const;
  const old = all
    .slice(0, -MOST_ATTEMPTS)
    .map(({ last, hash }) => left({ ...partOf(last.number, hash), level: 3, why: "older-attempt" }));
  const same = all.flatMap(({ last, hash, others }) =>
    others.map(number =>
      left({ ...partOf(number, hash), level: "pointer", why: "same-text", of: `${task}#${last.number}` }),
    ),
  );
  const wanted = all.slice(-MOST_ATTEMPTS).map(({ first, last, hash }, at, { length }): Wanted => {
    const age = length - 1 - at;
    const part = partOf(last.number, hash);
    const told = (text: string) => attemptText(first, last.number, last.how, hash, text);
    const full = age < TOLD_IN_FULL && last.told !== "" ? [piece(count, told(last.told), part)] : [];
    const why = full.length === 0 ? "older-attempt" : "no-room";
    const line = piece(count, told(""), { ...part, level: 3, why: last.told === "" ? "given" : why });
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
  return { wanted, left: [...old, ...same] };
}
