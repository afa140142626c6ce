import type { AgentConfig } from "./agents.ts";

/** The account whose quota an agent uses up: agents without one have their own. */
export function accountOf(agents: Readonly<Record<string, AgentConfig>>, name: string): string {
  return (Object.hasOwn(agents, name) ? agents[name]?.account : undefined) ?? name;
}
