import { describe, expect, it } from "vitest";
import { estimateRun } from "../../src/run/index.ts";

const ahead = (count: number, agent = "claude") =>
  Array.from({ length: count }, () => ({ agent, floor: 30 }));
const past = (tokens: number, cost?: number, agent = "claude") => ({ agent, attempts: 2, tokens, cost });

describe("what a run is expected to take", () => {
  it("[RU20] is the mean of completed tasks of the same agent, times the tasks ahead", () => {
    const estimate = estimateRun(ahead(10), [past(1000, 1), past(3000, 3), past(9, 9, "codex")]);
    expect(estimate.agents).toHaveLength(1);
    expect(estimate.agents[0]).toMatchObject({ agent: "claude", tasks: 10, basis: 2, attemptsEach: 2 });
    expect(estimate.tokens.expected).toBe(20_000);
    expect(estimate.cost?.expected).toBe(20);
  });

  it("[RU20] spreads by how far the known ones lie apart, and less where more are known", () => {
    const spread = (known: readonly number[]) => {
      const { tokens } = estimateRun(
        ahead(4),
        known.map(one => past(one)),
      );
      return (tokens.high ?? 0) - tokens.expected;
    };
    expect(spread([2000, 2000, 2000])).toBe(0);
    // Deviation 1000·√2, four values and a mean of two: 1.645 · √(2e6 · (4 + 16/2)).
    expect(spread([1000, 3000])).toBeCloseTo(1.645 * Math.sqrt(2e6 * 12), 3);
    expect(spread([1000, 3000, 1000, 3000, 1000, 3000])).toBeLessThan(spread([1000, 3000]));
    expect(estimateRun(ahead(4), [past(1), past(9000)]).tokens.low).toBe(0);
  });

  it("[RU20] one completed task says nothing of the spread, and none only what the tasks say", () => {
    expect(estimateRun(ahead(3), [past(500, 0.5)]).tokens).toEqual({ expected: 1500 });
    expect(estimateRun(ahead(3), [past(500, 0.5, "codex")])).toMatchObject({
      agents: [{ basis: 0, tokens: { expected: 90 }, cost: undefined }],
      cost: undefined,
    });
  });

  it("[RU20] costs what is known to cost, and nothing is said of what is not", () => {
    const unknown = estimateRun(ahead(3), [past(500), past(700)]);
    expect([unknown.cost, unknown.agents[0]?.cost]).toEqual([undefined, undefined]);
    const some = estimateRun(
      [...ahead(2), ...ahead(2, "codex")],
      [past(500, 1), past(500), past(9, undefined, "codex")],
    );
    expect(some.cost).toEqual({ expected: 2 });
    expect(some.agents.map(({ cost, attemptsEach }) => [cost?.expected, attemptsEach])).toEqual([
      [2, 2],
      [undefined, 2],
    ]);
    expect(estimateRun([], [past(1)])).toEqual({ agents: [], tokens: { expected: 0 }, cost: undefined });
  });

  it("[RU20] of several agents add up, their spreads as squares; where one has none the sum has none", () => {
    const known = [
      past(1000),
      past(3000),
      past(10_000, undefined, "codex"),
      past(30_000, undefined, "codex"),
    ];
    const both = estimateRun([...ahead(1), ...ahead(1, "codex")], known);
    const [one, other] = both.agents.map(({ tokens }) => (tokens.high ?? 0) - tokens.expected);
    expect(both.tokens.expected).toBe(22_000);
    expect((both.tokens.high ?? 0) - 22_000).toBeCloseTo(Math.hypot(one ?? 0, other ?? 0), 3);
    expect(estimateRun([...ahead(1), ...ahead(1, "new")], known).tokens).toEqual({ expected: 2030 });
  });
});
