import { KNOWN_AGENTS, type KnownAgent } from "../../ports/index.ts";
import { CLAUDE, CLAUDE_ACP } from "./known/claude.ts";
import { CODEX, CODEX_ACP } from "./known/codex.ts";
import { COPILOT } from "./known/copilot.ts";
import type { PresetFacts } from "./known/facts.ts";
import { GEMINI, GEMINI_ACP } from "./known/gemini.ts";
import { OPENCODE, OPENCODE_ACP } from "./known/opencode.ts";
import { QWEN } from "./known/qwen.ts";

const FACTS: Readonly<Record<KnownAgent, PresetFacts>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  "claude-acp": CLAUDE_ACP,
  "codex-acp": CODEX_ACP,
  "gemini-acp": GEMINI_ACP,
  "opencode-acp": OPENCODE_ACP,
  copilot: COPILOT,
  qwen: QWEN,
};

/** Every agent known by name, each from a file of its own in `known`, in the order in which `auto` prefers them. */
export const PRESET_FACTS: readonly PresetFacts[] = KNOWN_AGENTS.map(name => FACTS[name]);
