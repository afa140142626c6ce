import type { Config } from "../engine/config/index.ts";
import type { EngineOptions } from "../engine/index.ts";
import { DEFAULT_POLICY, type RunPolicy } from "../run/index.ts";
import { messagesFor } from "../text/index.ts";

/** What the flags of one run said; kept with the run, so that a resume goes on the same way. */
export interface Invocation {
  readonly agent?: string | undefined;
  readonly command?: string | undefined;
  readonly parallel?: number | "declared" | undefined;
  readonly allowMissing?: boolean | undefined;
  readonly plan?: "reconcile" | "frozen" | undefined;
}

/** Flags given now outrank those the run was started with. */
export function mergeInvocations(before: Invocation, now: Invocation): Invocation {
  const given = Object.entries(now).filter(([, value]) => value !== undefined);
  const merged: Invocation = { ...before, ...Object.fromEntries(given) };
  // A new command line without a name means the agent it is the command line of.
  return now.command !== undefined && now.agent === undefined ? { ...merged, agent: "command" } : merged;
}

/** The rules of a run, from configuration and flags. */
export function policyOf(config: Config, invocation: Invocation, advance: RunPolicy["advance"]): RunPolicy {
  const parallel = invocation.parallel ?? config.parallel;
  return {
    parallel: parallel === "declared" ? DEFAULT_POLICY.parallel : parallel,
    parallelMode: parallel === "declared" ? "declared" : "auto",
    maxAttempts: config.maxAttempts,
    sameErrorLimit: config.sameError,
    phaseGate: config.phaseGate,
    backoffMs: config.backoff.first,
    backoffMaxMs: config.backoff.max,
    advance,
  };
}

/** What the engine needs to know besides the run. */
export function engineOptions(
  config: Config,
  invocation: Invocation,
  runId: string,
  cwd: string,
): EngineOptions {
  return {
    runId,
    cwd,
    messages: messagesFor(config.locale),
    limits: {
      wallMs: config.limits.wall,
      idleMs: config.limits.idle,
      graceMs: config.limits.grace,
      logBytes: config.limits.log,
    },
    signals: config.signals,
    defaultAgent: invocation.agent ?? config.agent,
    agents: new Set(Object.keys(config.agents)),
    roles: new Map(Object.entries(config.roles)),
    verify: config.verify,
    heartbeatMs: config.heartbeat,
    planChanges: invocation.plan ?? config.plan,
  };
}
