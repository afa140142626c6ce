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
  const out = new Map(Array.from(known, ({ agent, until }) => [accountOf(agent), until]));

  function outUntil(agent: string, now: number): number | undefined {
    const account = accountOf(agent);
    const until = out.get(account);
    if (until === undefined || until > now) return until;
    out.delete(account);
    return undefined;
  }

  return {
    pick(agent, now, may = () => true) {
      if (agent === "shell" || outUntil(agent, now) === undefined) return agent;
      return (
        fallback.find(other => other !== agent && may(other) && outUntil(other, now) === undefined) ?? agent
      );
    },
    exhaust(agent, until) {
      out.set(accountOf(agent), until);
    },
    renew(agent) {
      out.delete(accountOf(agent));
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
