import type { Told } from "../text/index.ts";

/** Two texts of which the policy cannot tell the right one. Nothing is guessed: the checkpoint's own stays. */
export interface MergeConflict {
  readonly section: string;
  readonly kept: string;
  readonly refused: string;
  readonly why: string;
}

/** Two texts of one section, and why, in any language. */
export interface Clash extends Omit<MergeConflict, "section" | "why"> {
  readonly why: Told;
}

/** One section merged. */
export interface Merged {
  readonly text: string;
  readonly conflicts?: readonly Clash[];
}
