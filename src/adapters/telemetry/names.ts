/**
 * Names of the semantic conventions for generative AI. They are still moving ("Development"), so they stand in this one place;
 * what they do not know has names of ours.
 */
export const GEN_AI = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cachedTokens: "gen_ai.usage.cache_read.input_tokens",
  outputMessages: "gen_ai.output.messages",
  tool: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  tokenType: "gen_ai.token.type",
  tokenUsage: "gen_ai.client.token.usage",
  duration: "gen_ai.client.operation.duration",
} as const;

export const ERROR_TYPE = "error.type";

export const OWN = {
  run: "espalier.run.id",
  project: "espalier.project",
  resumed: "espalier.run.resumed",
  outcome: "espalier.run.outcome",
  phase: "espalier.phase",
  task: "espalier.task.id",
  title: "espalier.task.title",
  status: "espalier.task.status",
  verified: "espalier.task.verified",
  attempt: "espalier.attempt.number",
  attemptOutcome: "espalier.attempt.outcome",
  machine: "espalier.machine",
  cost: "espalier.cost.usd",
  estimated: "espalier.usage.estimated_tokens",
  othersTokens: "espalier.others.tokens",
  othersCost: "espalier.others.cost.usd",
  why: "espalier.reason",
} as const;

/** Whose models an agent speaks with, by the names of the conventions; an agent that is not known is its own. */
export function providerOf(agent: string): string {
  if (agent.startsWith("claude")) return "anthropic";
  if (agent.startsWith("codex")) return "openai";
  return agent.startsWith("gemini") ? "gcp.gemini" : agent;
}
