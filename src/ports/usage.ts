import type { AgentUsage } from "./agent.ts";

/** What two counts come to together, e.g. of two turns or two sessions: what counts up is added, what is a state of now replaces. */
export function addUsage(before: AgentUsage | undefined, more: AgentUsage): AgentUsage {
  const sum: Record<string, number> = { ...before };
  for (const [name, value] of Object.entries(more)) {
    if (typeof value !== "number") continue;
    sum[name] = name.startsWith("context") ? value : (sum[name] ?? 0) + value;
  }
  return sum;
}
