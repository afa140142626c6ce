import { type Calibration, calibrated, UNCALIBRATED } from "./calibration.ts";
import { countTokens } from "./count.ts";
import { familyOf, inFamily, wideShare } from "./family.ts";

/** At most this many tokens for a model or agent of that name: what hard limits are held against. */
export function upperBound(text: string, model: string, known: Calibration = UNCALIBRATED): number {
  const estimate = inFamily(countTokens(text), wideShare(text), familyOf(model));
  return calibrated(estimate, known).upper;
}
