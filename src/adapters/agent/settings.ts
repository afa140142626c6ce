import type { Warden } from "../process/index.ts";
import { type Permissions, POLICIES } from "./permissions.ts";

/** How an agent is to be driven; from the project's configuration. */
export interface AgentSettings {
  /** The agent's own name of a model; without it its own choice. */
  readonly model?: string | undefined;
  readonly permissions?: Permissions | undefined;
  /** US dollars after which a turn is ended, for agents that can. */
  readonly budgetUsd?: number | undefined;
  /** Rounds of tool calls after which a turn is ended, for agents that can. */
  readonly maxTurns?: number | undefined;
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
  /** What of the environment is the agent's own: keys, addresses. A request's environment wins. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
}

/** The policy of settings that name none. */
export function permissionsOf(settings: AgentSettings): Permissions {
  return settings.permissions ?? POLICIES["allow-edits"];
}
