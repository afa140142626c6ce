import { type AttemptRow, HERE, type Reason } from "../ports/index.ts";
import type { AttemptOutcome } from "../run/index.ts";

/**
 * Attempts in a row that an account is the end of, by its login or for want of money, until no other one is begun: a single one may
 * have met a service in trouble, and so have those that were at work beside it.
 */
const MOST_REFUSED = 2;
/** What an attempt came to whose agent was let in by its service. */
const LET_IN: ReadonlySet<AttemptOutcome["kind"]> = new Set([
  "done",
  "failed",
  "no-signal",
  "quota",
  "conflict",
]);

/** Which agents are out of quota or not let in by their service, and who takes over from them. */
export interface AgentPool {
  /** Who works now on what that agent should: itself, or the first of its stand-ins that has quota left, was not refused and may. */
  pick(agent: string, now: number, may?: MayStandIn): string;
  /** An agent is asked again, whatever it said. */
  renew(agent: string): void;
  /** When that agent can be asked again, in epoch milliseconds; undefined when it can now. */
  outUntil(agent: string, now: number): number | undefined;
  /**
   * Hears how an attempt ended, or who was asked in one: its agent is out of quota, or let in, or not. Whether an agent is refused
   * shows in several of them. Other machines have logins of their own, and so has each agent, though it shares its quota; what
   * befalls a shell is its commands'.
   */
  hear(row: Pick<AttemptRow, "agent" | "machine" | "startedAt" | "endedAt">, outcome: AttemptOutcome): void;
  /** Whether an agent has quota, and was let in by its service when it was asked last, as far as is known. */
  isOpen(agent: string, now: number): boolean;
  /**
   * Why none of these agents, or of those that take over from them, is let in by its service; undefined where one may be. Only
   * attempts that have begun `since` then say so.
   */
  shutOut(agents: readonly string[], since?: number): Reason | undefined;
  /** Who of these agents and their stand-ins can be asked again first, and when; undefined when one can now. */
  first(agents: readonly string[], now: number, may?: MayStandIn): OutOfQuota | undefined;
}

/** Attempts in a row whose login was refused, and the last of them. */
interface Refused {
  readonly count: number;
  readonly reason: Reason;
  readonly began: number;
  readonly at: number;
}

/** Whether an agent may stand in for another. */
type MayStandIn = (agent: string) => boolean;

/** An agent, and when it has quota again, in epoch milliseconds. */
export interface OutOfQuota {
  readonly agent: string;
  readonly until: number;
}

/**
 * A pool in which the agents of `fallback` take over, in their order, for any agent but the shell; `known` are out of quota from
 * the start. Agents of one account share its quota; by default each has its own.
 */
export function createPool(
  fallback: readonly string[],
  known: Iterable<OutOfQuota> = [],
  accountOf: (agent: string) => string = agent => agent,
): AgentPool {
  const refused = new Map<string, Refused>();
  const out = new Map(Array.from(known, ({ agent, until }) => [accountOf(agent), until]));

  function outUntil(agent: string, now: number): number | undefined {
    const account = accountOf(agent);
    const until = out.get(account);
    if (until === undefined || until > now) return until;
    out.delete(account);
    return undefined;
  }

  /** Somebody of the account is let in, or a person says so: all its agents are asked again. */
  function letIn(account: string): void {
    for (const agent of refused.keys()) if (accountOf(agent) === account) refused.delete(agent);
  }

  /** How often in a row an agent was refused. */
  const refusals = (agent: string) => refused.get(agent)?.count ?? 0;
  const isOpen: AgentPool["isOpen"] = (agent, now) =>
    refusals(agent) === 0 && outUntil(agent, now) === undefined;
  /** Why an agent is not let in by its service; undefined where it may be. */
  const shutBy = (agent: string, since = -Infinity): Reason | undefined => {
    const known = refused.get(agent);
    const isShut = known !== undefined && known.count >= MOST_REFUSED && known.began >= since;
    return isShut ? known.reason : undefined;
  };

  /** These agents, and whoever takes over from them. The shell is never replaced. */
  const lineOf = (agents: readonly string[], may: MayStandIn = () => true) =>
    agents.includes("shell") ? agents : [...agents, ...fallback.filter(may)];

  return {
    pick(agent, now, may) {
      const able = lineOf([agent], may).filter(each => outUntil(each, now) === undefined);
      return (
        able.find(each => refusals(each) === 0) ?? able.find(each => shutBy(each) === undefined) ?? agent
      );
    },
    isOpen,
    renew(agent) {
      out.delete(accountOf(agent));
      letIn(accountOf(agent));
    },
    hear({ agent, machine, startedAt, endedAt }, outcome) {
      if (outcome.kind === "quota" && agent !== "shell") out.set(accountOf(outcome.agent), outcome.until);
      if (machine !== HERE) return;
      if (LET_IN.has(outcome.kind)) letIn(accountOf(agent));
      // What refuses a `run:` block is its command's own login: other blocks go on.
      if (outcome.kind !== "needs-person" || outcome.account === undefined || outcome.account === "shell")
        return;
      const { account, reason } = outcome;
      const { count = 0, at = 0 } = refused.get(account) ?? {};
      // What began before the last refusal was known tells nothing new.
      if (startedAt >= at) refused.set(account, { count: count + 1, reason, began: startedAt, at: endedAt });
    },
    shutOut(agents, since) {
      const reasons = lineOf(agents).map(each => shutBy(each, since));
      return reasons.includes(undefined) ? undefined : reasons[0];
    },
    outUntil,
    first(agents, now, may) {
      let first: OutOfQuota | undefined;
      for (const each of lineOf(agents, may)) {
        // Nobody waits for one that is not let in.
        if (shutBy(each) !== undefined) continue;
        const until = outUntil(each, now);
        if (until === undefined) return undefined;
        if (first === undefined || until < first.until) first = { agent: each, until };
      }
      return first;
    },
  };
}
