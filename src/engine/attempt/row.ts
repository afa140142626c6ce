import { agentsNamed, type Task, triesOf } from "../../plan/index.ts";
import { type AttemptRow, agentCalled, LEAD } from "../../ports/index.ts";
import { capFor, capsOfWork, type ResourceRules, type TaskState } from "../../run/index.ts";
import type { EngineOptions } from "../world.ts";

/** Stands where a task wants the agent `lead`: an unknown one, because attempts of that name are a lead's. */
export const RESERVED = `${LEAD} (reserved)`;

/**
 * The agent of a task: its own `agent:`, `shell` for its own `run:` block, what its role maps to, or the default. In real
 * files `agent:` mostly names a role, so a role that is called like an agent of the project's configuration means that.
 */
export function agentName(state: Pick<TaskState, "task">, options: KnownAgents): string {
  const { agent, role, specialist, run } = state.task;
  if (agent !== undefined && typeof agent !== "string") return namesOf(agent, options)[0]!;
  const named = [agent, role, specialist].find(
    name => name !== undefined && name !== LEAD && options.agents.has(name),
  );
  const own = agent ?? named ?? (run === undefined ? undefined : "shell");
  const name = own ?? options.roles.get(role ?? specialist ?? "") ?? options.defaultAgent;
  return name === LEAD ? RESERVED : name;
}

/** How agents are found by name. */
export type KnownAgents = Pick<EngineOptions, "agents" | "roles" | "defaultAgent">;

/** Whether a name in a list is an agent's; other names there are roles. */
export function isAgent(name: string, { agents }: Pick<KnownAgents, "agents">): boolean {
  return agents.has(name) || agentCalled(name) !== undefined || name === LEAD;
}

/** The agents of a list; one of roles alone means what the first of them maps to. */
function namesOf(list: readonly string[], options: KnownAgents): readonly string[] {
  const known = list.filter(name => isAgent(name, options));
  const mapped = list.map(name => options.roles.get(name)).find(name => name !== undefined);
  const names = known.length > 0 ? known : [mapped ?? options.defaultAgent];
  return names.map(name => (name === LEAD ? RESERVED : name));
}

/** What bounds the agents that work on a task at once. */
export interface CandidateLimits extends Omit<ResourceRules, "agentsOf"> {
  /** Agents at work at once in the whole run. */
  readonly parallel: number;
}

/** Whether several agents may work on a task at once: each needs a folder of its own, and leaves nothing but files. */
function mayCompete({ phase, run, fills, children }: Task): boolean {
  return phase !== 0 && run === undefined && fills === undefined && children === undefined;
}

/**
 * The agents that work on a task at once, at least one: those that it names, in turn until there are as many as it wants; no more
 * than the limits allow.
 */
export function candidatesOf(task: Task, options: KnownAgents, limits: CandidateLimits): readonly string[] {
  const first = agentName({ task }, options);
  const listed = agentsNamed(task);
  const wanted = mayCompete(task) ? triesOf(task) : 1;
  if (wanted === 1) return [first];
  const names = listed.length > 1 ? namesOf(listed, options) : [first];
  // A list of roles is one agent.
  const most = names.length < listed.length ? Math.max(task.tries ?? 1, names.length) : wanted;
  const taken = new Map<string, number>();
  const allowed = Array.from({ length: most }, (_, at) => names[at % names.length]!).filter(name => {
    const capped = capsOfWork(task, name, limits);
    const hasRoom = capped.every(cap => (taken.get(cap) ?? 0) < (limits.caps.get(cap) ?? 0));
    if (hasRoom) for (const cap of capped) taken.set(cap, (taken.get(cap) ?? 0) + 1);
    return hasRoom;
  });
  // Each of them uses all that the task does.
  const room = (task.uses ?? []).map(name => capFor(name, limits));
  return allowed.length === 0 ? [first] : allowed.slice(0, Math.max(1, Math.min(limits.parallel, ...room)));
}

/** The row of an attempt that is about to start; durable before any process exists. */
export function openAttemptRow(
  attempt: { readonly task: string; readonly number: number; readonly agent: string; readonly now: number },
  random: (length: number) => string,
): AttemptRow {
  const { task, number, agent, now } = attempt;
  return {
    task,
    number,
    token: random(20),
    nonce: random(5),
    agent,
    startedAt: now,
    endedAt: 0,
    outcome: "running",
    reason: undefined,
    evidence: "",
    finalMessage: "",
    feedback: "",
  };
}

/** Rows of attempts without those that a later one of the same attempt replaces. */
export function newestOfEach(rows: readonly AttemptRow[]): AttemptRow[] {
  return [...new Map(rows.map(row => [`${row.task}#${row.number}`, row])).values()];
}
