import { PRESETS } from "../../adapters/agent/index.ts";
import type { Config } from "../../config/index.ts";
import { findProject } from "../../host/project/project.ts";
import { projectAgents } from "../../host/run/agents.ts";
import { chooseAgent } from "../../host/run/require-agents.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson } from "../io.ts";
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

/** `espalier agents`: which agents are there, in which version, how they are driven and what they can do. Spends nothing. */
export async function agents(io: Io, options: { json?: boolean }): Promise<number> {
  const { config, root } = findProject(io.cwd);
  const known = projectAgents({
    config,
    invocation: {},
    approvals: { allows: () => false },
    warden: undefined,
    env: io.env,
    root,
  });
  const facts = await Promise.all(
    [...known.values()].map(
      async (agent): Promise<AgentFacts> => ({
        name: agent.name,
        ...shapeOf(agent.name, config),
        probe: await agent.probe(),
        abilities: agent.abilities,
      }),
    ),
  );
  const probed = new Map(
    [...known].map(([name, agent]) => {
      const probe = facts.find(fact => fact.name === name)?.probe;
      return [name, probe === undefined ? agent : { ...agent, probe: () => Promise.resolve(probe) }];
    }),
  );
  const auto = await chooseAgent(probed).catch((error: unknown) => {
    if (error instanceof EspalierError) return undefined;
    throw error;
  });
  if (options.json === true)
    sayJson(io, { agents: facts.map(fact => ({ ...fact, auto: fact.name === auto })) });
  else for (const line of agentLines(facts, auto, config.locale)) say(io, line);
  return EXIT.done;
}
