import {
  type AgentJail,
  type AgentSettings,
  type AgentSurroundings,
  createAcpAgent,
  createCommandAgent,
  createShellAgent,
  type Jail,
  type OwnSurroundings,
  type Permissions,
  POLICIES,
  PRESETS,
  type Preset,
  presetOf,
  splitCommand,
  withheldKeys,
  withLimits,
  withOwn,
  withWithheld,
} from "../../adapters/agent/index.ts";
import { agentEnv, type Warden } from "../../adapters/process/index.ts";
import type { AgentConfig, Config } from "../../config/index.ts";
import { type Agent, because, EXIT, fail, type McpServer } from "../../ports/index.ts";
import { errorFor, unsuitable } from "../../text/index.ts";
import type { Approvals } from "../approval/approval.ts";
import type { Invocation } from "../project/invocation.ts";

/** The shell agent, executing only what a person has approved. */
function guardedShell(shell: Agent, approvals: Approvals): Agent {
  return {
    ...shell,
    open(request) {
      if (request.script !== undefined && !approvals.allows(request.script)) {
        return Promise.resolve(fail(unsuitable(because("run-block-unapproved", {}))));
      }
      return shell.open(request);
    },
  };
}

export interface AgentsRequest {
  readonly config: Config;
  readonly invocation: Invocation;
  readonly approvals: Approvals;
  readonly warden: Warden | undefined;
  /** Around every agent; around the shell, whose commands are the user's own, only where that is asked for. */
  readonly jail?: Jail | undefined;
  /** The environment of the command; what an agent gets of it is an allow-list. */
  readonly env: NodeJS.ProcessEnv;
  /** Where relative programs are looked for. */
  readonly root: string;
  /** Agents work in folders that hold other files than `root` does, as those of a machine do. */
  readonly isElsewhere?: boolean | undefined;
  /** Where the project's state lies, of which a jailed agent sees only its own. */
  readonly stateDir?: string | undefined;
}

/** All agents of a project by name: the shell, the known ones, and those of its configuration. */
export function projectAgents(asked: AgentsRequest): ReadonlyMap<string, Agent> {
  const { config, invocation, approvals, warden, env, root } = asked;
  // What a worktree is set up with may make the file that an interpreter is to run.
  const request = { ...asked, isElsewhere: asked.isElsewhere === true || config.worktree.setup.length > 0 };
  const path = env["PATH"];
  const agents = new Map<string, Agent>([
    [
      "shell",
      guardedShell(
        createShellAgent({
          ...(warden === undefined ? {} : { warden }),
          jail: config.jail.shell ? jailOf(request, CACHES) : undefined,
          path,
          limits: config.quota.patterns,
        }),
        approvals,
      ),
    ],
  ]);
  const unknown = (name: string, made: Agent, definition: AgentConfig) => {
    const own = ownOf(name, definition, request);
    const given = { ...agentEnv(env, config.env), ...own.env };
    return withOwn(withWithheld(made, withheldKeys(env, given)), own);
  };
  const command = (name: string, line: string, definition: AgentConfig) => {
    const made = createCommandAgent({
      name,
      command: line,
      ...(warden === undefined ? {} : { warden }),
      jail: jailOf(request, [...CACHES, ...(definition.keeps ?? [])]),
      path,
      cwd: root,
      isElsewhere: request.isElsewhere,
      limits: config.quota.patterns,
    });
    return agents.set(name, unknown(name, made, definition));
  };
  const completed = (name: string, made: Agent, definition: AgentConfig) =>
    withOwn(withLimits(made, config.quota.patterns), ownOf(name, definition, request));
  const preset = (name: string, known: Preset, definition: AgentConfig) => {
    const surroundings = surroundingsOf(name, request, known, definition);
    const made = known.make(surroundings, settingsOf(definition), definition.program);
    return agents.set(name, completed(name, made, definition));
  };
  for (const known of PRESETS) preset(known.name, known, {});
  const own = invocation.command ?? config.command;
  if (own !== undefined) command("command", own, {});
  for (const [name, definition] of Object.entries(config.agents)) {
    const { command: line, acp, preset: named = name } = definition;
    const known = presetOf(named);
    if (line !== undefined) command(name, line, definition);
    else if (acp !== undefined)
      agents.set(
        name,
        unknown(
          name,
          withLimits(acpAgent(name, acp, definition, request), config.quota.patterns),
          definition,
        ),
      );
    else if (known !== undefined) preset(name, known, definition);
  }
  return agents;
}

/** What a program must be able to write about which nothing is known. */
export const CACHES: readonly string[] = [".cache"];

/** The jail of the project as one of its agents is put into it; undefined where there is none. */
export function jailOf(
  { jail, config, stateDir }: Pick<AgentsRequest, "jail" | "config" | "stateDir">,
  keeps: readonly string[],
): AgentJail | undefined {
  const { network, show } = config.jail;
  return jail === undefined ? undefined : { jail, network, show, keeps, state: stateDir };
}

function surroundingsOf(
  name: string,
  request: AgentsRequest,
  { env: own, keeps }: Pick<Preset, "env" | "keeps">,
  definition: AgentConfig,
): AgentSurroundings {
  const { warden, env, config, approvals } = request;
  return {
    name,
    warden,
    approves: text => approvals.allows(text, "agent file"),
    jail: jailOf(request, keeps),
    path: env["PATH"],
    env: { ...agentEnv(env, [...config.env, ...own]), ...ownVariables(definition.env, env) },
    extraEnv: agentEnv(env, own),
  };
}

/** Variables of one program: those with a value, and those of this environment that it names. */
function ownVariables(given: AgentConfig["env"], env: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(given ?? {}).map(([name, value]) => [name, value ?? env[name]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** What an agent has for itself, by its settings. */
function ownOf(name: string, { env, mcp = {} }: AgentConfig, request: AgentsRequest): OwnSurroundings {
  const servers = Object.entries(mcp).map(([server, given]): McpServer => {
    const [command, ...args] = wordsOf(`agents.${name}.mcp.${server}.command`, given.command);
    return { name: server, command, args, env: ownVariables(given.env, request.env) };
  });
  return { env: ownVariables(env, request.env), mcp: servers };
}

/** A command line's program and arguments. Throws EspalierError for what is none. */
function wordsOf(where: string, line: string): readonly [string, ...string[]] {
  const words = splitCommand(line);
  if (!words.ok) {
    const { message, column } = words.failure;
    throw errorFor("AGENT_COMMAND", because("command-unreadable", { where, said: message, column }), {
      advice: because("command-like-shell", {}),
      exitCode: EXIT.usage,
    });
  }
  const [program = "", ...args] = words.value;
  return [program, ...args];
}

function acpAgent(name: string, line: string, definition: AgentConfig, request: AgentsRequest): Agent {
  const keeps = [...CACHES, ...(definition.keeps ?? [])];
  return createAcpAgent({
    ...surroundingsOf(name, request, { env: [], keeps }, definition),
    command: wordsOf(`agents.${name}.acp`, line),
    cwd: request.root,
    isElsewhere: request.isElsewhere,
    settings: settingsOf(definition),
    mode: definition.mode,
    isUnknown: true,
  });
}

function settingsOf({ model, effort, budget, maxTurns, permissions }: AgentConfig): AgentSettings {
  return { model, effort, budgetUsd: budget, maxTurns, permissions: permissionsOf(permissions) };
}

/** A policy by its name, or the usual one with some decisions of its own. */
function permissionsOf(given: AgentConfig["permissions"]): Permissions | undefined {
  if (given === undefined || typeof given === "string")
    return given === undefined ? undefined : POLICIES[given];
  const usual = POLICIES["allow-edits"];
  const { edit, execute, fetch, other } = given;
  const rules = (kind: "edit" | "execute" | "fetch", own: typeof edit) => {
    if (own === undefined || typeof own === "string") return own ?? usual[kind];
    const lists = Array.isArray(own) ? { allow: own } : own;
    return { ...lists, else: ("else" in lists ? lists.else : undefined) ?? usual[kind] };
  };
  return {
    edit: rules("edit", edit),
    execute: rules("execute", execute),
    fetch: rules("fetch", fetch),
    other: other ?? usual.other,
  };
}
