/** What the flags of one run said; kept with the run, so that a resume goes on the same way. */
export interface Invocation {
  readonly agent?: string | undefined;
  readonly command?: string | undefined;
  readonly parallel?: number | "declared" | undefined;
  readonly allowMissing?: boolean | undefined;
  readonly plan?: "reconcile" | "frozen" | undefined;
  /** The most tokens the run may take in all. */
  readonly maxTokens?: number | undefined;
  /** The most US dollars it may cost. */
  readonly maxCost?: number | undefined;
  /** The hub whose machines work on it. */
  readonly on?: string | undefined;
}
