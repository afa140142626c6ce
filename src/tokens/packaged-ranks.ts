import tokens from "gpt-tokenizer/bpeRanks/o200k_base";
import { hashRanks, packRanks, type RankTable } from "./ranks.ts";

/** The ranks of o200k as their package has them. A build has them in a file and reads that here instead. */
export function loadRanks(): RankTable {
  return hashRanks(packRanks(tokens));
}
