/** Coding agents that are known by name; what each means stands in the agents' catalogue. */
export const KNOWN_AGENTS = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "claude-acp",
  "codex-acp",
  "gemini-acp",
  "opencode-acp",
  "copilot",
  "qwen",
] as const;

/** The name of a known agent. */
export type KnownAgent = (typeof KNOWN_AGENTS)[number];

/**
 * Those whose permissions hold for whole kinds of calls: by themselves they tell no command from another, and do not ask about each.
 */
export const HELD_BY_KIND: ReadonlySet<string> = new Set<KnownAgent>(["codex", "codex-acp", "gemini"]);

/** Those that cannot be told how hard to think. */
export const WITHOUT_EFFORT: ReadonlySet<string> = new Set<KnownAgent>(["gemini"]);

/** Those that MCP servers cannot be handed to. */
export const WITHOUT_SERVERS: ReadonlySet<string> = new Set<KnownAgent>(["gemini"]);

/** What their vendors call some of them. */
const OTHER_NAMES: ReadonlyMap<string, KnownAgent> = new Map([
  ["claude-code", "claude"],
  ["gemini-cli", "gemini"],
  ["copilot-cli", "copilot"],
  ["qwen-code", "qwen"],
] as const);

/** Every agent that a task may name without any configuration: those, `shell` and `command`. */
export const AGENT_NAMES: readonly string[] = [...KNOWN_AGENTS, "shell", "command"];

/** The agent that a word names, in any case and by its vendor's name too; undefined for any other word. */
export function agentCalled(word: string): string | undefined {
  const name = word.toLowerCase();
  return AGENT_NAMES.includes(name) ? name : OTHER_NAMES.get(name);
}
