/** Which agents are out of quota, and who takes over from them. */
export interface AgentPool {
  /** Who works now on what that agent should: itself, or the first of its stand-ins that has quota left. */
  pick(agent: string, now: number): string;
  /** An agent has no quota until then. */
  exhaust(agent: string, until: number): void;
  /** When that agent can be asked again, in epoch milliseconds; undefined when it can now. */
  outUntil(agent: string, now: number): number | undefined;
  /** When the first of that agent and its stand-ins can be asked again; undefined when one can now. */
  freeAt(agent: string, now: number): number | undefined;
}

/** A pool in which the agents of `fallback` take over, in their order, for any agent but the shell. */
export function createPool(fallback: readonly string[]): AgentPool {
  const out = new Map<string, number>();

  function outUntil(agent: string, now: number): number | undefined {
    const until = out.get(agent);
    if (until === undefined || until > now) return until;
    out.delete(agent);
    return undefined;
  }

  return {
    pick(agent, now) {
      if (agent === "shell" || outUntil(agent, now) === undefined) return agent;
      return fallback.find(other => other !== agent && outUntil(other, now) === undefined) ?? agent;
    },
    exhaust(agent, until) {
      out.set(agent, until);
    },
    outUntil,
    freeAt(agent, now) {
      const all = agent === "shell" ? [agent] : [agent, ...fallback];
      const times = all.map(each => outUntil(each, now));
      return times.reduce((first, time) =>
        first === undefined || time === undefined ? undefined : Math.min(first, time),
      );
    },
  };
}
