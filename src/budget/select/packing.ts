import type { Point } from "./hull.ts";

/** A choice of one form per item. */
export interface Packing {
  /** By item: the chosen form. */
  readonly chosen: readonly Point[];
  readonly tokens: number;
  readonly value: number;
  /** No choice is worth more: the worth of the relaxed problem, or this one's where it is proved best. */
  readonly bound: number;
}
