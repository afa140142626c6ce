import { fileURLToPath } from "node:url";
import type { PresetFacts } from "./facts.ts";

/**
 * Settings below a person's own: after each turn it would have its model remember and guess what is typed next, which takes as
 * much again as the turn, and tells nobody.
 */
const DEFAULTS = fileURLToPath(
  new URL(
    `${import.meta.url.endsWith(".ts") ? "../../../../" : "../../"}bin/qwen-defaults.json`,
    import.meta.url,
  ),
);

export const QWEN: PresetFacts = {
  name: "qwen",
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
  how: {
    by: "acp",
    command: ["qwen", "--acp"],
    more: () => ({
      mode: "default",
      extraEnv: { QWEN_CODE_SYSTEM_DEFAULTS_PATH: DEFAULTS },
    }),
  },
};
