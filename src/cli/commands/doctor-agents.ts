import { findShell } from "../../adapters/process/index.ts";
import type { Project } from "../../host/project/project.ts";
import { AUTO, unknownAgent } from "../../host/run/require-agents.ts";
import { AGENT_NAMES, type AgentProbe, LEAD } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { Io } from "../io.ts";
import type { DoctorWords } from "../views/words/doctor-words.ts";
import { autoAmong, type FoundAgent, probedAgents } from "./agents.ts";
import { type Check, problemFrom } from "./doctor-problem.ts";

/** The agents that a project's configuration means to use. */
function namedBy({ agent, agents, fallback, roles, review }: Project["config"]): ReadonlySet<string> {
  const named = [agent, ...Object.keys(agents), ...fallback, ...Object.values(roles), review.agent ?? agent];
  return new Set(named.filter(name => name !== LEAD && name !== AUTO));
}

/** What stands against an agent that is wanted, with what mends it. */
export function problemOf(
  { probe, install }: Pick<FoundAgent, "probe"> & { readonly install?: FoundAgent["install"] },
  words: DoctorWords,
): Pick<Check, "found" | "advice"> | undefined {
  const { found, problem, reason, needs, version = "", login } = probe;
  const get = install === undefined ? {} : { advice: install };
  if (!found) {
    const why = reason === undefined ? words.agentProblem(problem ?? "") : words.reason(reason);
    return { found: why, ...get };
  }
  if (needs !== undefined) return { found: words.agentTooOld(version, needs), ...get };
  return login === "out" ? { found: words.agentLoggedOut, advice: words.logIn } : undefined;
}

function soundWords({ path = "", version = "", login }: AgentProbe, words: DoctorWords): string {
  return [path, version, login === "in" ? words.agentLoggedIn : ""].filter(Boolean).join(", ");
}

/** The shell, the agents that the configuration means to use, and those that are there. */
export async function agentChecks(io: Io, project: Project, words: DoctorWords): Promise<Check[]> {
  const shell = findShell(io.env["PATH"], "doctor");
  const checks: Check[] = [
    shell.ok
      ? { name: "agent shell", level: "ok", found: shell.value.file }
      : {
          name: "agent shell",
          level: "problem",
          found: words.noShell(io.env["PATH"] ?? ""),
          advice: words.installShell,
        },
  ];
  const named = namedBy(project.config);
  const agents = await probedAgents(io, project);
  for (const [name, agent] of agents) {
    const isWanted = named.has(name);
    if (name === "shell" || (!agent.probe.found && !isWanted)) continue;
    const problem = problemOf(agent, words);
    checks.push(
      problem === undefined
        ? { name: `agent ${name}`, level: "ok", found: soundWords(agent.probe, words) }
        : { name: `agent ${name}`, level: isWanted ? "problem" : "note", ...problem },
    );
  }
  const known = new Set([...agents.keys(), ...AGENT_NAMES]);
  for (const name of named)
    if (!known.has(name))
      checks.push(problemFrom(`agent ${visible(name, 60)}`, unknownAgent(name, [], known), words.reason));
  if (project.config.agent === AUTO) checks.push(await autoCheck(agents, words));
  return checks;
}

async function autoCheck(agents: ReadonlyMap<string, FoundAgent>, words: DoctorWords): Promise<Check> {
  const name = `agent ${AUTO}`;
  try {
    return { name, level: "ok", found: await autoAmong(agents) };
  } catch (error) {
    return problemFrom(name, error, words.reason);
  }
}
