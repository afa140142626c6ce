import tokens from "gpt-tokenizer/bpeRanks/o200k_base";
import { packRanks, type Ranks } from "./ranks.ts";

/** The ranks of o200k as their package has them. A build has them in a file and reads that here instead. */
export function loadRanks(): Ranks {
  return packRanks(tokens);
}
