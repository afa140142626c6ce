import { describe, expect, it } from "vitest";
import { restoreRun, taskRow } from "../../src/run/index.ts";
import { told } from "../reasons.ts";
import { Bench, dispatched, plan, rules, task } from "./build.ts";

const three = () => plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3"));

function hold(bench: Bench, held: boolean) {
  return bench.send({ type: "hold", held, by: "ann", now: bench.now });
}

describe("a person holds the run", () => {
  it("[RA6] dispatches nothing new and lets go on what runs; lifting it dispatches at once", () => {
    const bench = Bench.of(three(), { parallel: 1 });
    expect(hold(bench, true).events).toEqual([{ type: "run-held", by: "ann" }]);
    expect(bench.running()).toEqual(["T1.1"]);
    expect(dispatched(bench.done("T1.1"))).toEqual([]);
    expect(bench.all()).toBe("T1.1:completed T1.2:ready T1.3:ready");
    expect(bench.run.ended).toBeUndefined();
    const out = hold(bench, false);
    expect(out.events[0]).toEqual({ type: "run-released", by: "ann" });
    expect(dispatched(out)).toEqual(["T1.2"]);
  });

  it("[RA6] refuses to hold twice and to lift what is not held", () => {
    const bench = Bench.of(three());
    expect(hold(bench, false).refused).toEqual(told("the run is not held"));
    expect(hold(bench, true).refused).toBeUndefined();
    expect(hold(bench, true)).toMatchObject({ refused: told("the run is held already"), events: [] });
  });

  it("[RA6] retries that come due wait as well, without waking anybody again and again", () => {
    const bench = Bench.of(three(), { parallel: 2, backoffMs: 1000 });
    bench.fail("T1.1");
    hold(bench, true);
    bench.done("T1.3");
    expect(dispatched(bench.tick(60_000))).toEqual([]);
    expect(bench.run.due.nextAt()).toBeUndefined();
    expect(bench.run.ended).toBeUndefined();
    expect(dispatched(hold(bench, false))).toEqual(["T1.1"]);
  });

  it("[RA6] a held run still ends when everything has ended, and when it is stopped", () => {
    const done = Bench.of(plan(task("T1.1")));
    hold(done, true);
    done.done("T1.1");
    expect(done.run.ended?.outcome).toBe("completed");
    const stopped = Bench.of(three(), { parallel: 1 });
    hold(stopped, true);
    stopped.done("T1.1");
    stopped.stop();
    expect(stopped.run.ended?.outcome).toBe("interrupted");
  });

  it("[RA6] outlives a process that died, and no stop", () => {
    const bench = Bench.of(three(), { parallel: 1 });
    expect(hold(bench, true).runTouched).toBe(true);
    const after = new Bench(
      restoreRun(bench.run.plan, bench.run.tasks.map(taskRow), { policy: rules(), held: true }),
    );
    expect(dispatched(after.start(true))).toEqual([]);
    expect(after.run.ended).toBeUndefined();
    expect(dispatched(hold(after, false))).toEqual(["T1.1", "T1.3"]);
    bench.stop();
    expect(bench.run.held).toBe(false);
  });

  it("[RA6] outlives a changed plan", () => {
    const bench = Bench.of(three(), { parallel: 1 });
    hold(bench, true);
    bench.done("T1.1");
    expect(dispatched(bench.edit(plan(task("T1.1"), task("T1.2"), task("T1.4"))))).toEqual([]);
    expect(dispatched(hold(bench, false)).length).toBe(1);
  });

  it("[RA7] an act says who did it, where that is known", () => {
    const bench = Bench.of(three(), { parallel: 1 });
    const act = { type: "act", action: "skip", note: "", textHash: "", now: bench.now } as const;
    expect(bench.send({ ...act, task: "T1.3", by: "ann" }).events[0]).toMatchObject({
      type: "person",
      by: "ann",
    });
    expect(bench.send({ ...act, task: "T1.2" }).events[0]).not.toHaveProperty("by");
  });
});
