import { createCommandAgent, createShellAgent } from "../../adapters/agent/index.ts";
import type { Warden } from "../../adapters/process/index.ts";
import type { Config } from "../../engine/config/index.ts";
import { agentName, type EngineOptions } from "../../engine/index.ts";
import { type Agent, EspalierError, EXIT, fail } from "../../ports/index.ts";
import { inScope, isEnded, type RunState } from "../../run/index.ts";
import { nearest } from "../../text/index.ts";
import { type Approvals, UNAPPROVED } from "../approval.ts";
import type { Invocation } from "../settings.ts";

/** The shell agent, executing only what a person has approved. */
function guardedShell(shell: Agent, approvals: Approvals): Agent {
  return {
    ...shell,
    open(request) {
      if (request.script !== undefined && !approvals.allows(request.script)) {
        return Promise.resolve(fail({ kind: "unsuitable", message: UNAPPROVED.run, retryable: false }));
      }
      return shell.open(request);
    },
  };
}

export interface AgentsRequest {
  readonly config: Config;
  readonly invocation: Invocation;
  readonly approvals: Approvals;
  readonly warden: Warden;
  /** The PATH agents are searched on. */
  readonly path: string | undefined;
  /** Where relative programs are looked for. */
  readonly root: string;
}

/** All agents of a project by name. */
export function projectAgents(request: AgentsRequest): ReadonlyMap<string, Agent> {
  const { config, invocation, approvals, warden, path, root } = request;
  const agents = new Map<string, Agent>([
    ["shell", guardedShell(createShellAgent({ warden, path }), approvals)],
  ]);
  const command = (name: string, line: string) =>
    agents.set(name, createCommandAgent({ name, command: line, warden, path, cwd: root }));
  const own = invocation.command ?? config.command;
  if (own !== undefined) command("command", own);
  for (const [name, definition] of Object.entries(config.agents)) command(name, definition.command);
  return agents;
}

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
      hint: "give them a run: block, or choose an agent: espalier run --agent command --command 'your-agent --flags'",
      exitCode: EXIT.usage,
    },
  );
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
    if (agent === undefined) {
      const guess = nearest(name, agents.keys());
      const known = [...agents.keys()].join(", ");
      const hint =
        name === "command"
          ? "give its command line: --command 'your-agent --flags'"
          : `known agents: ${known}${guess === undefined ? "" : `; did you mean ${guess}?`}`;
      throw new EspalierError(
        "UNKNOWN_AGENT",
        `no agent named "${name}"${ids.length > 0 ? ` (needed by ${ids.slice(0, 5).join(", ")})` : ""}`,
        { hint, exitCode: EXIT.usage },
      );
    }
    const probe = await agent.probe();
    if (!probe.found) {
      throw new EspalierError("AGENT_NOT_FOUND", `agent ${name}: ${probe.problem ?? "not found"}`, {
        hint: "install it or correct the command line; nothing was started",
        exitCode: EXIT.environment,
      });
    }
    if (name === "shell") requireScripts(run, ids);
  }
}
