/** What a provider asks for tokens of a prompt, relative to plain input. */
export interface CacheRates {
  /** For tokens it stores. */
  readonly write: number;
  /** For tokens it finds stored. */
  readonly read: number;
  /** Shorter prefixes are not stored. */
  readonly leastPrefix: number;
}

/** Providers' rates, as published. */
export const CACHE_RATES: Readonly<Record<"claude" | "openai" | "gemini", CacheRates>> = {
  claude: { write: 1.25, read: 0.1, leastPrefix: 1024 },
  openai: { write: 1.25, read: 0.1, leastPrefix: 1024 },
  gemini: { write: 1, read: 0.1, leastPrefix: 2048 },
};

/** How long a stored prefix lives that nobody reads, in milliseconds: the shortest time that providers promise. */
export const CACHE_MS: number = 5 * 60_000;

/** A part of a package as the cache sees it: equal keys are equal bytes. */
export interface CachePart {
  readonly key: string;
  readonly tokens: number;
}

/** The cost of sending packages one after the other, in plain input tokens. */
export interface SendCost {
  readonly cost: number;
  readonly read: number;
  readonly written: number;
  /** What it would cost without any cache. */
  readonly plain: number;
}

interface Node {
  readonly next: Map<string, Node>;
}

/**
 * The cost of a run's packages under a prompt cache: of each, the longest beginning that any earlier package shared is read,
 * the rest is written. Linear in the number of parts.
 */
export function sendCost(packages: readonly (readonly CachePart[])[], rates: CacheRates): SendCost {
  const root: Node = { next: new Map() };
  let read = 0;
  let written = 0;
  for (const parts of packages) {
    let node = root;
    let known = 0;
    let total = 0;
    let follows = true;
    for (const { key, tokens } of parts) {
      total += tokens;
      let next = node.next.get(key);
      if (next === undefined) {
        follows = false;
        next = { next: new Map() };
        node.next.set(key, next);
      }
      if (follows) known += tokens;
      node = next;
    }
    const stored = known >= rates.leastPrefix ? known : 0;
    read += stored;
    written += total - stored;
  }
  return { cost: read * rates.read + written * rates.write, read, written, plain: read + written };
}

/** Where a document stands in a package whose updates are appended behind it. */
export interface RebaseFacts {
  /** Tokens of the updates appended so far. */
  readonly log: number;
  /** Tokens of everything behind the document that would have to be stored anew. */
  readonly after: number;
  /** Turns or attempts still to come that read the package. */
  readonly remaining: number;
  /** The cache is cold anyway: after a pause, a compaction, or with another model. */
  readonly cold?: boolean;
}

/**
 * Whether to fold a document's updates into it: only when it is free, or when what the log costs on every turn to come is
 * more than storing once what stands behind the change.
 */
export function shouldRebase(facts: RebaseFacts, rates: CacheRates): boolean {
  if (facts.log <= 0) return false;
  if (facts.cold === true) return true;
  return facts.remaining * rates.read * facts.log > (rates.write - rates.read) * facts.after;
}
