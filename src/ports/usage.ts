import type { AgentUsage } from "./agent.ts";

/** The amounts that a report tells: a number that is none, or less than nothing, says nothing of what was taken. */
export function amountsOf(told: AgentUsage): AgentUsage {
  return Object.fromEntries(
    Object.entries(told).filter(([, value]) => Number.isFinite(value) && (value as number) >= 0),
  );
}

/** What two counts come to together, e.g. of two turns or two sessions: what counts up is added, what is a state of now replaces. */
export function addUsage(before: AgentUsage | undefined, more: AgentUsage): AgentUsage {
  const sum: Record<string, number> = { ...before };
  for (const [name, value] of Object.entries(more)) {
    if (typeof value !== "number") continue;
    sum[name] = name.startsWith("context") ? value : (sum[name] ?? 0) + value;
  }
  return sum;
}
