import { z } from "zod";
import { HELD_BY_KIND, KNOWN_AGENTS, LEAD } from "../ports/index.ts";
import { havePatterns, permissions } from "./permissions.ts";

const line = () => z.string().min(1).max(4000);
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
  });

/** Settings of one agent under `agents`. */
export type AgentConfig = z.infer<ReturnType<typeof agentShape>>;

/** What a command line can be told. */
const OF_COMMANDS: ReadonlySet<string> = new Set(["command", "model", "account"]);

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
  const misplaced = agent.acp === undefined ? [] : PRESET_ONLY.filter(key => agent[key] !== undefined);
  return misplaced.length === 0 ? undefined : `${misplaced.join(", ")} is for known agents only`;
}
