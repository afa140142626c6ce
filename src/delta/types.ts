/** What kind of change an operation is; the rules are in SPEC.md. */
export type Category = "structural" | "value" | "artifact" | "progress";

/** One operation: lines of the base give way to lines of the result. Lines are what stands between `\n`s. */
export interface Hunk {
  /** 0-based line of the base at which the removed lines begin, or before which the added ones go. */
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly category: Category;
}

/** The exact difference of two documents. Hunks stand in order and neither overlap nor touch. */
export interface Delta {
  /** First 12 hexadecimal digits of the SHA-256 of the base and of the result, as UTF-8. */
  readonly base: string;
  readonly result: string;
  readonly hunks: readonly Hunk[];
}

/** Why a delta does not fit: what it expected, and what was there. */
export interface Conflict {
  /**
   * `base`: it belongs to another document; `lines`: its hunks contradict the base it names; `result`: it does not
   * lead to the result it names; `chain`: the second of two deltas does not begin where the first ends.
   */
  readonly kind: "base" | "lines" | "result" | "chain";
  readonly expected: string;
  readonly found: string;
  /** One line for people. */
  readonly message: string;
}
