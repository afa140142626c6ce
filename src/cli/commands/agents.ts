import { PRESETS } from "../../adapters/agent/index.ts";
import type { Config } from "../../config/index.ts";
import type { Project } from "../../host/project/project.ts";
import { projectAgents } from "../../host/run/agents.ts";
import { chooseAgent } from "../../host/run/require-agents.ts";
import { type Agent, EspalierError, EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson } from "../io.ts";
import { projectOf } from "../project.ts";
import { type AgentFacts, agentLines } from "../views/agents-view.ts";

/** How an agent is driven, and what it is called. */
function shapeOf(name: string, config: Config): Pick<AgentFacts, "title" | "driven" | "install"> {
  if (name === "shell") return { title: "", driven: "shell" };
  const definition = config.agents[name];
  if (name === "command" || definition?.command !== undefined) return { title: "", driven: "command" };
  if (definition?.acp !== undefined) return { title: "", driven: "acp" };
  const preset = PRESETS.find(each => each.name === (definition?.preset ?? name));
  return preset === undefined
    ? { title: "", driven: "command" }
    : { title: preset.title, driven: preset.driven, install: preset.install };
}

/** What an agent can do as far as that is known: of what is not, nobody is told that it can. */
function shownAbilities({ abilities, unseen }: Agent): Pick<AgentFacts, "abilities" | "unseen"> {
  if (abilities === undefined || unseen === undefined) return { abilities };
  return { abilities: { ...abilities, ...Object.fromEntries(unseen.map(name => [name, false])) }, unseen };
}

/** An agent of a project, and what asking it told. */
export type FoundAgent = AgentFacts;

/** All agents of a project by name, each asked for its version and its login. Spends nothing. */
export async function probedAgents(
  io: Io,
  { config, root }: Pick<Project, "config" | "root">,
): Promise<ReadonlyMap<string, FoundAgent>> {
  const known = projectAgents({
    config,
    invocation: {},
    approvals: { allows: () => false },
    warden: undefined,
    env: io.env,
    root,
  });
  const facts = [...known.values()].map(
    async (agent): Promise<AgentFacts> => ({
      name: agent.name,
      ...shapeOf(agent.name, config),
      probe: await agent.probe(),
      ...shownAbilities(agent),
    }),
  );
  return new Map((await Promise.all(facts)).map(fact => [fact.name, fact]));
}

/** What `auto` takes among them. Throws EspalierError where that is none. */
export function autoAmong(found: ReadonlyMap<string, FoundAgent>): Promise<string> {
  const asked = [...found].map(
    ([name, { probe }]) => [name, { name, probe: () => Promise.resolve(probe) }] as const,
  );
  return chooseAgent(new Map(asked));
}

/** `espalier agents`: which agents are there, in which version, how they are driven and what they can do. Spends nothing. */
export async function agents(io: Io, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const found = await probedAgents(io, project);
  const facts = [...found.values()];
  const auto = await autoAmong(found).catch((error: unknown) => {
    if (error instanceof EspalierError) return undefined;
    throw error;
  });
  if (options.json === true)
    sayJson(io, {
      // `problem` says it to programs.
      agents: facts.map(fact => ({
        ...fact,
        probe: { ...fact.probe, reason: undefined },
        auto: fact.name === auto,
      })),
    });
  else for (const line of agentLines(facts, auto, project.locale)) say(io, line);
  return EXIT.done;
}
