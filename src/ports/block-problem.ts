/** Why the block of an agent's answer is not taken into the context tree. */
export type BlockProblem =
  | "unterminated"
  | "nested"
  | "empty"
  | "bad-id"
  | "bad-tag"
  | "too-long"
  | "too-many"
  | "too-much";
