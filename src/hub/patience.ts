/** How machines are listened to, in milliseconds. */
export interface Patience {
  /** Between two beats of a machine. */
  readonly beatMs: number;
  /** A machine that was silent for so long is gone, and its orders are lost. */
  readonly leaseMs: number;
  /** An order that nobody has asked for in so long has no coordinator any more. */
  readonly orphanMs: number;
}

export const PATIENCE: Patience = { beatMs: 5000, leaseMs: 120_000, orphanMs: 600_000 };
