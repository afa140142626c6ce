export { createTokenCache, type TokenCache } from "./cache.ts";
export { type Calibration, calibrate, calibrated, UNCALIBRATED } from "./calibration.ts";
export { countCapped, countTokens, prefixWithin } from "./count.ts";
export { familyOf, inFamily, type TokenEstimate, type TokenFamily, wideShare } from "./family.ts";
export type { TokenPrefix } from "./merge.ts";
export { upperBound } from "./upper-bound.ts";
