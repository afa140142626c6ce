import { join } from "node:path";
import type { Config } from "../../config/index.ts";

/** What the flags of one run said; kept with the run, so that a resume goes on the same way. */
export interface Invocation {
  readonly agent?: string | undefined;
  readonly command?: string | undefined;
  readonly parallel?: number | "declared" | undefined;
  readonly allowMissing?: boolean | undefined;
  readonly plan?: "reconcile" | "frozen" | undefined;
  /** The most tokens the run may take in all. */
  readonly maxTokens?: number | undefined;
  /** The most US dollars it may cost. */
  readonly maxCost?: number | undefined;
  /** The hub whose machines work on it. */
  readonly on?: string | undefined;
  /** No flag: who named it, a person for the run or the configuration as it was. */
  readonly onBy?: "flag" | "config" | undefined;
  /** No flag: the branch that was checked out when it began, where finished phases go. */
  readonly target?: string | undefined;
}

/** What takes a hub back that a run was begun with. */
const NONE = "none";

/** Flags with the hub that the run has by now: as a person named it last, else as the configuration names it. */
export function withHub(config: Pick<Config, "on">, before: Invocation, now: Invocation): Invocation {
  if (now.on !== undefined) return { ...now, onBy: "flag" };
  const isKept = before.on !== undefined && before.onBy !== "config";
  if (isKept || (config.on ?? before.on) === undefined) return now;
  return { ...now, on: config.on ?? NONE, onBy: "config" };
}

/** Whether the agents of a run are on other machines. */
export function isElsewhere({ on }: Pick<Invocation, "on">): boolean {
  return on !== undefined && on !== NONE;
}

/** Where it is kept what is known of orders on other machines. */
export function awayFolder(stateDir: string): string {
  return join(stateDir, "away");
}

/** Where it is kept for which hub a run was conducted last. */
export function hubNote(stateDir: string): string {
  return join(stateDir, "hub.json");
}
