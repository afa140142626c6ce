/** Two texts of which the policy cannot tell the right one. Nothing is guessed: the checkpoint's own stays. */
export interface MergeConflict {
  readonly section: string;
  readonly kept: string;
  readonly refused: string;
  readonly why: string;
}

/** One section merged. */
export interface Merged {
  readonly text: string;
  readonly conflicts?: readonly Omit<MergeConflict, "section">[];
}
