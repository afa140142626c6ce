import { describe, expect, it } from "vitest";
import { done, edges, messages, read } from "./reading.ts";

describe("what a plan in JSON does not read", () => {
  const told = (value: unknown) =>
    read(JSON.stringify(value), "t.json").diagnostics.map(({ code, severity, hint }) => [
      code,
      severity,
      hint,
    ]);

  it("[L89] is told of a task without an id", () => {
    const planned = [
      { subject: "lost" },
      { id: "", subject: "too" },
      { id: "t1", subject: "kept" },
      { note: "x" },
      7,
    ];
    for (const value of [planned, { tasks: planned }])
      expect(told(value)).toEqual(Array(2).fill(["NO_ID", "warning", "give it an id of its own"]));
    expect(told({ tasks: [{ id: 1, title: "a", subtasks: [{ title: "lost" }] }] })).toHaveLength(1);
  });

  it("[L96] is told of a task that does not say what is to be done", () => {
    const planned = [{ id: "a", subject: null }, { id: "b", description: "all" }, { id: "c", name: "c" }, {}];
    for (const value of [{ context_nodes: [], tasks: planned }, { tasks: planned }])
      expect(told(value)).toEqual(Array(2).fill(["NO_TITLE", "warning", "give it a title"]));
  });

  it("[L89] is told of a key that is like one that is read, once", () => {
    const first = { id: "t1", subject: "a" };
    expect(told([first, { id: "t2", subject: "b", depend_on: ["t1"] }])).toEqual([
      ["UNKNOWN_KEY", "warning", "did you mean depends_on?"],
    ]);
    expect(
      told([
        { ...first, fiels: [] },
        { id: "t2", subject: "b", fiels: [] },
      ]),
    ).toEqual([["UNKNOWN_KEY", "warning", "did you mean files?"]]);
    expect(told({ tasks: [{ id: 1, title: "a", test_strategy: "x" }] })).toEqual([
      ["UNKNOWN_KEY", "warning", "did you mean testStrategy?"],
    ]);
    const others = {
      priority: "high",
      complexity: 3,
      owner: "me",
      updatedAt: "now",
      tags: [],
      metadata: {},
      parentId: 4,
    };
    expect(told([{ ...first, ...others }])).toEqual([]);
    expect(told({ tasks: [{ id: 1, title: "a", ...others }] })).toEqual([]);
  });

  it("[L89] is told of what a task waits for that is no id, and of tasks in a task of planner output", () => {
    const first = { id: "t1", subject: "a" };
    for (const waits of [{ 0: "t1" }, [["t1"]], [true], false, [{ task: "t1" }]])
      expect(told([first, { id: "t2", subject: "b", depends_on: waits }])).toEqual([
        ["UNREAD_DEP", "warning", "write the ids of the tasks in a list"],
      ]);
    expect(told([first, { id: "t2", subject: "b", depends_on: null, dependsOn: [null, "t1"] }])).toEqual([]);
    const nested = { ...first, subtasks: [{ id: "t2", subject: "lost" }] };
    expect(told([nested, { ...nested, id: "t3" }])).toEqual([
      ["UNKNOWN_KEY", "warning", "put these tasks into the list, each with an id of its own"],
    ]);
    expect(told([{ ...first, subtasks: [] }])).toEqual([]);
  });

  it("[L89] is told of a key beside the one that it is like, where a later task has it alone", () => {
    const both = { id: "t1", subject: "a", files: [], fiels: [] };
    expect(told([both])).toEqual([]);
    expect(told([both, { id: "t2", subject: "b", fiels: [] }])).toEqual([
      ["UNKNOWN_KEY", "warning", "did you mean files?"],
    ]);
  });

  it("[L89] looks at no more names of keys than a list can have", () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`file_${index}x`, 1]));
    expect(told([{ id: "t1", subject: "a", ...many, fiels: [] }])).toEqual([]);
  });

  describe.each([
    ["planner output", "subject"],
    ["Task Master", "title"],
  ])("%s of other hands", (_, title) => {
    const plan = (...tasks: readonly object[]) => read(JSON.stringify({ tasks }), "t.json");
    const named = (id: unknown, more: object = {}) => ({ id, [title]: "a", ...more });

    it.each(["depends_on", "dependencies", "dependsOn", "depends", "blockedBy", "blocked_by"])(
      "[L90] what a task waits for is read under the name %s",
      name => {
        for (const waits of ["1", 1, ["1"], [1], [{ id: 1 }], " 1 ", "1,", ["1", "none"]]) {
          const reading = plan(named(1), named(2, { [name]: waits }));
          expect(edges(reading)).toEqual(["2 <- 1"]);
          expect(reading.diagnostics).toEqual([]);
        }
      },
    );

    it.each(["", " ", "-", "none", "None", "없음", null])(
      "[L90] a task waits for nothing where it says %j",
      nothing => {
        for (const waits of [nothing, [nothing]])
          expect(plan(named(1), named(2, { dependsOn: waits })).diagnostics).toEqual([]);
        expect(edges(plan(named("none"), named(2, { dependsOn: "none" })))).toEqual(["2 <- none"]);
      },
    );

    it("[L90] ids in one text are told apart by commas, and an id may have one", () => {
      const reading = plan(
        named(1),
        named(2),
        named("1, 2"),
        named(4, { dependsOn: "1, 2" }),
        named(5, { dependsOn: "2, 1" }),
      );
      expect(edges(reading)).toEqual(["4 <- 1, 2", "5 <- 1 2"]);
      expect(messages(plan(named(1), named(2, { dependsOn: "1, 9" })), "MISSING_DEP")).toEqual([
        "ERROR:MISSING_DEP:2->9",
      ]);
    });

    it("[L90] a task has its title under other names, and the state of its status", () => {
      const list = plan(
        named(1, { status: "Done" }),
        { id: 2, name: "b", status: "cancelled" },
        { id: 3, content: "c", status: "in_progress" },
      );
      expect(list.plan.tasks.map(found => found.title)).toEqual(["a", "b", "c"]);
      expect(done(list)).toEqual(["1"]);
      expect(list.plan.tasks.map(found => found.skip === true)).toEqual([false, true, false]);
    });
  });
});
