import { type AttemptRow, LEAD } from "../../ports/index.ts";
import type { TaskState } from "../../run/index.ts";
import type { EngineOptions } from "../world.ts";

/** Stands where a task wants the agent `lead`: an unknown one, because attempts of that name are a lead's. */
export const RESERVED = `${LEAD} (reserved)`;

/**
 * The agent of a task: its own `agent:`, `shell` for its own `run:` block, what its role maps to, or the default. In real
 * files `agent:` mostly names a role, so a role that is called like an agent of the project's configuration means that.
 */
export function agentName(
  state: Pick<TaskState, "task">,
  options: Pick<EngineOptions, "agents" | "roles" | "defaultAgent">,
): string {
  const { agent, role, specialist, run } = state.task;
  const named = [agent, role, specialist].find(
    name => name !== undefined && name !== LEAD && options.agents.has(name),
  );
  const own = agent ?? named ?? (run === undefined ? undefined : "shell");
  const name = own ?? options.roles.get(role ?? specialist ?? "") ?? options.defaultAgent;
  return name === LEAD ? RESERVED : name;
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
