import { CODEX as DIALECT } from "../cli/codex.ts";
import { blunt } from "../permissions.ts";
import { type AgentSettings, permissionsOf } from "../settings.ts";
import type { PresetFacts } from "./facts.ts";

const ENV = ["OPENAI_*", "CODEX_*"];
const KEEPS: PresetFacts["keeps"] = [".codex", ".cache"];

/** Milliseconds that the servers we attach have to start, on a machine that has much else to do. */
const MCP_START_MS = 60_000;

/** In a jail Codex needs no sandbox of its own, which could not be set up in there. */
function codexMode(settings: AgentSettings, jailed: boolean): string {
  if (blunt(permissionsOf(settings)).edit !== "allow") return "read-only";
  return jailed ? "agent-full-access" : "workspace-write";
}

export const CODEX: PresetFacts = {
  name: "codex",
  title: "Codex",
  from: "@openai/codex",
  oldest: "0.125.0",
  env: ENV,
  keeps: KEEPS,
  signs: { variables: ["CODEX_API_KEY"], files: [], without: "unseen" },
  how: { by: "cli", dialect: DIALECT },
};

export const CODEX_ACP: PresetFacts = {
  name: "codex-acp",
  title: "Codex over ACP",
  from: "@agentclientprotocol/codex-acp",
  env: ENV,
  keeps: KEEPS,
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
};
