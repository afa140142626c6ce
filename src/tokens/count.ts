import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";

/** Longest piece handed to the tokenizer at once: it is quadratic in unbroken runs. */
const PIECE = 10_000;

/** Exact o200k tokens of a text up to 10,000 characters; beyond that the sum over pieces, at most one more per piece. */
export function countTokens(text: string): number {
  let total = 0;
  for (let from = 0; from < text.length; from += PIECE) total += count(text.slice(from, from + PIECE));
  return total;
}
