import type { BudgetShape } from "../../../src/server/shapes/budget.ts";

/** How full the window is, in words: what is handed on in brief is so until its share has fallen well below the mark. */
export type Fullness = "normal" | "warn" | "compress" | "stop";

/** Tells it as the run decides it. */
export function fullness({
  total,
  used,
  finest,
}: Pick<BudgetShape["window"], "total" | "used" | "finest">): Fullness {
  const share = used / Math.max(1, total);
  if (share >= 0.9) return "stop";
  if (finest === 2) return "compress";
  return share >= 0.7 ? "warn" : "normal";
}
