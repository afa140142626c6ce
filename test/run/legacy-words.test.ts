import { describe, expect, it } from "vitest";
import { readLegacyState } from "../../src/run/legacy-state.ts";
import { damageText, read, statuses } from "./legacy-fixtures.ts";

function refusal(json: unknown): string {
  const result = readLegacyState(json);
  return result.ok ? "read" : damageText(result.failure.how);
}

const warnings = (json: unknown): readonly string[] => read(json).warnings;

describe("what is refused, in words", () => {
  it.each<[unknown, string]>([
    [[], "not a JSON object"],
    [{ project: "shop" }, "it names neither tasks nor phases"],
    [{ retry_counts: null, tasks: null }, "it names neither tasks nor phases"],
    [{ version: "3.1", done: [] }, "version 3.1 is not one of 1.x or 2.x"],
    [{ version: "3.x", done: [] }, "version 3.x is not one of 1.x or 2.x"],
    [{ version: 3.7, done: [] }, "version 3.7 is not one of 1.x or 2.x"],
    [{ version: 1e21, done: [] }, "version 1e+21 is not one of 1.x or 2.x"],
  ])("[LS12] %j", (json, message) => {
    expect(refusal(json)).toBe(message);
  });

  it.each([
    { done: [] },
    { retry_counts: {} },
    { completedPhases: [] },
    { completed_phases: [] },
    { currentPhase: null },
    { version: 2.9, done: [] },
  ])("[LS12] not %j, which names tasks or phases", json => {
    expect(refusal(json)).toBe("read");
  });
});

describe("what is left out, with its place", () => {
  it.each<[unknown, string]>([
    [{ completed: "A" }, "completed: not a list"],
    [{ completed: "5" }, "completed: not a list"],
    [{ completed: false }, "completed: not a list"],
    [{ completed: 5 }, "completed: a number names no tasks"],
    [{ tasks: { failed: "A" } }, "tasks.failed: not a list"],
    [{ tasks: { failed: { "": {} } } }, "tasks.failed.: not a task id"],
    [{ tasks: { failed: { A: { retries: -1 } } } }, "tasks.failed.A: not a number of retries; taken as 0"],
    [{ tasks: [7] }, "tasks[0]: not an object"],
    [{ tasks: [{ id: "A", status: "done" }, null] }, "tasks[1]: not an object"],
    [{ tasks: { A: "odd" } }, "tasks.A: its status is none we know; taken as pending"],
    [{ done: ["A", ""] }, "done[1]: not a task id"],
    [
      JSON.parse('{"tasks":{"done":{"__proto__":{}}}}'),
      "tasks.done.__proto__: not a key anybody means; ignored",
    ],
    [
      JSON.parse('{"retryCounts":{"__proto__":1}}'),
      "retryCounts.__proto__: not a key anybody means; ignored",
    ],
    [{ tasks: [{ retries: 3, status: "done" }] }, "tasks[0]: not a task id"],
  ])("[LS10] [LS11] %j", (json, warning) => {
    expect(warnings(json)).toEqual([warning]);
  });

  it("[LS10] nothing is said of what is empty", () => {
    expect(warnings({ pending: null, blocked: 0, failed: [], done: {}, tasks: { A: "done" } })).toEqual([]);
    expect(warnings({ tasks: [{ id: "A", status: "done", retries: null }] })).toEqual([]);
    expect(warnings({ done: undefined, failed: [] })).toEqual([]);
  });

  it("[LS10] what has no id counts for no task", () => {
    expect(read({ tasks: [{ retries: 3, status: "done" }], done: [{}] }).tasks.size).toBe(0);
  });

  it("[LS14] no warning is longer than 300 characters", () => {
    expect(warnings({ tasks: { ["x".repeat(1000)]: "done" } })[0]).toHaveLength(235);
  });
});

describe("ids", () => {
  const isId = (id: string): boolean => read({ done: [id] }).tasks.size === 1;

  it("[LS10] have at most 200 characters, and no more than as many blanks around them", () => {
    expect(isId("x".repeat(200))).toBe(true);
    expect(isId("x".repeat(201))).toBe(false);
    expect(isId(`A${" ".repeat(399)}`)).toBe(true);
    expect(isId(`A${" ".repeat(400)}`)).toBe(false);
    expect(statuses(read({ done: [" A "] }))).toEqual({ A: "completed" });
  });

  it("[LS10] have no control characters", () => {
    for (const code of [0, 0x1f, 0x7f, 0x80, 0x9f])
      expect(isId(`a${String.fromCharCode(code)}b`)).toBe(false);
    for (const code of [0x20, 0x7e, 0xa0]) expect(isId(`a${String.fromCharCode(code)}b`)).toBe(true);
  });
});

describe("words and numbers at their limits", () => {
  it("[LS4] a status of more than 40 characters is no word", () => {
    const statusOf = (status: string): string | undefined =>
      statuses(read({ tasks: [{ id: "A", status }] }))["A"];
    expect(statusOf(`do-n_e ${"-".repeat(33)}`)).toBe("completed");
    expect(statusOf(`do-n_e ${"-".repeat(34)}`)).toBe("pending");
  });

  it.each(["retry_count", "retryCount", "retries"])("[LS7] %s of a task is a count up to 1000", name => {
    const retriesOf = (count: number): number | undefined =>
      read({ done: [{ id: "A", [name]: count }] }).tasks.get("A")?.retries;
    expect(retriesOf(1000)).toBe(1000);
    expect(retriesOf(1001)).toBe(0);
  });

  it.each<[unknown, string | undefined]>([
    [12, "12"],
    ["12", "12"],
    [" 12 ", "12"],
    ["12.25", "12.25"],
    ["phase 12.25", "12.25"],
    ["p12", "12"],
    ["pf", "PF"],
    [`${" ".repeat(18)}12`, "12"],
    [`${" ".repeat(19)}12`, undefined],
    ["1a", undefined],
    ["a1", undefined],
    [-1, undefined],
  ])("[LS8] the open phase %j is %j", (phase, label) => {
    const state = read({ done: ["A"], current_phase: phase });
    expect(state.phase).toBe(label);
    expect("phase" in state).toBe(label !== undefined);
  });

  it("[LS1] a project is a name or not told", () => {
    expect(read({ done: [], project: "shop" }).project).toBe("shop");
    for (const project of ["", 7, null]) expect(read({ done: [], project })).not.toHaveProperty("project");
  });

  it("[LS6] of two statuses that are both not ended nothing is said", () => {
    expect(warnings({ pending: ["A"], ready: ["A"], blocked: ["A"] })).toEqual([]);
    expect(warnings({ failed: ["A"], blocked: ["A"] })).toEqual([
      "A: is failed and blocked; taken as blocked",
    ]);
  });

  it("[LS9] phases named in the other spelling complete nothing either", () => {
    const told = "completed_phases: phases without tasks; no task counts as completed by them";
    expect(warnings({ completedPhases: [1] })).toEqual([told]);
    expect(warnings({ completed_phases: [1], done: ["A"] })).toEqual([]);
    expect(warnings({ completed_phases: [], pending: ["A"] })).toEqual([]);
  });
});
