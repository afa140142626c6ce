import { createHash } from "node:crypto";
import { roomOf } from "./bug.ts";
import type { Candidate } from "./operators.ts";

/** A drawn bug that no test can notice, because nothing that anybody can see is different. */
export interface Equivalent {
  readonly file: string;
  readonly symbol: string;
  readonly operator: string;
  readonly code: string;
  readonly why: string;
}

function isSame(one: Candidate, other: Equivalent): boolean {
  return (["file", "symbol", "operator", "code"] as const).every(key => one[key] === other[key]);
}

/**
 * So many bugs of each room, drawn by a seed. What a bug is drawn by is its own code: a change elsewhere draws no others.
 */
export function draw(
  candidates: readonly Candidate[],
  equivalents: readonly Equivalent[],
  seed: number,
  perRoom: number,
): Candidate[] {
  const rank = (one: Candidate) =>
    createHash("sha256")
      .update([seed, one.file, one.symbol, one.operator, one.code].join("\0"))
      .digest("hex");
  const rooms = Map.groupBy(candidates, one => roomOf(one.file));
  return [...rooms.values()].flatMap(own =>
    own
      .filter(one => !equivalents.some(other => isSame(one, other)))
      .map(one => ({ one, rank: rank(one) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, perRoom)
      .map(({ one }) => one),
  );
}
