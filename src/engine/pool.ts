import { type AttemptRow, HERE, type Reason } from "../ports/index.ts";
import type { AttemptOutcome } from "../run/index.ts";

/**
 * Attempts in a row whose login is refused until no other one is begun: a single one may have met a service in trouble, and so have
 * those that were at work beside it.
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

/** Which agents are out of quota, and who takes over from them. */
export interface AgentPool {
  /** Who works now on what that agent should: itself, or the first of its stand-ins that has quota left and may. */
  pick(agent: string, now: number, may?: MayStandIn): string;
  /** An agent has no quota until then. */
  exhaust(agent: string, until: number): void;
  /** An agent is asked again, whatever it said. */
  renew(agent: string): void;
  /** When that agent can be asked again, in epoch milliseconds; undefined when it can now. */
  outUntil(agent: string, now: number): number | undefined;
  /** Hears how an attempt ended: whether a login is refused shows in several of them. Other machines have logins of their own. */
  hear(row: Pick<AttemptRow, "agent" | "machine" | "startedAt" | "endedAt">, outcome: AttemptOutcome): void;
  /** Why none of these agents, or of those that take over from them, is let in by its service; undefined where one may be. */
  shutOut(agents: readonly string[], now: number): Reason | undefined;
  /** Who of these agents and their stand-ins can be asked again first, and when; undefined when one can now. */
  first(agents: readonly string[], now: number, may?: MayStandIn): OutOfQuota | undefined;
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
  const refused = new Map<string, { readonly count: number; readonly reason: Reason; readonly at: number }>();
  const out = new Map(Array.from(known, ({ agent, until }) => [accountOf(agent), until]));

  function outUntil(agent: string, now: number): number | undefined {
    const account = accountOf(agent);
    const until = out.get(account);
    if (until === undefined || until > now) return until;
    out.delete(account);
    return undefined;
  }

  const pick: AgentPool["pick"] = (agent, now, may = () => true) => {
    if (agent === "shell" || outUntil(agent, now) === undefined) return agent;
    return (
      fallback.find(other => other !== agent && may(other) && outUntil(other, now) === undefined) ?? agent
    );
  };

  return {
    pick,
    exhaust(agent, until) {
      out.set(accountOf(agent), until);
    },
    renew(agent) {
      out.delete(accountOf(agent));
      refused.delete(accountOf(agent));
    },
    hear({ agent, machine, startedAt, endedAt }, outcome) {
      if (machine !== HERE) return;
      if (LET_IN.has(outcome.kind)) refused.delete(accountOf(agent));
      if (outcome.kind !== "needs-person" || outcome.login === undefined) return;
      const account = accountOf(outcome.login);
      const { count = 0, at = 0 } = refused.get(account) ?? {};
      // What began before the last refusal was known tells nothing new.
      if (startedAt >= at) refused.set(account, { count: count + 1, reason: outcome.reason, at: endedAt });
    },
    shutOut(agents, now) {
      let why: Reason | undefined;
      for (const agent of agents) {
        const known = refused.get(accountOf(pick(agent, now)));
        if (known === undefined || known.count < MOST_REFUSED) return undefined;
        why ??= known.reason;
      }
      return why;
    },
    outUntil,
    first(agents, now, may = () => true) {
      let first: OutOfQuota | undefined;
      for (const each of agents.includes("shell") ? agents : [...agents, ...fallback.filter(may)]) {
        const until = outUntil(each, now);
        if (until === undefined) return undefined;
        if (first === undefined || until < first.until) first = { agent: each, until };
      }
      return first;
    },
  };
}
