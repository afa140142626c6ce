import type { Equivalent } from "./draw.ts";

/** Drawn bugs that nobody can notice, each with the reason. */
export const EQUIVALENTS: readonly Equivalent[] = [];
