import type { PresetFacts } from "./facts.ts";

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
  how: { by: "acp", command: ["qwen", "--acp"], more: () => ({ mode: "default" }) },
};
