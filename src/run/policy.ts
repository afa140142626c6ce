import type { Task } from "../plan/index.ts";
import type { Reason } from "../ports/index.ts";

/** Named things that only so many tasks may use at once: databases, ports, agents. */
export interface ResourceRules {
  /** How many, by name; what is not named here is used by one task at a time. */
  readonly caps: ReadonlyMap<string, number>;
  /** How many machines offer of what has no cap, all together; it may change while a run goes on. */
  readonly offers?: ((name: string) => number) | undefined;
  /** The agents that work on a task at once, at least one: one with a cap is used by each that it is. */
  readonly agentsOf: (task: Task) => readonly string[];
  /** The account of an agent, which may have a cap as well: several may share one, and by default it is called like the agent. */
  readonly accountOf?: (agent: string) => string;
  /** The agent that reviews what is made of a task; it uses its caps as the ones at work do. */
  readonly reviewerOf?: (task: Task) => string | undefined;
}

/** The rules a run follows; every field has a default and a key in `espalier.yaml`. */
export interface RunPolicy {
  /** Tasks in progress at once, at least 1. */
  readonly parallel: number;
  /** `auto`: whatever is ready; `declared`: only groups that name each other in `parallel_with`. */
  readonly parallelMode: "auto" | "declared";
  /** Attempts of one task until it has failed. */
  readonly maxAttempts: number;
  /** Equal failures in a row until the task is paused for a person; 0 switches it off. */
  readonly sameErrorLimit: number;
  /** Share of a phase's tasks (skipped ones apart) that must complete before the next one starts, 0–1. */
  readonly phaseGate: number;
  /** First wait before a retry in milliseconds; it doubles up to `backoffMaxMs`. 0 retries at once. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /** `run` opens the next phase by itself; a lead asks for it. */
  readonly advance: "auto" | "asked";
  /** Whether the end of a phase is work of its own (checks, merge, clean-up) that the next one waits for. */
  readonly settlePhases: boolean;
  /** What only so many tasks may use at once. */
  readonly resources?: ResourceRules;
  /** Who of those that a task would ask has quota again first, and when; undefined where one has some, or none is needed. */
  readonly outOfQuota?: (
    task: Task,
    now: number,
  ) => { readonly agent: string; readonly until: number } | undefined;
  /**
   * Why none of those that a task would ask can work before a person has acted; undefined where one can. What was known when a
   * person had the task go on, at `since`, says nothing.
   */
  readonly shutOut?: (task: Task, since?: number) => Reason | undefined;
}

/** The documents' rules (004 sections 2, 6.3, 9.2) and DESIGN's backoff. */
export const DEFAULT_POLICY: RunPolicy = {
  parallel: 5,
  parallelMode: "auto",
  maxAttempts: 10,
  sameErrorLimit: 3,
  phaseGate: 0.9,
  backoffMs: 1000,
  backoffMaxMs: 60_000,
  advance: "auto",
  settlePhases: false,
};

/** Milliseconds to wait after the n-th failure of a task: 1, 2, 4 … up to the maximum. */
export function backoff(policy: RunPolicy, retries: number): number {
  if (policy.backoffMs === 0) return 0;
  return Math.min(policy.backoffMaxMs, policy.backoffMs * 2 ** Math.min(30, Math.max(0, retries - 1)));
}

/** The longest any task waits for an agent's quota: a week. Later times are taken for a broken clock. */
export const MAX_WAIT_MS = 7 * 24 * 3_600_000;
