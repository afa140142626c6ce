import { KNOWN_AGENTS, type KnownAgent } from "../../ports/index.ts";
import type { AcpAgentOptions } from "./acp/acp-agent.ts";
import { CLAUDE } from "./cli/claude.ts";
import { CODEX } from "./cli/codex.ts";
import type { CliCommand, Dialect } from "./cli/dialect.ts";
import { GEMINI } from "./cli/gemini.ts";
import { OPENCODE } from "./cli/opencode.ts";
import type { KeptPlace } from "./jail/home.ts";
import type { LoginSigns } from "./look.ts";
import { blunt, type Decision, type PatternRules } from "./permissions.ts";
import type { RepositoryPlace } from "./repository-files.ts";
import { type AgentSettings, permissionsOf } from "./settings.ts";

/** What there is to know about a coding agent that needs no configuration. */
export interface PresetFacts {
  /** The name tasks and flags use. */
  readonly name: KnownAgent;
  readonly title: string;
  /** The npm package people get it from. */
  readonly from: string;
  /** The oldest version that understands what it is told here, where one is known that does not. */
  readonly oldest?: string;
  /** Variables of the environment that are its own; a `*` at the end stands for anything. */
  readonly env: readonly string[];
  /** Below the home: what it must be able to write. */
  readonly keeps: readonly KeptPlace[];
  /** Where a login shows; for those that cannot be asked. */
  readonly signs?: LoginSigns;
  /** Driven by a command line of its own, or over the Agent Client Protocol. */
  readonly how:
    | { readonly by: "cli"; readonly dialect: Dialect }
    | ({ readonly by: "acp" } & Pick<
        AcpAgentOptions,
        "command" | "abilities" | "wordsErrors" | "titlesCommands" | "tells" | "ledger"
      > & {
          /** What depends on the settings. */
          readonly more?: (
            settings: AgentSettings,
            jailed: boolean,
          ) => Pick<AcpAgentOptions, "extraEnv" | "meta" | "mode"> & Pick<CliCommand, "rules">;
        });
  /** Places in a repository that it heeds whatever it is told: each file there has to be approved. */
  readonly heeds?: readonly RepositoryPlace[];
}

const CLAUDE_ENV = ["ANTHROPIC_*", "CLAUDE_*"];
const CODEX_ENV = ["OPENAI_*", "CODEX_*"];
/** The first that knows `--skip-trust`. */
const GEMINI_OLDEST = "0.39.1";
const GEMINI_ENV = ["GEMINI_*", "GOOGLE_*"];
const OPENCODE_ENV = [
  "OPENCODE_*",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "OPENROUTER_API_KEY",
];
const CLAUDE_KEEPS: PresetFacts["keeps"] = [".claude", ".claude.json", ".cache"];
const CODEX_KEEPS: PresetFacts["keeps"] = [".codex", ".cache"];
const GEMINI_KEEPS: PresetFacts["keeps"] = [".gemini", ".cache"];
const OPENCODE_KEEPS: PresetFacts["keeps"] = [
  ".config/opencode",
  ".local/share/opencode",
  ".local/state/opencode",
  ".cache",
];
const GEMINI_SIGNS: LoginSigns = {
  variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
  files: [".gemini/oauth_creds.json"],
  without: "unseen",
};
const OPENCODE_SIGNS: LoginSigns = {
  variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  files: [".local/share/opencode/auth.json"],
  without: "unknown",
};

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

/** Milliseconds that the servers we attach have to start, on a machine that has much else to do. */
const MCP_START_MS = 60_000;

/** In a jail Codex needs no sandbox of its own, which could not be set up in there. */
function codexMode(settings: AgentSettings, jailed: boolean): string {
  if (blunt(permissionsOf(settings)).edit !== "allow") return "read-only";
  return jailed ? "agent-full-access" : "workspace-write";
}

/** Over its own protocol OpenCode asks for what is not allowed: the policy here answers. */
function opencodeRules(settings: AgentSettings): Readonly<Record<string, string>> {
  // Where patterns decide it asks, and they are held against what it asks for.
  const asking = (rules: Decision | PatternRules): Decision => (typeof rules === "string" ? rules : "ask");
  const { edit, execute, fetch } = permissionsOf(settings);
  // Once it was asked for a folder and not let, it gives its whole turn up without a word.
  const permission = {
    edit: asking(edit),
    bash: asking(execute),
    webfetch: asking(fetch),
    external_directory: "deny",
  };
  return { OPENCODE_PERMISSION: JSON.stringify(permission) };
}

/** Told to leave them alone it loads plugins all the same, and leaves out `AGENTS.md`. */
const OPENCODE_HEEDS: PresetFacts["heeds"] = [".opencode", "opencode.json", "opencode.jsonc"];

const FACTS: Readonly<Record<KnownAgent, Omit<PresetFacts, "name">>> = {
  claude: {
    title: "Claude Code",
    from: "@anthropic-ai/claude-code",
    oldest: "2.1.260",
    env: CLAUDE_ENV,
    keeps: CLAUDE_KEEPS,
    how: { by: "cli", dialect: CLAUDE },
  },
  codex: {
    title: "Codex",
    from: "@openai/codex",
    oldest: "0.125.0",
    env: CODEX_ENV,
    keeps: CODEX_KEEPS,
    signs: { variables: ["CODEX_API_KEY"], files: [], without: "unseen" },
    how: { by: "cli", dialect: CODEX },
  },
  gemini: {
    title: "Gemini CLI",
    from: "@google/gemini-cli",
    oldest: GEMINI_OLDEST,
    env: GEMINI_ENV,
    keeps: GEMINI_KEEPS,
    signs: GEMINI_SIGNS,
    heeds: [".gemini"],
    how: { by: "cli", dialect: GEMINI },
  },
  opencode: {
    title: "OpenCode",
    from: "opencode-ai",
    oldest: "1.15.4",
    env: OPENCODE_ENV,
    keeps: OPENCODE_KEEPS,
    signs: OPENCODE_SIGNS,
    heeds: OPENCODE_HEEDS,
    how: { by: "cli", dialect: OPENCODE },
  },
  "claude-acp": {
    title: "Claude Code over ACP",
    from: "@agentclientprotocol/claude-agent-acp",
    env: CLAUDE_ENV,
    keeps: CLAUDE_KEEPS,
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
  },
  "codex-acp": {
    title: "Codex over ACP",
    from: "@agentclientprotocol/codex-acp",
    env: CODEX_ENV,
    keeps: CODEX_KEEPS,
    signs: {
      variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
      files: [".codex/auth.json"],
      without: "unknown",
    },
    // It declares every folder it works in to be trusted.
    heeds: [".codex"],
    how: {
      by: "acp",
      command: ["codex-acp"],
      abilities: { sandbox: true },
      more: (settings, jailed) => ({
        // By itself it lets a model decide what is unsafe.
        mode: codexMode(settings, jailed),
        // Else it asks its model before the tools are there.
        meta: { mcpStartupAwaitTimeoutMs: MCP_START_MS },
      }),
    },
  },
  "gemini-acp": {
    title: "Gemini CLI over ACP",
    from: "@google/gemini-cli",
    oldest: GEMINI_OLDEST,
    env: GEMINI_ENV,
    keeps: GEMINI_KEEPS,
    signs: GEMINI_SIGNS,
    heeds: [".gemini"],
    how: {
      by: "acp",
      command: ["gemini", "--acp", "--skip-trust"],
      // It says that it loads sessions, and does not find those of an earlier process.
      abilities: { resume: false },
      titlesCommands: true,
      more: () => ({ rules: { GEMINI_CLI_TRUST_WORKSPACE: "false" } }),
    },
  },
  "opencode-acp": {
    title: "OpenCode over ACP",
    from: "opencode-ai",
    oldest: "1.15.4",
    env: OPENCODE_ENV,
    keeps: OPENCODE_KEEPS,
    signs: OPENCODE_SIGNS,
    heeds: OPENCODE_HEEDS,
    how: {
      by: "acp",
      // Over the protocol it is silent while it tries again.
      command: ["opencode", "acp", "--print-logs", "--log-level", "ERROR"],
      abilities: { cost: true },
      tells: "last",
      ledger: ["export"],
      more: settings => ({
        rules: opencodeRules(settings),
        extraEnv: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_SHARE: "1" },
      }),
    },
  },
  copilot: {
    title: "GitHub Copilot",
    from: "@github/copilot",
    env: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"],
    keeps: [".copilot", ".cache"],
    signs: { variables: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"], files: [], without: "unknown" },
    heeds: [
      ".mcp.json",
      ".vscode/mcp.json",
      ".github/hooks",
      ".github/copilot",
      ".github/extensions",
      ".copilot",
    ],
    how: {
      by: "acp",
      command: ["copilot", "--acp"],
      wordsErrors: true,
      // With it the folder would be trusted, and nothing asked.
      more: () => ({ rules: { COPILOT_ALLOW_ALL: "false" } }),
    },
  },
  qwen: {
    title: "Qwen Code",
    from: "@qwen-code/qwen-code",
    env: ["QWEN_*", "OPENAI_*", "DASHSCOPE_*"],
    keeps: [".qwen", ".cache"],
    signs: {
      variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
      files: [".qwen/oauth_creds.json"],
      without: "unknown",
    },
    heeds: [".qwen", ".mcp.json"],
    how: { by: "acp", command: ["qwen", "--acp"], more: () => ({ mode: "default" }) },
  },
};

/** Every agent known by name, in the order in which `auto` prefers them. */
export const PRESET_FACTS: readonly PresetFacts[] = KNOWN_AGENTS.map(name => ({ name, ...FACTS[name] }));
