import type { Phase } from "../types.ts";
import type { IdShape } from "./ids.ts";

/** One thing a dependency value names, before anyone looked up what it is. */
export type Ref =
  | {
      readonly kind: "id";
      readonly id: string;
      readonly shape: IdShape;
      readonly at: Place;
      readonly archived: boolean;
      /** `P1` of the `T2` in `P1-T1/T2`: the prefix it shares with the id before the slash. */
      readonly base?: string;
    }
  | { readonly kind: "range"; readonly from: string; readonly to: string; readonly at: Place }
  /** `P2-R*`, `T1.x`: all ids that begin so. */
  | { readonly kind: "prefix"; readonly prefix: string; readonly at: Place }
  /** `Phase 2`; `only` is R or S where it says "Resource tasks" or "screens". */
  | { readonly kind: "phase"; readonly phase: Phase; readonly only?: "R" | "S"; readonly at: Place };

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}
