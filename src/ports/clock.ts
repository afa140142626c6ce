/** Time as a value. Wall time is for people, monotonic time for every decision. */
export interface Clock {
  readonly portVersion: 1;
  /** Wall clock, epoch milliseconds; may jump. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonic(): number;
  /** Calls back once after `ms` (values above 2^31 − 1 are honoured). The returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}
