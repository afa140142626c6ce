import type { StoreFailure } from "../../src/ports/index.ts";

/** One task. */
export const ONE = "### [ ] T1.1: a\n";
/** Two tasks that need nothing of each other. */
export const TWO = "### [ ] T1.1: a\n### [ ] T1.2: b\n";
/** Two tasks, the second after the first. */
export const CHAIN = "### [ ] T1.1: a\n### [ ] T1.2: b\n- depends_on: [T1.1]\n";
/** How a store refuses on a full disk. */
export const FULL: StoreFailure = { kind: "full", message: "database or disk is full" };
