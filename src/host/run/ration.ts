/** Milliseconds as a moment, of any clock that goes on. */
type Moment = number;

/** Work that may take a share of the time: some of it at once after a rest, and then no more than its share. */
export interface Ration {
  /** Before when it is not done again. */
  readonly from: Moment;
  spend(began: Moment, ended: Moment): void;
}

/**
 * A ration of one part in `of` of the time, of which `ahead` milliseconds may be spent before they were saved: the virtual schedule of
 * the generic cell rate algorithm (ITU-T I.371), with durations for cells. In any stretch of time no more is spent than its share,
 * `ahead`, and what the last piece of work took.
 */
export function rationOf({ of, ahead }: { readonly of: number; readonly ahead: number }): Ration {
  /** When all that was spent will have been saved. */
  let even = Number.NEGATIVE_INFINITY;
  return {
    get from() {
      return even - ahead * of;
    },
    spend(began, ended) {
      even = Math.max(even, began) + of * (ended - began);
    },
  };
}
