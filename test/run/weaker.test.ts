import { describe, expect, it } from "vitest";
import type { Task } from "../../src/plan/index.ts";
import { weakerBy } from "../../src/run/weaker.ts";
import { told } from "../reasons.ts";
import { Bench, edited, plan, task, withTask } from "./build.ts";

const held = {
  dependsOn: ["T1.1"],
  verify: "make check",
  test: "make test",
  run: "make",
  expects: ["diff", "out"],
  order: "sequential",
} as const;

const unproved = (t: Task): Task => {
  const { verify: _, ...rest } = edited(t);
  return rest;
};

describe("tasks that are held to less", () => {
  it.each<[string, Partial<Task>]>([
    ["verify", { verify: undefined }],
    ["verify", { verify: "true" }],
    ["test", { test: "true" }],
    ["run", { run: undefined }],
    ["expects", { expects: ["diff"] }],
    ["expects", { expects: undefined }],
    ["tdd", { tdd: false }],
    ["depends_on", { dependsOn: [] }],
    ["order", { order: "parallel" }],
    ["phase", { phase: 0 }],
    ["review", { review: "no" }],
    ["review", { review: "somebody-else" }],
  ] as [string, Partial<Task>][])(
    "[RE9] puts a task before a person that is held to less: %s",
    (field, less) => {
      const before = plan(task("T1.1"), task("T1.2", held), task("T1.3"));
      const bench = Bench.of(before);
      const after = { ...before, phases: [{ phase: 0, title: "" }, ...before.phases] };
      const edit = withTask(after, "T1.2", t => ({ ...t, ...less }));
      const out = bench.edit(edit);
      const reason = told(`the task file asks less of it than before (${field}); espalier resume asks`);
      expect(out.events).toContainEqual({ type: "paused", task: "T1.2", reason, by: "rule" });
      expect(bench.state("T1.2")).toMatchObject({ status: "paused", reason });
      // What is put back afterwards does not make a person's look unnecessary.
      bench.edit(before);
      expect(bench.status("T1.2")).toBe("paused");
      bench.act("resume", "T1.2");
      expect(bench.status("T1.2")).toBe("pending");
    },
  );

  it("[RE9] leaves a task alone that is held to more, or to the same", () => {
    const before = plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3"));
    const bench = Bench.of(before);
    bench.edit(withTask(before, "T1.2", t => edited(t, { ...held, dependsOn: ["T1.3", "T1.1"], tdd: true })));
    bench.edit(
      withTask(before, "T1.2", t =>
        edited(t, {
          ...held,
          dependsOn: ["T1.1", "T1.3"],
          expects: ["out", "diff", "more"],
          run: "make all",
          tdd: true,
        }),
      ),
    );
    expect(bench.status("T1.2")).toBe("pending");
  });

  it.each<[Partial<Task>, Partial<Task>]>([
    [{ review: "no" }, { review: undefined }],
    [{ review: "no" }, { review: "somebody" }],
    [{ tdd: false }, { tdd: true }],
    [{ tdd: undefined }, { tdd: true }],
    [{ order: "parallel" }, { order: "sequential" }],
    [{ order: undefined }, { order: "parallel" }],
    [{ verify: undefined }, { verify: "true" }],
    [{ run: "make" }, { run: "make all" }],
    [{ expects: undefined }, { expects: ["out"] }],
    [{ phase: 1 }, { phase: 2 }],
  ] as [Partial<Task>, Partial<Task>][])("[RE9] %j is not more than %j", (held, more) => {
    expect(weakerBy(task("T1.1", held), task("T1.1", more))).toEqual([]);
  });

  it("[RE9] does not try a running task again that is held to less, and lets what completed stand", () => {
    const before = plan(
      task("T1.1", { verify: "make check" }),
      task("T1.2", { dependsOn: ["T1.1"] }),
      task("T1.3"),
    );
    const bench = Bench.of(before);
    bench.done("T1.3");
    bench.edit(withTask(before, "T1.1", t => unproved(t)));
    bench.edit(withTask(bench.run.plan, "T1.3", t => ({ ...t, phase: 0 })));
    expect(bench.all()).toBe("T1.1:in_progress T1.2:pending T1.3:completed");
    bench.fail("T1.1");
    expect(bench.state("T1.1")).toMatchObject({ status: "paused", retries: 1 });
    expect(bench.state("T1.1").reason?.code).toBe("asks-less");
    bench.act("resume", "T1.1");
    bench.fail("T1.1");
    expect(bench.status("T1.1")).toBe("in_progress");
  });

  it("[RE9] is not got round by taking a task out and in again", () => {
    const before = plan(task("T1.1"), task("T1.2", held), task("T1.3"));
    const bench = Bench.of(before);
    bench.edit(plan(task("T1.1"), task("T1.3")));
    bench.edit(withTask(before, "T1.2", t => unproved(t)));
    expect(bench.state("T1.2").status).toBe("paused");
  });
});
