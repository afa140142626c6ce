import type { PresetFacts } from "./facts.ts";

export const COPILOT: PresetFacts = {
  name: "copilot",
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
};
