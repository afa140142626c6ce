import type { Limits } from "./limits.ts";
import type { Report } from "./report.ts";

/** What every format reader is given besides the text. */
export interface ReadContext {
  readonly path: string;
  readonly allowMissing: boolean;
  readonly limits: Limits;
  readonly report: Report;
}
