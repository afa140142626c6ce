import type { AgentUsage } from "../../ports/index.ts";

/** Adds what counts up; what is a state of now replaces. */
export function sumUsage(spent: AgentUsage, turn: AgentUsage): AgentUsage {
  const sum: Record<string, number> = { ...spent };
  for (const [name, value] of Object.entries(turn)) {
    if (typeof value !== "number") continue;
    sum[name] = name.startsWith("context") ? value : (sum[name] ?? 0) + value;
  }
  return sum;
}
