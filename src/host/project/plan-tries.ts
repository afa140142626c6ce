import type { Config } from "../../config/index.ts";
import { isAgent, proofCommands } from "../../engine/index.ts";
import { agentsNamed, type Diagnostic, finding, type Plan, type Task, triesOf } from "../../plan/index.ts";
import { KNOWN_AGENTS, type OneFolder } from "../../ports/index.ts";
import { type Told, told, visible } from "../../text/index.ts";
import { policyOf } from "./settings.ts";

/** What stands against several agents on one task. */
function against(task: Task, config: Config, shared: () => OneFolder | undefined): [Told, Told] | undefined {
  const single = told`write tries: 1, or leave it out`;
  if (task.run !== undefined) return [told`its run: block does the same each time`, single];
  if (task.phase === 0) return [told`phase 0 is worked on in the main checkout`, single];
  if (task.fills !== undefined) return [told`a document that is prepared has no proof`, single];
  if (task.retry === "continue")
    return [
      told`each begins on a clean tree, and retry: continue goes on with what was left`,
      told`take one of them out`,
    ];
  const oneFolder = shared();
  if (oneFolder !== undefined)
    return [
      told`each needs a folder of its own, and without git worktrees all write one`,
      oneFolder === "off" ? told`set git.worktrees to auto` : told`git init, and a first commit`,
    ];
  const { verify, test, tdd } = config;
  if (proofCommands(task, { verify, test, tdd }).length === 0)
    return [
      told`nothing proves which of them is done`,
      told`give it verify: with a command that has to exit with 0`,
    ];
  return undefined;
}

/** Names in a list that are no agent's. */
function unknownAgents(task: Task, { agents }: Config): readonly string[] {
  const known = new Set<string>([...KNOWN_AGENTS, ...Object.keys(agents)]);
  return agentsNamed(task).filter(name => !isAgent(name, { agents: known }));
}

/** Those of them that stand beside an agent's: it is no list of roles then. */
function unknownIn(task: Task, config: Config): readonly string[] {
  const unknown = unknownAgents(task, config);
  const names = agentsNamed(task);
  return names.length > 1 && unknown.length < names.length ? unknown : [];
}

/**
 * What is wrong with the tasks that several agents are to work on at once. `oneFolder` says why all tasks share a folder, if they do;
 * it is asked only where there are such tasks.
 */
export function triesProblems(
  plan: Plan,
  config: Config,
  oneFolder: () => OneFolder | undefined,
): Diagnostic[] {
  const several = plan.tasks.filter(task => triesOf(task) > 1 && !task.done && task.skip !== true);
  if (several.length === 0) return [];
  const { agentsOf } = policyOf(config, {}, "auto").resources ?? {};
  const found = (
    severity: Diagnostic["severity"],
    code: string,
    { line }: Task,
    message: Told,
    hint: Told,
  ): Diagnostic => finding(severity, code, { line, column: line === 0 ? 0 : 1 }, message, hint);
  return several.flatMap(task => {
    const tries = triesOf(task);
    const shown = visible(task.id, 60);
    const [unknown] = unknownIn(task, config);
    if (unknown !== undefined) {
      const hint = told`name known agents, or those of agents: in espalier.yaml; espalier agents lists them`;
      const message = told`no agent is called ${visible(unknown, 60)} (${shown})`;
      return [found("error", "UNKNOWN_AGENT", task, message, hint)];
    }
    // A list of roles is one agent.
    if (task.tries === undefined && unknownAgents(task, config).length === tries) return [];
    const problem = against(task, config, oneFolder);
    if (problem !== undefined) {
      const message = told`${shown} cannot be worked on by ${tries} agents at once: ${problem[0]}`;
      return [found("error", "BAD_TRIES", task, message, problem[1])];
    }
    const allowed = agentsOf?.(task).length ?? tries;
    if (allowed >= tries) return [];
    const message = told`${shown} is to be worked on by ${tries} agents at once, and only ${allowed} may`;
    const hint = told`parallel: and resources: in espalier.yaml say how many agents work at once`;
    return [found("warning", "FEWER_TRIES", task, message, hint)];
  });
}
