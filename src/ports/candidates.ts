import type { AttemptRow } from "./store.ts";

/** Agents that may work on one task at once. */
export const MOST_TRIES = 5;

/** The token of one candidate of an attempt; the first has the attempt's own. */
export function candidateToken(token: string, candidate: number): string {
  return candidate === 1 ? token : `${token}-${candidate}`;
}

/** Every token under which processes of an attempt may be at work. */
export function attemptTokens({ token }: Pick<AttemptRow, "token">): readonly string[] {
  return Array.from({ length: MOST_TRIES }, (_, at) => candidateToken(token, at + 1));
}
