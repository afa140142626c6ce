import { isAbsolute } from "node:path";
import type { AgentTerms, SessionRequest } from "../../ports/index.ts";
import { type Program, type Warden, WORKER_SOCKET } from "../process/index.ts";
import type { Jail } from "./jail/index.ts";
import { type Permissions, POLICIES, permissionWords } from "./permissions.ts";
import type { FileGuard } from "./repository-files.ts";

/** How an agent is to be driven; from the project's configuration. */
export interface AgentSettings {
  /** The agent's own name of a model; without it its own choice. */
  readonly model?: string | undefined;
  /** How hard it is to think, in its own words; without it its own choice. */
  readonly effort?: string | undefined;
  readonly permissions?: Permissions | undefined;
  /** US dollars after which a turn is ended, for agents that can. */
  readonly budgetUsd?: number | undefined;
  /** Rounds of tool calls after which a turn is ended, for agents that can. */
  readonly maxTurns?: number | undefined;
}

/** A jail, and what agents may do in it. */
export interface AgentJail {
  readonly jail: Jail;
  readonly network: boolean;
  /** Below the home: where this agent keeps sessions, logins and caches. */
  readonly keeps: readonly string[];
  /** Absolute path of the project's state. */
  readonly state?: string | undefined;
  /** Below the home: keys of the user's that agents see all the same. */
  readonly show?: readonly string[] | undefined;
}

/** Puts a program into its jail, where there is one. */
export function confine(program: Program, request: SessionRequest, given: AgentJail | undefined): Program {
  if (given === undefined) return program;
  const { jail, ...cell } = given;
  // What serves the agent must be there and reached from in there.
  const servers = request.mcp ?? [];
  const sockets = servers.flatMap(({ env }) => env[WORKER_SOCKET] ?? []);
  const started = [...servers, ...(request.hook === undefined ? [] : [request.hook])];
  const programs = started.flatMap(({ command, args }) => [command, ...args]).filter(isAbsolute);
  return jail.wrap(program, { ...cell, writable: request.writable ?? [], sockets, programs });
}

/** What every agent of this machine is made with. */
export interface AgentSurroundings {
  /** The name tasks and flags use. */
  readonly name: string;
  /** Ends the agent's processes if this one dies; also gives them its instance mark. */
  readonly warden?: Warden | undefined;
  /** The PATH `probe` searches. */
  readonly path?: string | undefined;
  /** The environment `probe` runs the program in. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Around every process of the agent, where the project asks for it. */
  readonly jail?: AgentJail | undefined;
  /** What of the environment is the agent's own: keys, addresses. A request's environment wins. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** Whether a person has approved a text that the repository brings along; without it nothing is approved. */
  readonly approves?: FileGuard["approves"];
}

/** What an agent works by, for people. */
export function termsOf(settings: AgentSettings, jail: AgentJail | undefined): AgentTerms {
  const { model, effort } = settings;
  return { model, effort, permissions: permissionWords(permissionsOf(settings)), jailed: jail !== undefined };
}

/** The policy of settings that name none. */
export function permissionsOf(settings: AgentSettings): Permissions {
  return settings.permissions ?? POLICIES["allow-edits"];
}
