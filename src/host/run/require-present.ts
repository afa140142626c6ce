import { absent, PRESETS } from "../../adapters/agent/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { defaultConfig } from "../../config/index.ts";
import type { EngineOptions } from "../../engine/index.ts";
import { type Agent, because, EspalierError, EXIT, few, type Reason } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { errorFor } from "../../text/index.ts";
import type { Caller } from "../caller.ts";
import { type Invocation, isElsewhere } from "../project/invocation.ts";
import type { Project } from "../project/project.ts";
import { projectAgents } from "./agents.ts";
import { INSTALL_LINES, installedAgents } from "./installed.ts";
import {
  AUTO,
  chooseAgent,
  noAgent,
  requireFound,
  requireKnown,
  tasksByAgent,
  unknownAgent,
} from "./require-agents.ts";

/** Who asks for agents, and where they may be named. */
interface Present {
  readonly caller: Pick<Caller, "env">;
  readonly project: Pick<Project, "config" | "root">;
  readonly invocation: Invocation;
}

/**
 * Refuses what cannot begin on this machine before anybody is asked about commands: tasks of the shell without a `run:`, and
 * agents that are unknown or certainly not there. Starts nothing that the repository names. Throws EspalierError.
 */
export async function requirePresent(run: RunState, options: EngineOptions, present: Present): Promise<void> {
  // The machines of a hub have agents of their own.
  if (isElsewhere(present.invocation)) return;
  const path = present.caller.env["PATH"];
  await requireRunBlocks(run, options, () => agentAdvice(present));
  const byAgent = tasksByAgent(run, options);
  requireKnown(run, options);
  for (const [name, ids] of byAgent) requireInstalled(name, ids, present, path);
}

/** Refuses tasks of the shell that have nothing for it to execute. Throws EspalierError. */
export async function requireRunBlocks(
  run: RunState,
  options: EngineOptions,
  advice: () => Reason | Promise<Reason>,
): Promise<void> {
  const ofShell = tasksByAgent(run, options).get("shell") ?? [];
  const without = ofShell.filter(id => run.byId.get(id)?.task.run === undefined);
  if (without.length === 0) return;
  throw errorFor("NO_RUN_BLOCK", because("no-run-blocks", { tasks: few(without, 8) }), {
    advice: await advice(),
    exitCode: EXIT.usage,
  });
}

/** The same of one agent. */
export function requireInstalled(
  name: string,
  ids: readonly string[],
  { project: { config }, invocation }: Pick<Present, "project" | "invocation">,
  path: string | undefined,
): void {
  // What the project says of an agent counts once it is approved.
  if (Object.hasOwn(config.agents, name)) return;
  if (name === AUTO && Object.keys(config.agents).length === 0 && installedAgents(path).length === 0)
    throw noAgent();
  if (name === "command" && (invocation.command ?? config.command) === undefined)
    throw unknownAgent(name, ids, []);
  const known = PRESETS.find(preset => preset.name === name);
  const found = known === undefined ? undefined : findProgram(known.program, { path });
  if (found?.ok === false) requireFound(name, absent(found.failure));
}

/** What works besides a `run:` block: the agent that is there, logging in to one, or getting one. */
async function agentAdvice({ caller, project }: Present): Promise<Reason> {
  const agents: ReadonlyMap<string, Agent> = projectAgents({
    config: defaultConfig(),
    invocation: {},
    approvals: { allows: () => false },
    warden: undefined,
    env: caller.env,
    root: project.root,
  });
  try {
    return because("choose-agent", { agent: await chooseAgent(agents) });
  } catch (error) {
    if (!(error instanceof EspalierError) || error.advice === undefined) throw error;
    const { reason, advice } = error;
    if (reason?.code === "no-agent-on-path")
      return because("no-agent-yet", { loggedOut: [], install: INSTALL_LINES });
    return reason?.code === "none-logged-in"
      ? because("no-agent-yet", { loggedOut: reason.args.agents, install: [] })
      : advice;
  }
}
