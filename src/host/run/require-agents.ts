import { PRESETS } from "../../adapters/agent/index.ts";
import { type Prices, priceOf } from "../../budget/index.ts";
import { agentName, type EngineOptions, RESERVED, reviewerOf } from "../../engine/index.ts";
import {
  AGENT_NAMES,
  type Agent,
  type AgentProbe,
  because,
  type EspalierError,
  EXIT,
  LEAD,
  type RunEvent,
} from "../../ports/index.ts";
import { inScope, isEnded, type RunState } from "../../run/index.ts";
import { errorFor, nearest, visible } from "../../text/index.ts";
import { INSTALL_LINES } from "./installed.ts";

/** Stands for the first known agent that is installed and, as far as that shows, logged in. */
export const AUTO = "auto";

/** The unfinished tasks of a run by the agent that would work on them; containers need none. */
export function tasksByAgent(run: RunState, options: EngineOptions): Map<string, string[]> {
  const byAgent = new Map<string, string[]>();
  for (const state of run.tasks) {
    if (isEnded(state.status) && state.status !== "blocked") continue;
    if (state.task.children !== undefined || !inScope(run, state)) continue;
    const names = run.policy.resources?.agentsOf(state.task) ?? [agentName(state, options)];
    for (const name of new Set(names)) {
      const list = byAgent.get(name);
      if (list === undefined) byAgent.set(name, [state.task.id]);
      else list.push(state.task.id);
    }
  }
  return byAgent;
}

/** Looks for an agent. One that breaks its contract and throws is not there, and says why. */
async function probeOf(agent: Pick<Agent, "probe">): Promise<AgentProbe> {
  try {
    return await agent.probe();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { found: false, problem: `probe threw: ${visible(why, 200)}` };
  }
}

/** The first known agent that can work here: one that is logged in before one of which that is not known. */
export async function chooseAgent(
  agents: ReadonlyMap<string, Pick<Agent, "name" | "probe">>,
): Promise<string> {
  const candidates = PRESETS.flatMap(({ name }) => {
    const agent = agents.get(name);
    return agent === undefined ? [] : [agent];
  });
  const probes = await Promise.all(candidates.map(async agent => ({ agent, probe: await probeOf(agent) })));
  const there = probes.filter(({ probe }) => probe.found);
  const found = there.filter(({ probe }) => probe.needs === undefined);
  const chosen =
    found.find(({ probe }) => probe.login === "in") ??
    found.find(({ probe: { login = "unknown" } }) => login === "unknown");
  if (chosen !== undefined) return chosen.agent.name;
  const [old] = there.filter(({ probe }) => probe.needs !== undefined);
  if (found.length === 0 && old !== undefined) throw tooOld(old.agent.name, old.probe);
  const [first, ...others] = found.map(({ agent }) => agent.name);
  if (first === undefined) throw noAgent();
  throw errorFor("NO_AGENT", because("none-logged-in", { agents: [first, ...others] }), {
    advice: because("log-in", { agent: first }),
    exitCode: EXIT.environment,
  });
}

/** None of the known agents is on this machine. */
export function noAgent(): EspalierError {
  const programs = [...new Set(PRESETS.map(({ program }) => program))];
  return errorFor("NO_AGENT", because("no-agent-on-path", { programs }), {
    advice: because("look-at-agents", { install: INSTALL_LINES }),
    exitCode: EXIT.environment,
  });
}

/** The options with `auto` replaced by the agent it stands for. */
export async function withChosenAgent<T extends Pick<EngineOptions, "defaultAgent" | "fallback">>(
  options: T,
  agents: ReadonlyMap<string, Agent>,
): Promise<T> {
  const fallback = await installed(options.fallback ?? [], agents);
  if (options.defaultAgent !== AUTO || agents.has(AUTO)) return { ...options, fallback };
  return { ...options, fallback, defaultAgent: await chooseAgent(agents) };
}

/** The agents among these names that are there and not too old; an unknown name is an error. */
async function installed(names: readonly string[], agents: ReadonlyMap<string, Agent>): Promise<string[]> {
  const found = await Promise.all(
    names.map(async name => {
      const agent = agents.get(name);
      if (agent === undefined) throw unknownAgent(name, [], agents.keys());
      const probe = await probeOf(agent);
      return probe.found && probe.needs === undefined;
    }),
  );
  return names.filter((_, index) => found[index]);
}

/** The agents that review unfinished tasks of a run, each with the tasks that name it themselves. */
function reviewersIn(
  run: RunState,
  options: EngineOptions,
  reportsOf: (agent: string) => Agent["reports"] | undefined,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const state of run.tasks) {
    const { task, status } = state;
    if (isEnded(status) && status !== "blocked") continue;
    if (task.children !== undefined || !inScope(run, state)) continue;
    const reviewer = reviewerOf(task, reportsOf(agentName(state, options)) ?? "signal", options);
    if (reviewer === undefined || !("agent" in reviewer)) continue;
    const ids = found.get(reviewer.agent) ?? [];
    found.set(reviewer.agent, task.review === undefined ? ids : [...ids, task.id]);
  }
  return found;
}

/** Where a reviewer is named, by these tasks or by the project. */
function namedBy(ids: readonly string[]): string {
  return ids.length > 0 ? `review: of ${ids.slice(0, 5).join(", ")}` : "review.agent";
}

/** Makes sure that what must be reviewed can be: without a repository no change shows. Throws EspalierError. */
export function requireDiffs({ review }: Pick<EngineOptions, "review">, hasRepository: boolean): void {
  if (review?.required !== true || hasRepository) return;
  throw errorFor("REVIEW_NEEDS_GIT", because("review-needs-git", {}), {
    advice: because("get-diffs", {}),
    exitCode: EXIT.environment,
  });
}

/** The agent of this name as one that can review; `by` says where it is named. Throws EspalierError for any other. */
export async function requireReviewer(
  name: string,
  by: string,
  agents: ReadonlyMap<string, Agent>,
): Promise<{ readonly agent: Agent; readonly probe: AgentProbe }> {
  const agent = agents.get(name);
  if (agent === undefined) throw unknownAgent(name, [by], agents.keys());
  if (agent.reports === "exit")
    throw errorFor("NO_REVIEWER", because("cannot-review", { agent: name, by }), {
      advice: because("name-reviewer", {}),
      exitCode: EXIT.usage,
    });
  const probe = await probeOf(agent);
  requireFound(name, probe);
  return { agent, probe };
}

/** An agent that the run has work for, as it was found. */
export type AgentFound = Extract<RunEvent, { type: "agent-found" }>;

/**
 * Makes sure every agent the run needs is known, there and logged in as far as that is certain, before anything starts;
 * returns them without the shell. Throws EspalierError.
 */
export async function requireAgents(
  run: RunState,
  options: EngineOptions,
  agents: ReadonlyMap<string, Agent>,
): Promise<readonly AgentFound[]> {
  const found = new Map<string, AgentFound>();
  const met = (agent: Agent, probe: AgentProbe, hasWork: boolean): void => {
    requireFound(agent.name, probe);
    if (!hasWork || agent.reports === "exit") return;
    if (probe.login === "out") throw loggedOut(agent.name);
    const { version, login = "unknown" } = probe;
    found.set(agent.name, { type: "agent-found", agent: agent.name, version, login, terms: agent.terms });
  };
  const needed = tasksByAgent(run, options);
  if (!needed.has(options.defaultAgent) && options.defaultAgent !== "command")
    needed.set(options.defaultAgent, []);
  for (const [name, ids] of needed) {
    const agent = agents.get(name);
    if (agent === undefined) throw unknownAgent(name, ids, agents.keys());
    met(agent, await probeOf(agent), ids.length > 0);
  }
  for (const [name, ids] of reviewersIn(run, options, worker => agents.get(worker)?.reports)) {
    const { agent, probe } = await requireReviewer(name, namedBy(ids), agents);
    met(agent, probe, true);
  }
  return [...found.values()];
}

/** Those of them that a limit in money would not see: they tell no cost, and nothing says what they ask. */
export function unpriced(
  found: readonly AgentFound[],
  agents: ReadonlyMap<string, Agent>,
  maxCost: number | undefined,
  prices: Prices = {},
): readonly string[] {
  if (maxCost === undefined) return [];
  const names = found.map(({ agent }) => agent);
  return names.filter(
    name => agents.get(name)?.abilities?.cost !== true && priceOf(prices, name) === undefined,
  );
}

function loggedOut(agent: string): EspalierError {
  return errorFor("NOT_LOGGED_IN", because("not-logged-in", { agent }), {
    advice: because("log-in-to", { agent }),
    exitCode: EXIT.environment,
  });
}

export function requireFound(name: string, probe: AgentProbe): void {
  if (!probe.found) {
    throw errorFor(
      "AGENT_NOT_FOUND",
      because("agent-not-there", { agent: name, said: probe.problem ?? "", why: probe.reason }),
      {
        advice: because("get-agent", { install: installOf(name), isOld: false }),
        exitCode: EXIT.environment,
      },
    );
  }
  if (probe.needs !== undefined) throw tooOld(name, probe);
}

/** Makes sure that every agent a run names is known, installed or not. Throws EspalierError. */
export function requireKnown(run: RunState, options: EngineOptions): void {
  const { defaultAgent, fallback = [], agents } = options;
  const known = new Set([...agents, ...AGENT_NAMES]);
  const isKnown = (name: string) => known.has(name) || (name === AUTO && name === defaultAgent);
  for (const [name, ids] of tasksByAgent(run, options))
    if (!isKnown(name)) throw unknownAgent(name, ids, known);
  const reportsOf = (name: string) => (name === "shell" ? "exit" : "signal");
  for (const [name, ids] of reviewersIn(run, options, reportsOf))
    if (!known.has(name)) throw unknownAgent(name, [namedBy(ids)], known);
  for (const name of fallback) if (!known.has(name)) throw unknownAgent(name, [], known);
}

function tooOld(agent: string, { version = "", needs = "" }: AgentProbe): EspalierError {
  const found = { agent, version: visible(version, 60), needs };
  return errorFor("AGENT_TOO_OLD", because("agent-too-old", found), {
    advice: because("get-agent", { install: installOf(agent), isOld: true }),
    exitCode: EXIT.environment,
  });
}

/** The command that installs an agent; undefined for one that is not known. */
function installOf(name: string): string | undefined {
  return PRESETS.find(preset => preset.name === name)?.install;
}

export function unknownAgent(name: string, ids: readonly string[], names: Iterable<string>): EspalierError {
  const agents = [...names];
  const isLead = name === LEAD || name === RESERVED;
  const guess = isLead ? undefined : nearest(name, agents);
  const advice =
    name === "command" ? because("give-command", {}) : because("agents-known", { agents, guess, isLead });
  return errorFor("UNKNOWN_AGENT", because("no-such-agent", { agent: name, tasks: ids.slice(0, 5) }), {
    advice,
    exitCode: EXIT.usage,
  });
}
