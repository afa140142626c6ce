import { describe, expect, it } from "vitest";
import { layeredGraph } from "../../bench/schedule/graph.ts";
import { planOf, schedule } from "../../bench/schedule/ours.ts";
import type { Plan, Task } from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { Bench, plan, task } from "./build.ts";

function tasks(count: number, more: (n: number) => Partial<Task>): Task[] {
  return Array.from({ length: count }, (_, n) => task(`T1.${n}`, more(n)));
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
  it.each(sampleOf([5, Number.POSITIVE_INFINITY], 0))(
    "[RZ3] schedules a graph of any size with %d slots",
    slots => {
      const graphOf = (size: number) => planOf(layeredGraph(size));
      expect(schedule(graphOf(50_000), slots)).toBe(50_000);
      expect(growth(1000, graphOf, graph => schedule(graph, slots))).toBeLessThan(LINEAR);
    },
  );

  it.each(
    sampleOf<readonly [string, (size: number) => Task[]]>(
      [
        ["one path", size => tasks(size, () => ({ files: ["one"] }))],
        [
          "two paths, crossing",
          size => tasks(size, n => ({ files: n % 3 === 0 ? ["a", "b"] : [n % 3 === 1 ? "a" : "b"] })),
        ],
        ["a path each and one in common", size => tasks(size, n => ({ files: [`f${n}`, "one"] }))],
        ["nothing, all critical", size => tasks(size, () => ({ risk: "critical" as const }))],
        [
          "one join of all",
          size => {
            const joined = tasks(size, () => ({}));
            return [...joined, task("T1.end", { dependsOn: joined.map(t => t.id) })];
          },
        ],
        [
          "one file order",
          size =>
            tasks(size, n => ({ order: n % 5 === 0 ? ("sequential" as const) : ("parallel" as const) })),
        ],
        ["a phase each", size => tasks(size, n => ({ phase: n }))],
      ],
      1,
      6,
    ),
  )("[RZ3] is not slowed down by %s", (_, tasksOf) => {
    const planOfSize = (size: number) => plan(...tasksOf(size));
    expect(runAll(planOfSize(8000), 10).run.ended?.outcome).toBe("completed");
    expect(growth(2000, planOfSize, p => runAll(p, 10))).toBeLessThan(LINEAR);
  });

  itWhole("[RZ3] finds partners in large groups", () => {
    const group = 100;
    const members = (n: number) =>
      Array.from({ length: group }, (_, k) => `T1.${Math.floor(n / group) * group + k}`).filter(
        id => id !== `T1.${n}`,
      );
    const planOfSize = (size: number) => plan(...tasks(size, n => ({ parallelWith: members(n) })));
    for (const parallelMode of ["auto", "declared"] as const) {
      const all = (p: Plan) => runAll(p, 1000, { parallelMode });
      expect(all(planOfSize(2000)).run.ended?.outcome).toBe("completed");
      expect(growth(500, planOfSize, all)).toBeLessThan(LINEAR);
    }
  });

  itWhole("[RZ3] takes a changed plan in the time of its tasks", () => {
    const chainOf = (size: number) =>
      plan(...tasks(size, n => (n === 0 ? {} : { dependsOn: [`T1.${n - 1}`] })));
    const edited = (p: Plan) => {
      const bench = Bench.of(p);
      for (let n = 1; n <= 5; n++) bench.edit({ ...p, tasks: p.tasks.slice(0, -n) });
      return bench;
    };
    expect(edited(chainOf(2000)).run.tasks).toHaveLength(1995);
    expect(growth(2000, chainOf, edited)).toBeLessThan(LINEAR);
  });
});
