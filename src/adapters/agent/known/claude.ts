import type { AcpAgentOptions } from "../acp/acp-agent.ts";
import { CLAUDE as DIALECT } from "../cli/claude.ts";
import type { AgentSettings } from "../settings.ts";
import type { PresetFacts } from "./facts.ts";

const ENV = ["ANTHROPIC_*", "CLAUDE_*"];
const KEEPS: PresetFacts["keeps"] = [".claude", ".claude.json", ".cache"];

/** What Claude's adapter hands to the Claude Agent SDK: the repository's own settings and servers stay out. */
function claudeMeta({ budgetUsd, maxTurns }: AgentSettings): AcpAgentOptions["meta"] {
  const options = {
    settingSources: ["user"],
    strictMcpConfig: true,
    promptSuggestions: false,
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  };
  return { claudeCode: { options } };
}

export const CLAUDE: PresetFacts = {
  name: "claude",
  title: "Claude Code",
  from: "@anthropic-ai/claude-code",
  oldest: "2.1.260",
  env: ENV,
  keeps: KEEPS,
  how: { by: "cli", dialect: DIALECT },
};

export const CLAUDE_ACP: PresetFacts = {
  name: "claude-acp",
  title: "Claude Code over ACP",
  from: "@agentclientprotocol/claude-agent-acp",
  env: ENV,
  keeps: KEEPS,
  signs: {
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    files: [".claude/.credentials.json"],
    without: "unknown",
  },
  how: {
    by: "acp",
    command: ["claude-agent-acp"],
    abilities: { cost: true, budget: true },
    more: settings => ({
      // Since 0.101 it begins by letting a model decide what is asked.
      mode: "default",
      extraEnv: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_MAX_RETRIES: "2",
        // Guesses at what a person would type next cost money, and nobody types.
        CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
        // The few tools we attach are meant to be seen, not to be searched for.
        ENABLE_TOOL_SEARCH: "false",
      },
      meta: claudeMeta(settings),
    }),
  },
};
