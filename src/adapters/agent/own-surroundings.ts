import type { Agent, McpServer } from "../../ports/index.ts";

/** What an agent has besides what every session has. */
export interface OwnSurroundings {
  /** Variables; they win over those of the session. */
  readonly env: Readonly<Record<string, string>>;
  readonly mcp: readonly McpServer[];
}

/** An agent whose sessions have variables and MCP servers of its own. */
export function withOwn(agent: Agent, { env, mcp }: OwnSurroundings): Agent {
  if (Object.keys(env).length === 0 && mcp.length === 0) return agent;
  return {
    ...agent,
    open: request =>
      agent.open({
        ...request,
        env: { ...request.env, ...env },
        ...(mcp.length === 0 ? {} : { mcp: [...(request.mcp ?? []), ...mcp] }),
      }),
  };
}
