import type { NodeStatus } from "./context-rows.ts";

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

/** A node that takes nothing more. */
export interface UnhungBlock {
  readonly node: string;
  readonly status: NodeStatus;
}
