import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createResolver, type Known, type Where } from "../../src/plan/graph/resolve.ts";
import { phasePrefix } from "../../src/plan/syntax/ids.ts";
import { toPhase } from "../../src/plan/syntax/phase.ts";
import { readRefs } from "../../src/plan/syntax/refs.ts";

/** Tasks by their ids; the phase is that of the id's own prefix, else 1. */
function tasksOf(...ids: string[]): Known[] {
  return ids.map(id => ({ id, phase: toPhase(phasePrefix(id) ?? /^T(\d+)\./.exec(id)?.[1] ?? "1") }));
}

const LAYERS = tasksOf(
  "P0-T0.1",
  "P0-T0.2",
  "P1-R1-T1",
  "P1-R1-T2",
  "P1-R2-T1",
  "P1-S1-T1",
  "P1-S1-V",
  "P1-V",
  "P2-R1-T1",
  "P2-S1-T1",
  "P2-S1-T2",
  "P2-S2-T1",
  "P10-T1",
  "P1.5-SK1-T1",
  "PF-R1-T1",
);

/** Ids that a value means, as the resolver sees it. */
function meaning(
  tasks: readonly Known[],
  value: string,
  where: Where = {},
  groups: ReadonlyMap<string, readonly number[]> = new Map(),
): string[] | undefined {
  const resolver = createResolver(tasks, groups);
  const found = readRefs([{ text: value, line: 1, column: 1 }], true).refs.map(ref =>
    resolver.resolve(ref, where),
  );
  if (found.some(one => one === undefined)) return undefined;
  return found.flatMap(one => one!.tasks.map(index => tasks[index]!.id));
}

describe("names and what they mean", () => {
  it.each([
    ["P1-R1-T1", ["P1-R1-T1"]],
    ["p1-r1-t1", ["P1-R1-T1"]],
    ["P01-R1-T01", ["P1-R1-T1"]],
    ["P1-R1", ["P1-R1-T1", "P1-R1-T2"]],
    ["P1-R1-*", ["P1-R1-T1", "P1-R1-T2"]],
    ["P1-R*", ["P1-R1-T1", "P1-R1-T2", "P1-R2-T1"]],
    ["P1-R1~R2", ["P1-R1-T1", "P1-R1-T2", "P1-R2-T1"]],
    ["P1-R1-T1~P1-R1-T2", ["P1-R1-T1", "P1-R1-T2"]],
    ["P1-R1-T1~T2", ["P1-R1-T1", "P1-R1-T2"]],
    ["P2-S1~P2-S2", ["P2-S1-T1", "P2-S1-T2", "P2-S2-T1"]],
    ["P0", ["P0-T0.1", "P0-T0.2"]],
    ["P1.5", ["P1.5-SK1-T1"]],
    ["P10", ["P10-T1"]],
    ["P1-V", ["P1-V"]],
    ["P1-S1-V", ["P1-S1-V"]],
    ["PF-R1", ["PF-R1-T1"]],
    ["SK1-T1", ["P1.5-SK1-T1"]],
    ["P2-S1-T2/T1", ["P2-S1-T2", "P2-S1-T1"]],
    ["P2-S1-T1/T2", ["P2-S1-T1", "P2-S1-T2"]],
    ["P1-R1/R2", ["P1-R1-T1", "P1-R1-T2", "P1-R2-T1"]],
    ["P2-S1-T1/T9", undefined],
    ["P9-T1", undefined],
    ["P1-R9", undefined],
    ["P1-R1-T9", undefined],
    ["P9", undefined],
    ["P1-X*", undefined],
    ["P1-R1-T1~P9-T1", undefined],
  ])("[L31] %s means %j", (value, expected) => {
    expect(meaning(LAYERS, value)).toEqual(expected);
  });

  it.each<[string, Where, string[] | undefined]>([
    ["R1-T1", { phase: 1 }, ["P1-R1-T1"]],
    ["R1-T1", { phase: 2 }, ["P2-R1-T1"]],
    ["R1-T1", {}, undefined],
    ["R1", { phase: 1 }, ["P1-R1-T1", "P1-R1-T2"]],
    ["T1", { phase: 2, id: "P2-S1-T2" }, ["P2-S1-T1"]],
    ["T2", { phase: 2, id: "P2-S2-T1" }, ["P2-S1-T2"]],
    ["S1", { phase: 2, id: "P2-S2-T1" }, ["P2-S1-T1", "P2-S1-T2"]],
    ["V", { phase: 1 }, undefined],
    ["S1-V", { phase: 1, id: "P1-R1-T1" }, ["P1-S1-V"]],
    ["T0.1", { phase: 2 }, ["P0-T0.1"]],
    ["P1-T0.1", { phase: 1 }, undefined],
  ])("[L31] %s in %j means %j", (value, where, expected) => {
    const named = meaning(LAYERS, value, where);
    expect(named === undefined || named.length === 0 ? undefined : named).toEqual(expected);
  });

  it("[L31] a phase in front of an id that has none of its own", () => {
    const tasks = tasksOf("T1.1", "T2.1");
    expect(meaning(tasks, "P1-T1.1")).toEqual(["T1.1"]);
    expect(meaning(tasks, "P2-T1.1")).toBeUndefined();
  });

  it("[L31] headings name groups before ids do", () => {
    const groups = new Map([
      ["G1", [2, 3]],
      ["M1", [0]],
      ["P1-R1", [4]],
    ]);
    expect(meaning(LAYERS, "M1", {}, groups)).toEqual(["P0-T0.1"]);
    expect(meaning(LAYERS, "P1-R1", {}, groups)).toEqual(["P1-R2-T1"]);
    expect(createResolver(LAYERS, groups).find("G1", {})).toEqual({ tasks: [2, 3], single: false });
  });

  it("[L31] a milestone without a heading is the phase of that number", () => {
    expect(meaning(LAYERS, "M0")).toEqual(["P0-T0.1", "P0-T0.2"]);
    expect(meaning(LAYERS, "M0~M1")?.length).toBe(2 + 6 + 0);
  });

  it("[L31] resources and screens of a phase", () => {
    expect(meaning(LAYERS, "P1 Resource")).toEqual(["P1-R1-T1", "P1-R1-T2", "P1-R2-T1"]);
    expect(meaning(LAYERS, "Phase 1 화면 태스크")).toEqual(["P1-S1-T1", "P1-S1-V"]);
    expect(meaning(tasksOf("T1.1", "T1.2"), "Phase 1 Resource")).toEqual(["T1.1", "T1.2"]);
  });

  it("[L30] ranges of one family, as people count", () => {
    const tasks = tasksOf("T1.1", "T1.2", "T1.9", "T1.10", "T1.11", "T2.1", "TASK-5", "X1");
    expect(meaning(tasks, "T1.2~T1.10")).toEqual(["T1.2", "T1.9", "T1.10"]);
    expect(meaning(tasks, "T1.9~T2.1")).toEqual(["T1.9", "T1.10", "T1.11", "T2.1"]);
    expect(meaning(tasks, "T1.1~11")).toEqual(["T1.1", "T1.2", "T1.9", "T1.10", "T1.11"]);
    expect(meaning(tasks, "T1.10~T1.2")).toEqual(["T1.2", "T1.9", "T1.10"]);
  });

  it("[L30] numbers as ids", () => {
    const tasks = tasksOf("1", "1.1", "1.2", "1.10", "2");
    expect(meaning(tasks, "1.1-1.10")).toEqual(["1.1", "1.2", "1.10"]);
    expect(meaning(tasks, "1, 2")).toEqual(["1", "2"]);
    expect(meaning(tasks, "01.01")).toEqual(["1.1"]);
  });

  it("[L33] families are the letters ids begin with", () => {
    const resolver = createResolver(tasksOf("BE-1", "T1"), new Map());
    expect(resolver.isFamily("BE-9")).toBe(true);
    expect(resolver.isFamily("be-9")).toBe(true);
    expect(resolver.isFamily("T99")).toBe(true);
    expect(resolver.isFamily("FE-1")).toBe(false);
  });

  it("[L31] every id means itself, whatever else there is", () => {
    const id = fc.constantFrom(
      "T1",
      "T1.1",
      "T1.10",
      "P1-T1",
      "P1-R1-T1",
      "P1-R1-T1.1",
      "P2-V",
      "P1",
      "M1",
      "M1-T1",
      "1",
      "1.1",
      "001",
      "PF-T1",
      "BE-1",
      "__proto__",
      "constructor",
    );
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1 }), fc.nat(), (list, pick) => {
        const tasks = list.map(one => ({ id: one, phase: 1 }));
        const wanted = list[pick % list.length]!;
        expect(createResolver(tasks, new Map()).find(wanted, {})).toEqual({
          tasks: [list.indexOf(wanted)],
          single: true,
        });
      }),
      { numRuns: 500 },
    );
  });

  it("[L31] what is found is always in the plan, and each once", () => {
    const part = fc.constantFrom(
      "P1",
      "P2",
      "R1",
      "S1",
      "T1",
      "T2",
      "V",
      "T1.1",
      "-",
      "-",
      ".",
      "~",
      "*",
      ", ",
      " ",
      "Phase 1",
      "M1",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), parts => {
        const resolver = createResolver(LAYERS, new Map());
        for (const ref of readRefs([{ text: parts.join(""), line: 1, column: 1 }], true).refs) {
          const found = resolver.resolve(ref, { phase: 1, id: "P1-R1-T1" });
          const tasks = found?.tasks ?? [];
          expect(new Set(tasks).size).toBe(tasks.length);
          expect(tasks.every(index => LAYERS[index] !== undefined)).toBe(true);
          expect(found?.single === true && tasks.length !== 1).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
