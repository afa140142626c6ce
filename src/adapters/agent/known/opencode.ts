import { OPENCODE as DIALECT } from "../cli/opencode.ts";
import type { LoginSigns } from "../look.ts";
import type { Decision, PatternRules } from "../permissions.ts";
import { type AgentSettings, permissionsOf } from "../settings.ts";
import type { PresetFacts } from "./facts.ts";

const ENV = ["OPENCODE_*", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"];
const KEEPS: PresetFacts["keeps"] = [
  ".config/opencode",
  ".local/share/opencode",
  ".local/state/opencode",
  ".cache",
];
const SIGNS: LoginSigns = {
  variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  files: [".local/share/opencode/auth.json"],
  without: "unknown",
};

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
const HEEDS: PresetFacts["heeds"] = [".opencode", "opencode.json", "opencode.jsonc"];

export const OPENCODE: PresetFacts = {
  name: "opencode",
  title: "OpenCode",
  from: "opencode-ai",
  oldest: "1.15.4",
  env: ENV,
  keeps: KEEPS,
  signs: SIGNS,
  heeds: HEEDS,
  how: { by: "cli", dialect: DIALECT },
};

export const OPENCODE_ACP: PresetFacts = {
  name: "opencode-acp",
  title: "OpenCode over ACP",
  from: "opencode-ai",
  oldest: "1.15.4",
  env: ENV,
  keeps: KEEPS,
  signs: SIGNS,
  heeds: HEEDS,
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
};
