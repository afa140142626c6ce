import { createHash } from "node:crypto";
import { countTokens } from "./count.ts";

/** Texts shorter than this are counted faster than they are hashed. */
const SHORT = 200;

/** Counts by content, owned and handed in by whoever counts the same texts again. */
export interface TokenCache {
  /** Exact tokens of a text, remembered. */
  count(text: string): number;
  /** Tokens of a content whose SHA-256 is known, where it was counted before. */
  known(hash: string): number | undefined;
  /** Texts remembered now. */
  readonly size: number;
}

/** A cache of at most `limit` counts; what was asked for longest ago goes first. */
export function createTokenCache(limit = 10_000): TokenCache {
  const counts = new Map<string, number>();
  const known = (hash: string): number | undefined => {
    const tokens = counts.get(hash);
    if (tokens === undefined) return undefined;
    counts.delete(hash);
    counts.set(hash, tokens);
    return tokens;
  };
  return {
    count(text) {
      if (text.length < SHORT) return countTokens(text);
      const hash = createHash("sha256").update(text, "utf8").digest("hex");
      const found = known(hash);
      if (found !== undefined) return found;
      const tokens = countTokens(text);
      counts.set(hash, tokens);
      if (!(counts.size <= limit)) counts.delete(counts.keys().next().value ?? hash);
      return tokens;
    },
    known,
    get size() {
      return counts.size;
    },
  };
}
