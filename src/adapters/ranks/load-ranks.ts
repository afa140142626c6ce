import { createRequire } from "node:module";
import type { Ranks } from "../../tokens/ranks.ts";

/** Loads the ranks of o200k now, without waiting. */
export function loadRanks(): Ranks {
  const require = createRequire(import.meta.url);
  const { default: ranks } = require("gpt-tokenizer/bpeRanks/o200k_base") as { readonly default: Ranks };
  return ranks;
}
