import { describe, expect, it } from "vitest";
import { askedTasks, askResearch, carryAsked, diffPlans, levels } from "../../src/plan/index.ts";
import { read, task } from "./reading.ts";

const reading = read("- [ ] T1: a\n  - context: ctx-api\n  - role: scribe\n- [ ] T2: b\n");
const { plan } = reading;

describe("research that a worker asks for", () => {
  it("[L59] fills what the worker reads, and the worker waits for it", () => {
    const asked = askResearch(plan, "T1", ["which header?"], 5);
    expect(asked?.tasks.map(({ id }) => id)).toEqual(["T1-R1", "T1", "T2"]);
    expect(asked?.tasks[0]).toMatchObject({
      kind: "context-fill",
      fills: "ctx-api",
      phase: task(reading, "T1").phase,
      title: "which header?",
      text: "which header?",
      role: "scribe",
      asked: { by: "T1", question: "which header?" },
      line: 0,
    });
    expect(asked?.tasks[1]?.preparedBy).toEqual(["T1-R1"]);
    expect(levels(asked!)).toEqual([["T1-R1", "T2"], ["T1"]]);
    expect(plan.tasks).toHaveLength(2);
  });

  it("[L59] without a node of its own it fills the root", () => {
    expect(askResearch(plan, "T2", ["what?"], 5)?.tasks.find(({ id }) => id === "T2-R1")?.fills).toBe(
      "ctx-root",
    );
  });

  it("[L59] each question is asked once, up to the limit of the run", () => {
    const one = askResearch(plan, "T1", ["a?", "a?", "b?"], 5)!;
    expect(askedTasks(one).map(({ id, text }) => `${id} ${text}`)).toEqual(["T1-R1 a?", "T1-R2 b?"]);
    expect(askResearch(one, "T1", ["a?"], 5)).toBeUndefined();
    expect(
      askedTasks(askResearch(one, "T2", ["a?", "c?"], 3)!)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["T1-R1", "T1-R2", "T2-R1"]);
    expect(askResearch(one, "T2", ["c?"], 2)).toBeUndefined();
    expect(askResearch(plan, "T9", ["c?"], 5)).toBeUndefined();
    expect(askResearch(one, "T1-R1", ["why?"], 5)).toBeUndefined();
    expect(askResearch(plan, "T1", [], 5)).toBeUndefined();
  });

  it("[L59] takes no id that is taken", () => {
    const crowded = read("- [ ] T1: a\n- [ ] T1-R1: mine\n").plan;
    expect(askedTasks(askResearch(crowded, "T1", ["x?"], 5)!)[0]?.id).toBe("T1-R2");
  });

  it("[L59] is carried over to a plan that is read anew, while who asked is in it", () => {
    const asked = askResearch(plan, "T1", ["which header?"], 5)!;
    expect(carryAsked(plan, asked)).toEqual(asked);
    expect(carryAsked(asked, asked)).toBe(asked);
    expect(carryAsked(plan, undefined)).toBe(plan);
    expect(diffPlans(asked, carryAsked(plan, asked))).toEqual({ added: [], removed: [], changed: [] });
    const without = read("- [ ] T2: b\n").plan;
    expect(carryAsked(without, asked)).toBe(without);
  });

  it("[L59] keeps long questions whole, under a short title", () => {
    const long = "x".repeat(500);
    const found = askedTasks(askResearch(plan, "T1", [long], 5)!)[0];
    expect(found?.title).toHaveLength(80);
    expect(found?.text).toBe(long);
  });
});
