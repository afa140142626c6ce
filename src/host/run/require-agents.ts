import { PRESETS } from "../../adapters/agent/index.ts";
import { agentName, type EngineOptions, RESERVED, reviewerOf } from "../../engine/index.ts";
import { AGENT_NAMES, type Agent, type AgentProbe, EspalierError, EXIT, LEAD } from "../../ports/index.ts";
import { inScope, isEnded, type RunState } from "../../run/index.ts";
import { nearest, visible } from "../../text/index.ts";

/** Stands for the first known agent that is installed and, as far as that shows, logged in. */
const AUTO = "auto";

/** The unfinished tasks of a run by the agent that would work on them; containers need none. */
function tasksByAgent(run: RunState, options: EngineOptions): Map<string, string[]> {
  const byAgent = new Map<string, string[]>();
  for (const state of run.tasks) {
    if (isEnded(state.status) && state.status !== "blocked") continue;
    if (state.task.children !== undefined || !inScope(run, state)) continue;
    const name = agentName(state, options);
    const list = byAgent.get(name);
    if (list === undefined) byAgent.set(name, [state.task.id]);
    else list.push(state.task.id);
  }
  return byAgent;
}

function requireScripts(run: RunState, ids: readonly string[]): void {
  const without = ids.filter(id => run.byId.get(id)?.task.run === undefined);
  if (without.length === 0) return;
  const list = without.slice(0, 8).join(", ") + (without.length > 8 ? ` and ${without.length - 8} more` : "");
  throw new EspalierError(
    "NO_RUN_BLOCK",
    `the shell agent executes a task's run: block; ${without.length} tasks have none: ${list}`,
    {
      hint: "give them a run: block, or choose an agent: espalier run --agent auto",
      exitCode: EXIT.usage,
    },
  );
}

/** The first known agent that can work here: one that is logged in before one of which that is not known. */
export async function chooseAgent(agents: ReadonlyMap<string, Agent>): Promise<string> {
  const candidates = PRESETS.flatMap(({ name }) => {
    const agent = agents.get(name);
    return agent === undefined ? [] : [agent];
  });
  const probes = await Promise.all(candidates.map(async agent => ({ agent, probe: await agent.probe() })));
  const there = probes.filter(({ probe }) => probe.found);
  const found = there.filter(({ probe }) => probe.needs === undefined);
  const chosen =
    found.find(({ probe }) => probe.login === "in") ?? found.find(({ probe }) => probe.login !== "out");
  if (chosen !== undefined) return chosen.agent.name;
  const [old] = there.filter(({ probe }) => probe.needs !== undefined);
  if (found.length === 0 && old !== undefined) throw tooOld(old.agent.name, old.probe);
  const out = found.map(({ agent }) => agent.name);
  const message =
    out.length === 0
      ? `no coding agent was found on PATH (looked for ${[...new Set(PRESETS.map(({ program }) => program))].join(", ")})`
      : `no coding agent is logged in (found ${out.join(", ")})`;
  const hint =
    out.length === 0
      ? "espalier agents shows how to get one; --agent command --command '…' takes any program"
      : `log in to one of them, or name it yourself: --agent ${out[0]}`;
  throw new EspalierError("NO_AGENT", message, { hint, exitCode: EXIT.environment });
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
      const probe = await agent.probe();
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
  throw new EspalierError(
    "REVIEW_NEEDS_GIT",
    "review.required: true needs a git repository with a commit, and worktrees",
    {
      hint: "git init and a first commit; or review: { required: false } lets the work land, and tells that it is unreviewed",
      exitCode: EXIT.environment,
    },
  );
}

/** The agent of this name as one that can review; `by` says where it is named. Throws EspalierError for any other. */
export async function requireReviewer(
  name: string,
  by: string,
  agents: ReadonlyMap<string, Agent>,
): Promise<Agent> {
  const agent = agents.get(name);
  if (agent === undefined) throw unknownAgent(name, [by], agents.keys());
  if (agent.reports === "exit") {
    const message = `agent ${name} cannot review: it tells only an exit code (needed by ${by})`;
    throw new EspalierError("NO_REVIEWER", message, {
      hint: "name a coding agent, or give a command that reads the diff: review: { command: … }",
      exitCode: EXIT.usage,
    });
  }
  requireFound(name, await agent.probe());
  return agent;
}

/** Makes sure every agent the run needs is known and there, before anything starts. Throws EspalierError. */
export async function requireAgents(
  run: RunState,
  options: EngineOptions,
  agents: ReadonlyMap<string, Agent>,
): Promise<void> {
  const needed = tasksByAgent(run, options);
  if (!needed.has(options.defaultAgent) && options.defaultAgent !== "command")
    needed.set(options.defaultAgent, []);
  for (const [name, ids] of needed) {
    const agent = agents.get(name);
    if (agent === undefined) throw unknownAgent(name, ids, agents.keys());
    requireFound(name, await agent.probe());
    if (name === "shell") requireScripts(run, ids);
  }
  for (const [name, ids] of reviewersIn(run, options, worker => agents.get(worker)?.reports))
    await requireReviewer(name, namedBy(ids), agents);
}

function requireFound(name: string, probe: AgentProbe): void {
  if (!probe.found) {
    throw new EspalierError("AGENT_NOT_FOUND", `agent ${name}: ${probe.problem ?? "not found"}`, {
      hint: installHint(name),
      exitCode: EXIT.environment,
    });
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

function tooOld(name: string, { version = "", needs = "" }: AgentProbe): EspalierError {
  return new EspalierError(
    "AGENT_TOO_OLD",
    `agent ${name} is too old: version ${visible(version, 60)} was found, ${needs} or later is needed`,
    { hint: installHint(name).replace("install it", "update it"), exitCode: EXIT.environment },
  );
}

function installHint(name: string): string {
  const known = PRESETS.find(preset => preset.name === name);
  return known === undefined
    ? "install it or correct the command line; nothing was started"
    : `install it (${known.install}); nothing was started`;
}

function unknownAgent(name: string, ids: readonly string[], names: Iterable<string>): EspalierError {
  const all = [...names];
  const guess = nearest(name, all);
  const known = all.join(", ");
  const hint =
    name === "command"
      ? "give its command line: --command 'your-agent --flags'"
      : name === LEAD || name === RESERVED
        ? `the name lead is a lead's own; known agents: ${known}`
        : `known agents: ${known}${guess === undefined ? "" : `; did you mean ${guess}?`}`;
  const needed = ids.length > 0 ? ` (needed by ${ids.slice(0, 5).join(", ")})` : "";
  return new EspalierError("UNKNOWN_AGENT", `no agent named "${name}"${needed}`, {
    hint,
    exitCode: EXIT.usage,
  });
}
