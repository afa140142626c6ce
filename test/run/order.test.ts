import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepResult } from "../../src/run/index.ts";
import { Bench, dispatched, plan, task } from "./build.ts";

/** `S P P S` as tasks T1.1 … in file order. */
const ordered = (shape: string, more: Record<string, object> = {}) =>
  plan(
    ...Array.from(shape, (letter, n) => {
      const id = `T1.${n + 1}`;
      return task(id, { order: letter === "S" ? "sequential" : "parallel", ...more[id] });
    }),
  );

describe("file order", () => {
  it("[RO1] runs sequential tasks one after the other", () => {
    const bench = Bench.of(ordered("SSS"));
    for (const id of ["T1.1", "T1.2", "T1.3"]) {
      expect(bench.running()).toEqual([id]);
      bench.done(id);
    }
  });

  it("[RO1] runs parallel neighbours side by side, between sequential ones", () => {
    const bench = Bench.of(ordered("SPPSPP"));
    expect(bench.running()).toEqual(["T1.1"]);
    bench.done("T1.1");
    expect(bench.running()).toEqual(["T1.2", "T1.3"]);
    bench.done("T1.3");
    expect(bench.running()).toEqual(["T1.2"]);
    bench.done("T1.2");
    expect(bench.running()).toEqual(["T1.4"]);
    bench.done("T1.4");
    expect(bench.running()).toEqual(["T1.5", "T1.6"]);
  });

  it("[RO1] goes by phase, also where the phases are interleaved in the file", () => {
    const s = { order: "sequential" } as const;
    const bench = Bench.of(
      plan(
        task("T1.1", s),
        task("T2.1", s),
        task("T1.2", s),
        task("T2.2", s),
        task("T1.3", { order: "parallel" }),
      ),
    );
    for (const id of ["T1.1", "T1.2", "T1.3", "T2.1", "T2.2"]) {
      expect(bench.running()).toEqual([id]);
      bench.done(id);
    }
  });

  it("[RO1] leaves tasks without a place in the order alone", () => {
    const bench = Bench.of(
      plan(task("T1.1", { order: "sequential" }), task("T1.2"), task("T1.3", { order: "parallel" })),
    );
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
  });

  it("[RO2] waits for everything before it, also when the one right before is ticked", () => {
    const bench = Bench.of(ordered("SSS", { "T1.2": { done: true } }));
    expect(bench.running()).toEqual(["T1.1"]);
    bench.done("T1.1");
    expect(bench.running()).toEqual(["T1.3"]);
  });

  it("[RO2] waits for the barrier behind a group that is over already", () => {
    const bench = Bench.of(ordered("SPPS"));
    bench.act("skip", "T1.2");
    bench.act("cancel", "T1.3");
    expect(bench.running()).toEqual(["T1.1"]);
    bench.done("T1.1");
    expect(bench.running()).toEqual(["T1.4"]);
  });

  it("[RO2] waits again when an earlier one is taken up again", () => {
    const bench = Bench.of(ordered("SSSS"), { parallel: 9 });
    bench.done("T1.1");
    bench.done("T1.2");
    bench.act("retry", "T1.1");
    expect(bench.running()).toEqual(["T1.1", "T1.3"]);
    bench.done("T1.3");
    expect(bench.running()).toEqual(["T1.1"]);
    bench.done("T1.1");
    expect(bench.running()).toEqual(["T1.4"]);
  });

  it("[RO2] never lets a task pass an earlier one, whatever ends first", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("S", "P"), minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(11), fc.constantFrom("done", "skip", "cancel", "retry", "fail")), {
          maxLength: 40,
        }),
        (shape, acts) => {
          const bench = Bench.of(ordered(shape), { parallel: 99, maxAttempts: 1 });
          const open = new Set(["pending", "ready", "in_progress", "paused", "waiting"]);
          const check = (out: StepResult) => {
            for (const id of dispatched(out)) {
              const n = Number(id.slice(3)) - 1;
              const from = shape[n] === "S" ? n : shape.lastIndexOf("S", n) + 1;
              const before = bench.run.tasks.slice(0, from).filter(state => open.has(state.status));
              expect(before.map(state => state.task.id)).toEqual([]);
            }
          };
          for (const [n, action] of acts) {
            if (n >= shape.length) continue;
            const id = `T1.${n + 1}`;
            if (action === "fail") check(bench.fail(id));
            else if (action === "done") check(bench.done(id));
            else check(bench.act(action, id));
            if (bench.run.orphans.has(id)) check(bench.end(id, { kind: "cancelled" }));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("[RO3] is not blocked by a failure before it", () => {
    const bench = Bench.of(ordered("SPS"), { maxAttempts: 1 });
    bench.fail("T1.1");
    expect(bench.running()).toEqual(["T1.2"]);
    bench.fail("T1.2");
    expect(bench.running()).toEqual(["T1.3"]);
  });

  it("[RO3] is blocked all the same by what it declares", () => {
    const bench = Bench.of(ordered("SS", { "T1.2": { dependsOn: ["T1.1"] } }), { maxAttempts: 1 });
    bench.fail("T1.1");
    expect(bench.status("T1.2")).toBe("blocked");
  });

  it("[RO2] is linear for a long file", () => {
    const bench = Bench.of(ordered("SPPPPPPPPP".repeat(5000)), { parallel: 20 });
    const edges = bench.run.successors.reduce((sum, list) => sum + (list?.length ?? 0), 0);
    expect(edges).toBeLessThan(2 * 50_000);
  });
});
