import { describe, expect, it } from "vitest";
import { layeredGraph } from "../../bench/schedule/graph.ts";
import { planOf, schedule } from "../../bench/schedule/ours.ts";
import type { Plan, Task } from "../../src/plan/index.ts";
import { Bench, plan, task } from "./build.ts";

/** Far above what it takes, far below what anything quadratic would. */
const LIMIT_MS = 8000;

function tasks(count: number, more: (n: number) => Partial<Task>): Task[] {
  return Array.from({ length: count }, (_, n) => task(`T1.${n}`, more(n)));
}

function within(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function runAll(p: Plan, parallel: number, more: object = {}): Bench {
  const bench = Bench.of(p, { parallel, ...more });
  const queue = bench.running();
  for (let at = 0; at < queue.length; at++) {
    for (const command of bench.done(queue[at]!).commands)
      if (command.type === "dispatch") queue.push(command.task);
    bench.results.length = 0;
  }
  return bench;
}

describe("speed", () => {
  it.each([5, Number.POSITIVE_INFINITY])("[Z3] schedules 50,000 tasks with %d slots", slots => {
    const graph = planOf(layeredGraph(50_000));
    const ms = within(() => expect(schedule(graph, slots)).toBe(50_000));
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  it.each<readonly [string, Plan]>([
    ["one path", plan(...tasks(20_000, () => ({ files: ["one"] })))],
    [
      "two paths, crossing",
      plan(...tasks(20_000, n => ({ files: n % 3 === 0 ? ["a", "b"] : [n % 3 === 1 ? "a" : "b"] }))),
    ],
    ["a path each and one in common", plan(...tasks(20_000, n => ({ files: [`f${n}`, "one"] })))],
    ["nothing, all critical", plan(...tasks(20_000, () => ({ risk: "critical" as const })))],
    [
      "one join of 20,000",
      plan(
        ...tasks(20_000, () => ({})),
        task("T1.end", { dependsOn: tasks(20_000, () => ({})).map(t => t.id) }),
      ),
    ],
    [
      "one file order",
      plan(...tasks(20_000, n => ({ order: n % 5 === 0 ? ("sequential" as const) : ("parallel" as const) }))),
    ],
    ["20,000 phases", plan(...tasks(20_000, n => ({ phase: n })))],
  ])("[Z3] is not slowed down by %s", (_, p) => {
    const ms = within(() => expect(runAll(p, 10).run.ended?.outcome).toBe("completed"));
    expect(ms).toBeLessThan(LIMIT_MS);
  });

  it("[Z3] finds partners in large groups", () => {
    const group = 100;
    const members = (n: number) =>
      Array.from({ length: group }, (_, k) => `T1.${Math.floor(n / group) * group + k}`).filter(
        id => id !== `T1.${n}`,
      );
    const p = plan(...tasks(2000, n => ({ parallelWith: members(n) })));
    for (const parallelMode of ["auto", "declared"] as const) {
      const ms = within(() => expect(runAll(p, 1000, { parallelMode }).run.ended?.outcome).toBe("completed"));
      expect(ms).toBeLessThan(LIMIT_MS);
    }
  });

  it("[Z3] takes a changed plan of 20,000 tasks in a moment", () => {
    const p = plan(...tasks(20_000, n => (n === 0 ? {} : { dependsOn: [`T1.${n - 1}`] })));
    const bench = Bench.of(p);
    const ms = within(() => {
      for (let n = 0; n < 5; n++) bench.edit({ ...p, tasks: p.tasks.slice(0, 20_000 - n) });
    });
    expect(ms).toBeLessThan(LIMIT_MS);
  });
});
