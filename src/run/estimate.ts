/** What one task of an earlier run took, all its attempts together. */
export interface PastTask {
  readonly agent: string;
  readonly attempts: number;
  readonly tokens: number;
  /** US dollars, where they are known. */
  readonly cost?: number | undefined;
}

/** A task that is still to be worked on. */
export interface TaskAhead {
  readonly agent: string;
  /** Tokens that it takes at least: its own text. */
  readonly floor: number;
}

/** An amount that is expected, and between what it is likely to lie (nine times of ten) where that is known. */
export interface Amount {
  readonly expected: number;
  readonly low?: number;
  readonly high?: number;
}

/** What the tasks of one agent are expected to take. */
export interface AgentEstimate {
  readonly agent: string;
  readonly tasks: number;
  /** Tasks of earlier runs that this is made of; 0 where nothing is known but what the tasks say. */
  readonly basis: number;
  /** Attempts that those took, each. */
  readonly attemptsEach: number;
  readonly tokens: Amount;
  /** US dollars; undefined where no task of the basis has a known price. */
  readonly cost: Amount | undefined;
}

/** What a run is expected to take. */
export interface RunEstimate {
  readonly agents: readonly AgentEstimate[];
  readonly tokens: Amount;
  readonly cost: Amount | undefined;
}

/** Standard deviations on either side of a mean between which nine of ten values lie. */
const NINE_OF_TEN = 1.645;

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/**
 * The sum of `count` more values like the known ones. It varies with each of the values, and with what is not known of their mean.
 * One value alone says nothing about that.
 */
export function sumLike(known: readonly number[], count: number): Amount {
  const mean = total(known) / known.length;
  const expected = mean * count;
  if (known.length < 2) return { expected };
  const variance = total(known.map(one => (one - mean) ** 2)) / (known.length - 1);
  const spread = NINE_OF_TEN * Math.sqrt(variance * (count + count ** 2 / known.length));
  return { expected, low: Math.max(0, expected - spread), high: expected + spread };
}

/** Independent amounts together: their spreads add up as squares. Where one has none, the sum has none. */
function together(amounts: readonly Amount[]): Amount {
  const expected = total(amounts.map(one => one.expected));
  const spreads = amounts.flatMap(({ expected: mean, high }) => (high === undefined ? [] : [high - mean]));
  if (spreads.length === 0 || spreads.length < amounts.length) return { expected };
  const spread = Math.sqrt(total(spreads.map(one => one ** 2)));
  return { expected, low: Math.max(0, expected - spread), high: expected + spread };
}

function ofAgent(agent: string, ahead: readonly TaskAhead[], past: readonly PastTask[]): AgentEstimate {
  const own = past.filter(one => one.agent === agent);
  const tasks = ahead.length;
  if (own.length === 0) {
    const floor = total(ahead.map(one => one.floor));
    return { agent, tasks, basis: 0, attemptsEach: 0, tokens: { expected: floor }, cost: undefined };
  }
  const costs = own.flatMap(({ cost }) => cost ?? []);
  return {
    agent,
    tasks,
    basis: own.length,
    attemptsEach: total(own.map(one => one.attempts)) / own.length,
    tokens: sumLike(
      own.map(one => one.tokens),
      tasks,
    ),
    cost: costs.length === 0 ? undefined : sumLike(costs, tasks),
  };
}

/** What tasks are expected to take, by what those of earlier runs took with the same agent. */
export function estimateRun(ahead: readonly TaskAhead[], past: readonly PastTask[]): RunEstimate {
  const byAgent = Map.groupBy(ahead, ({ agent }) => agent);
  const agents = [...byAgent].map(([agent, tasks]) => ofAgent(agent, tasks, past));
  const costs = agents.flatMap(({ cost }) => cost ?? []);
  return {
    agents,
    tokens: together(agents.map(one => one.tokens)),
    cost: costs.length === 0 ? undefined : together(costs),
  };
}
