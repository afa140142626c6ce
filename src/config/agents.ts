import { z } from "zod";
import { HELD_BY_KIND, KNOWN_AGENTS, LEAD, WITHOUT_EFFORT, WITHOUT_SERVERS } from "../ports/index.ts";
import { havePatterns, permissions } from "./permissions.ts";
import { variables } from "./variables.ts";

const line = () => z.string().min(1).max(4000);
/** A place below the home, by its relative path. */
const homePlace = () =>
  z.string().regex(/^\.?[\w-][\w.-]{0,99}(?:\/[\w-][\w.-]{0,99}){0,9}$/, {
    error: "expected a place below the home, such as .config/my-agent",
  });

/** A server of the Model Context Protocol, started by its command line. */
const serverShape = () => z.strictObject({ command: line(), env: variables().optional() });

/** Names that every agent's own way to name tools leaves as they are. */
const SERVER_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
/** What our own tools are called. */
const OWN_SERVER = "espalier";

const servers = () =>
  z.record(z.string(), serverShape()).superRefine((given, context) => {
    for (const name of Object.keys(given)) {
      const message =
        name === OWN_SERVER
          ? "is what Espalier's own tools are called; choose another name"
          : "is no name of a server: letters, digits, - and _, and a letter first";
      if (name === OWN_SERVER || !SERVER_NAME.test(name))
        context.addIssue({ code: "custom", path: [name], message });
    }
  });

const agentShape = () =>
  z.strictObject({
    /** A command line: the prompt comes on its standard input, its standard output is the answer. */
    command: line().optional(),
    /** A command line that speaks the Agent Client Protocol. */
    acp: line().optional(),
    /** One of the known agents; by default the one of this name. */
    preset: z.enum(KNOWN_AGENTS).optional(),
    /** Path of the preset's program where it is not on PATH. */
    program: line().optional(),
    /** Model to use; beside a command line it only says whose tokens count. */
    model: z.string().min(1).max(200).optional(),
    /** Whose quota it uses up, by any name; by default its own. */
    account: z.string().min(1).max(100).optional(),
    permissions: permissions().optional(),
    /** US dollars one turn may cost. */
    budget: z.number().positive().max(10_000).optional(),
    /** Rounds of tool calls one turn may have. */
    maxTurns: z.int().min(1).max(10_000).optional(),
    /** How hard it is to think, in its own words. */
    effort: z.string().min(1).max(100).optional(),
    /** The mode of work its sessions begin in, by its own name. */
    mode: z.string().min(1).max(100).optional(),
    /** Variables that it gets besides those of every agent. */
    env: variables().optional(),
    /** MCP servers that it is given besides Espalier's own tools, by name. */
    mcp: servers().optional(),
    /** Places below the home that it must be able to write in a jail. */
    keeps: z.array(homePlace()).max(50).optional(),
  });

/** Settings of one agent under `agents`. */
export type AgentConfig = z.infer<ReturnType<typeof agentShape>>;

/** What a command line can be told. */
const OF_COMMANDS: ReadonlySet<string> = new Set(["command", "model", "account", "env", "keeps"]);

/** What is known of a preset, or follows from its permissions. */
const ACP_ONLY = ["mode", "keeps"] as const;

/** What only a preset can be told. */
const PRESET_ONLY = ["program", "budget", "maxTurns"] as const;

/** The names of its keys, for those who mistype one. */
export const agentKeys = (): readonly string[] => Object.keys(agentShape().shape);

/** `agents`: each is a command line, an ACP command line, or a known agent with settings of its own. */
export const agents = () =>
  z.record(z.string().min(1).max(100), agentShape()).superRefine((agents, context) => {
    for (const [name, agent] of Object.entries(agents)) {
      const problem = problemOf(name, agent);
      if (problem !== undefined) context.addIssue({ code: "custom", path: [name], message: problem });
    }
  });

function problemOf(name: string, agent: AgentConfig): string | undefined {
  if (name === LEAD) {
    const extra = Object.keys(agent).filter(key => key !== "model");
    return extra.length === 0
      ? undefined
      : `the name is a lead's own and may have a model only, not ${extra.join(", ")}; call the agent something else`;
  }
  const given = (["command", "acp", "preset"] as const).filter(key => agent[key] !== undefined);
  if (given.length > 1) return `${given.join(" and ")} exclude each other`;
  if (given.length === 0 && !KNOWN_AGENTS.some(known => known === name))
    return `is not a known agent: give it a command, acp or preset (${KNOWN_AGENTS.join(", ")})`;
  if (agent.command !== undefined) {
    const extra = Object.keys(agent).filter(key => !OF_COMMANDS.has(key));
    return extra.length === 0
      ? undefined
      : `a command line has its settings in itself, not in ${extra.join(", ")}`;
  }
  const preset = agent.acp === undefined ? (agent.preset ?? name) : undefined;
  if (preset !== undefined && HELD_BY_KIND.has(preset) && havePatterns(agent.permissions))
    return `permissions: ${preset} can be held to whole kinds only, not to patterns; claude, opencode and agents that ask over ACP can`;
  if (preset !== undefined && agent.effort !== undefined && WITHOUT_EFFORT.has(preset))
    return `effort: ${preset} cannot be told how hard to think`;
  if (preset !== undefined && agent.mcp !== undefined && WITHOUT_SERVERS.has(preset))
    return `mcp: servers cannot be handed to ${preset}; gemini-acp takes them`;
  const [misplaced, others] =
    agent.acp === undefined ? [ACP_ONLY, "agents given by acp"] : [PRESET_ONLY, "known agents"];
  const found = misplaced.filter(key => agent[key] !== undefined);
  return found.length === 0 ? undefined : `${found.join(", ")} is for ${others} only`;
}
