import { describe, expect, it } from "vitest";
import { Bench, dispatched, plan, task } from "./build.ts";

const free = (count: number, more: Parameters<typeof task>[1] = {}) =>
  Array.from({ length: count }, (_, n) => task(`T1.${n + 1}`, more));

describe("dispatch", () => {
  it.each([
    [1, 1],
    [3, 3],
    [5, 5],
    [100, 8],
    [0, 1],
    [-4, 1],
  ])("[RD1] with %i slots runs %i of eight", (parallel, running) => {
    const bench = Bench.of(plan(...free(8)), { parallel });
    expect(bench.running()).toHaveLength(running);
  });

  it("[RD1] counts an attempt that is still dying", () => {
    const bench = Bench.of(plan(...free(3)), { parallel: 2 });
    expect(dispatched(bench.act("skip", "T1.1"))).toEqual([]);
    expect(bench.running()).toEqual(["T1.2"]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }))).toEqual(["T1.3"]);
  });

  it("[RD2] goes in plan order and fills every slot that becomes free", () => {
    const bench = Bench.of(plan(...free(6)), { parallel: 2 });
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
    expect(dispatched(bench.done("T1.2"))).toEqual(["T1.3"]);
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.4"]);
  });

  it("[RD2] prefers what stands first in the plan, whenever it became ready", () => {
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3"), task("T1.4")),
      {
        parallel: 1,
      },
    );
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.2"]);
  });

  it("[RD3] runs phase 0 one task at a time", () => {
    const bench = Bench.of(plan(task("T0.1"), task("T0.2"), task("T0.3")));
    expect(bench.running()).toEqual(["T0.1"]);
    expect(dispatched(bench.fail("T0.1", "a"))).toEqual(["T0.1"]);
    expect(dispatched(bench.done("T0.1"))).toEqual(["T0.2"]);
  });

  it("[RD3] lets the others drain before a critical task, and lets nothing overtake it", () => {
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2"), task("T1.3", { risk: "critical" }), task("T1.4"), task("T1.5")),
    );
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
    expect(dispatched(bench.done("T1.1"))).toEqual([]);
    expect(dispatched(bench.done("T1.2"))).toEqual(["T1.3"]);
    expect(dispatched(bench.tick(1))).toEqual([]);
    expect(dispatched(bench.done("T1.3"))).toEqual(["T1.4", "T1.5"]);
  });

  it("[RD3] lets nothing join a critical task, not even its partner", () => {
    const bench = Bench.of(
      plan(
        task("T1.1", { risk: "critical", parallelWith: ["T1.2"] }),
        task("T1.2", { parallelWith: ["T1.1"] }),
      ),
    );
    expect(bench.running()).toEqual(["T1.1"]);
  });

  it("[RD3] does not send a critical task out as a partner", () => {
    const bench = Bench.of(
      plan(
        task("T1.1", { parallelWith: ["T1.2"] }),
        task("T1.2", { risk: "critical", parallelWith: ["T1.1"] }),
      ),
    );
    expect(bench.running()).toEqual(["T1.1"]);
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.2"]);
  });

  it("[RD3] waits for a dying lone attempt", () => {
    const bench = Bench.of(plan(task("T1.1", { risk: "critical" }), task("T1.2")));
    expect(dispatched(bench.act("cancel", "T1.1"))).toEqual([]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }))).toEqual(["T1.2"]);
  });

  it("[RD4] never lets two tasks with a common path run", () => {
    const bench = Bench.of(
      plan(task("T1.1", { files: ["a", "b"] }), task("T1.2", { files: ["b"] }), task("T1.3")),
    );
    expect(bench.running()).toEqual(["T1.1", "T1.3"]);
    expect(dispatched(bench.done("T1.3"))).toEqual([]);
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.2"]);
  });

  it("[RD4] sends many tasks on one path out one by one, in plan order", () => {
    const bench = Bench.of(plan(...free(50, { files: ["one"] })), { parallel: 50 });
    for (let n = 1; n < 50; n++) {
      expect(bench.running()).toEqual([`T1.${n}`]);
      expect(dispatched(bench.done(`T1.${n}`))).toEqual([`T1.${n + 1}`]);
    }
    bench.done("T1.50");
    expect(bench.run.ended?.outcome).toBe("completed");
    expect(bench.run.parked.size).toBe(0);
  });

  it("[RD4] wakes the next waiter when the first one cannot go", () => {
    const bench = Bench.of(
      plan(
        task("T1.1", { files: ["a"] }),
        task("T1.2", { files: ["b"] }),
        task("T1.3", { files: ["a", "b"] }),
        task("T1.4", { files: ["a"] }),
        task("T1.5", { files: ["a"] }),
      ),
    );
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.4"]);
    expect(dispatched(bench.done("T1.2"))).toEqual([]);
    expect(dispatched(bench.done("T1.4"))).toEqual(["T1.3"]);
    expect(dispatched(bench.done("T1.3"))).toEqual(["T1.5"]);
  });

  it("[RD4] wakes the next waiter when the first one was taken away", () => {
    const bench = Bench.of(plan(...free(4, { files: ["a"] })));
    bench.act("pause", "T1.2");
    bench.act("skip", "T1.3");
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.4"]);
    bench.act("resume", "T1.2");
    expect(dispatched(bench.done("T1.4"))).toEqual(["T1.2"]);
  });

  it("[RD4] wakes the next waiter when the first one waits for its time", () => {
    const bench = Bench.of(plan(...free(3, { files: ["a"] })), { backoffMs: 5000 });
    expect(dispatched(bench.fail("T1.1"))).toEqual(["T1.2"]);
    expect(dispatched(bench.fail("T1.2"))).toEqual(["T1.3"]);
    bench.tick(6000);
    expect(bench.running()).toEqual(["T1.3"]);
    expect(dispatched(bench.done("T1.3"))).toEqual(["T1.1"]);
  });

  it("[RD4] holds the paths of a dying attempt", () => {
    const bench = Bench.of(plan(task("T1.1", { files: ["a"] }), task("T1.2", { files: ["a"] })));
    expect(dispatched(bench.act("skip", "T1.1"))).toEqual([]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }))).toEqual(["T1.2"]);
  });

  it("[RD5] sends partners out together, before what stands between them", () => {
    const bench = Bench.of(
      plan(
        task("T1.1", { parallelWith: ["T1.4"] }),
        task("T1.2"),
        task("T1.3"),
        task("T1.4", { parallelWith: ["T1.1"] }),
      ),
      { parallel: 2 },
    );
    expect(bench.results[0]?.events.at(-1)).toEqual({
      type: "dispatched",
      tasks: ["T1.1", "T1.4"],
      retry: false,
    });
  });

  it("[RD5] takes no partner that is not ready, shares a path, or finds no slot", () => {
    const partners = ["T1.2", "T1.3", "T1.4", "T1.5"];
    const bench = Bench.of(
      plan(
        task("T1.1", { parallelWith: [...partners, "T9.9"], files: ["a"] }),
        task("T1.2", { parallelWith: ["T1.1"], files: ["a"] }),
        task("T1.3", { parallelWith: ["T1.1"], dependsOn: ["T1.2"] }),
        task("T1.4", { parallelWith: ["T1.1"] }),
        task("T1.5", { parallelWith: ["T1.1"] }),
      ),
      { parallel: 2 },
    );
    expect(bench.running()).toEqual(["T1.1", "T1.4"]);
  });

  it("[RD6] sends out only declared groups", () => {
    const trio = ["T1.1", "T1.3", "T1.5"];
    const bench = Bench.of(
      plan(
        ...free(6).map(t =>
          trio.includes(t.id) ? { ...t, parallelWith: trio.filter(id => id !== t.id) } : t,
        ),
      ),
      { parallelMode: "declared" },
    );
    expect(bench.running()).toEqual(trio);
    expect(dispatched(bench.done("T1.1"))).toEqual([]);
    expect(dispatched(bench.fail("T1.3", "again"))).toEqual(["T1.3"]);
    bench.done("T1.3");
    expect(dispatched(bench.done("T1.5"))).toEqual(["T1.2"]);
    expect(dispatched(bench.done("T1.2"))).toEqual(["T1.4"]);
  });

  it("[RD6] takes a partner of one only when it is a partner of all", () => {
    const bench = Bench.of(
      plan(
        task("T1.1", { parallelWith: ["T1.2"] }),
        task("T1.2", { parallelWith: ["T1.1", "T1.3"] }),
        task("T1.3", { parallelWith: ["T1.2"] }),
      ),
      { parallelMode: "declared" },
    );
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
    expect(dispatched(bench.done("T1.1"))).toEqual(["T1.3"]);
  });

  it("[RD6] waits for a dying attempt, whose partners nobody knows any more", () => {
    const bench = Bench.of(plan(...free(2)), { parallelMode: "declared" });
    expect(dispatched(bench.act("skip", "T1.1"))).toEqual([]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }))).toEqual(["T1.2"]);
  });

  it("[RD6] sends a partner out when its time comes, while the others run", () => {
    const bench = Bench.of(
      plan(task("T1.1", { parallelWith: ["T1.2"] }), task("T1.2", { parallelWith: ["T1.1"] })),
      { parallelMode: "declared", backoffMs: 1000 },
    );
    bench.fail("T1.2");
    expect(bench.run.due.nextAt()).toBe(bench.now + 1000);
    expect(dispatched(bench.tick(1000))).toEqual(["T1.2"]);
  });

  it("[RD7] tells first attempts and retries apart", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.3"] }), task("T1.3")), {
      backoffMs: 1000,
    });
    bench.fail("T1.1");
    bench.act("pause", "T1.3");
    bench.act("done", "T1.3");
    bench.now += 5000;
    const out = bench.end("T1.3", { kind: "cancelled" }, 1);
    expect(out.events).toEqual([{ type: "dispatched", tasks: ["T1.1"], retry: true }]);
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
  });

  it("[RD7] tells both kinds when they go at once", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.3"] }), task("T1.3")), {
      backoffMs: 1000,
    });
    bench.fail("T1.1");
    bench.now += 5000;
    const told = bench.done("T1.3").events.filter(event => event.type === "dispatched");
    expect(told).toEqual([
      { type: "dispatched", tasks: ["T1.2"], retry: false },
      { type: "dispatched", tasks: ["T1.1"], retry: true },
    ]);
  });

  it("[RD8] does not give a task a second agent while the first one dies", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.act("pause", "T1.1");
    expect(dispatched(bench.act("resume", "T1.1"))).toEqual([]);
    expect(bench.status("T1.1")).toBe("ready");
    const out = bench.end("T1.1", { kind: "done", verified: true, textHash: "" }, 1);
    expect(out.commands).toEqual([{ type: "dispatch", task: "T1.1", attempt: 2 }]);
    expect(out.events).toEqual([{ type: "dispatched", tasks: ["T1.1"], retry: false }]);
  });
});
