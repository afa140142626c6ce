import type { Agent } from "../../ports/index.ts";
import { createAcpAgent } from "./acp/acp-agent.ts";
import { createCliAgent } from "./cli/cli-agent.ts";
import type { PresetFacts } from "./known/facts.ts";
import { isOlder, loginBySigns } from "./look.ts";
import { PRESET_FACTS } from "./presets.ts";
import type { AgentSettings, AgentSurroundings } from "./settings.ts";

/** A coding agent that needs no configuration. */
export interface Preset extends Pick<PresetFacts, "name" | "title" | "env"> {
  /** Below the home: what it must be able to write. */
  readonly keeps: readonly string[];
  /** Driven by a command line of its own, or over the Agent Client Protocol. */
  readonly driven: "cli" | "acp";
  /** The program it is started with. */
  readonly program: string;
  /** How people get it. */
  readonly install: string;
  /** Makes the agent; `program` where it is not found under its usual name. */
  make(surroundings: AgentSurroundings, settings: AgentSettings, program: string | undefined): Agent;
}

function presetFrom(facts: PresetFacts): Preset {
  const { name, title, env, keeps, how } = facts;
  return {
    name,
    title,
    env,
    keeps,
    driven: how.by,
    program: how.by === "cli" ? how.dialect.program : how.command[0],
    install: `npm install -g ${facts.from}`,
    make: (surroundings, settings, program) =>
      withFacts(makeAgent(facts, surroundings, settings, program), facts, surroundings),
  };
}

function makeAgent(
  { how, heeds }: PresetFacts,
  surroundings: AgentSurroundings,
  settings: AgentSettings,
  program: string | undefined,
): Agent {
  const guard = heeds === undefined ? undefined : { places: heeds, approves: surroundings.approves };
  if (how.by === "cli")
    return createCliAgent({ ...surroundings, dialect: how.dialect, settings, program, guard });
  const { more, abilities, wordsErrors, titlesCommands, tells, ledger } = how;
  const [usual, ...args] = how.command;
  const own = more?.(settings, surroundings.jail !== undefined) ?? {};
  return createAcpAgent({
    ...surroundings,
    command: [program ?? usual, ...args],
    abilities,
    wordsErrors,
    titlesCommands,
    tells,
    ledger,
    settings,
    meta: own.meta,
    mode: own.mode,
    extraEnv: { ...own.extraEnv, ...surroundings.extraEnv },
    rules: own.rules,
    guard,
  });
}

/** Adds what the catalogue knows to what the program says: whether it is too old, and signs of a login. */
function withFacts(agent: Agent, { signs, oldest }: PresetFacts, { env }: AgentSurroundings): Agent {
  return {
    ...agent,
    async probe() {
      const probe = await agent.probe();
      if (!probe.found) return probe;
      const needs = oldest !== undefined && isOlder(probe.version, oldest) ? { needs: oldest } : {};
      const { login = "unknown" } = probe;
      const isOpen = login !== "in" && login !== "out" && signs !== undefined && env !== undefined;
      return { ...probe, ...needs, ...(isOpen ? { login: loginBySigns(signs, env) } : {}) };
    },
  };
}

/** Every agent known by name, in the order in which `auto` prefers them. */
export const PRESETS: readonly Preset[] = PRESET_FACTS.map(presetFrom);

/** The preset of that name; undefined for none. */
export function presetOf(name: string): Preset | undefined {
  return PRESETS.find(preset => preset.name === name);
}
