import type { CacheRates } from "./cost.ts";

/** A stretch of a package, and how long it stays as it is. */
export interface Stretch {
  readonly name: string;
  readonly tokens: number;
  /** `run`: the same for all attempts; `branch`: for those of one branch; `attempt`: for this one only. */
  readonly lasts: "run" | "branch" | "attempt";
}

/** Where a provider should be told that a stored prefix ends. */
export interface Breakpoint {
  /** The last stretch before it. */
  readonly after: string;
  /** Tokens before it. */
  readonly tokens: number;
}

/** Breakpoints that providers allow in one request. */
const MOST = 4;

/**
 * Where to break a package for the prompt cache: behind the last stretch of each lifetime, and behind the longest stable
 * stretches while breakpoints are left; never before the least prefix a provider stores.
 */
export function adviseBreakpoints(stretches: readonly Stretch[], rates: CacheRates): Breakpoint[] {
  const ends: (Breakpoint & { readonly own: number; readonly closes: boolean })[] = [];
  let total = 0;
  for (const [at, { name, tokens, lasts }] of stretches.entries()) {
    total += tokens;
    if (lasts === "attempt") break;
    if (total >= rates.leastPrefix && tokens > 0)
      ends.push({ after: name, tokens: total, own: tokens, closes: stretches[at + 1]?.lasts !== lasts });
  }
  return ends
    .sort((a, b) => Number(b.closes) - Number(a.closes) || b.own - a.own)
    .slice(0, MOST)
    .sort((a, b) => a.tokens - b.tokens)
    .map(({ after, tokens }) => ({ after, tokens }));
}
