import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBuiltOn, tasksBefore } from "../../src/plan/index.ts";
import { read } from "./reading.ts";

const planOf = (text: string) => read(text).plan;
const idsBefore = (text: string, id: string, most?: number) =>
  [...tasksBefore(planOf(text), id, most)].map(task => task.id);

/** Which earlier tasks each task waits for. */
const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map(picks => picks.map((own, at) => (at === 0 ? [] : [...new Set(own.map(one => one % at))])));

const textOf = (graph: readonly (readonly number[])[]) =>
  graph
    .map((own, at) => `### [ ] T1.${at}: a\n- depends_on: [${own.map(one => `T1.${one}`).join(", ")}]\n`)
    .join("\n");

describe("the tasks that one builds on", () => {
  it("[L88] are all that it waits for, by whatever way, each once, and those it waits for itself come first", () => {
    fc.assert(
      fc.property(graphs, graph => {
        const plan = planOf(textOf(graph));
        const closure = (at: number): Set<number> =>
          new Set(graph[at]!.flatMap(one => [one, ...closure(one)]));
        for (const at of graph.keys()) {
          const found = [...tasksBefore(plan, `T1.${at}`)].map(({ id }) => Number(id.slice(3)));
          expect(new Set(found)).toEqual(closure(at));
          expect(found).toHaveLength(new Set(found).size);
          expect(found.slice(0, graph[at]!.length)).toEqual([...graph[at]!].sort((a, b) => b - a));
          const isNamed = graph.some(own => own.includes(at));
          expect(isBuiltOn(plan, `T1.${at}`)).toBe(isNamed);
        }
      }),
    );
  });

  it("[L88] are those before it where the order of the file is that of the work, phase after phase, and none beside it", () => {
    const kiro = "- [ ] 1. A\n- [ ] 1.1 B\n- [ ] 1.2 C\n- [ ] 2. D\n- [ ] 2.1 E\n- [ ] 2.2 F\n";
    expect(idsBefore(kiro, "2.2")).toEqual(["2.1", "1.2", "1.1"]);
    expect(idsBefore(kiro, "1.1")).toEqual([]);
    expect(isBuiltOn(planOf(kiro), "2.1")).toBe(true);
    expect(isBuiltOn(planOf(kiro), "2.2")).toBe(false);
    const kit =
      "## Phase 1: Setup\n\n- [ ] T001 A\n- [ ] T002 [P] B\n- [ ] T003 [P] C\n\n## Phase 2: Work\n\n- [ ] T004 D\n";
    expect(idsBefore(kit, "T003")).toEqual(["T001"]);
    expect(idsBefore(kit, "T004")).toEqual(["T003", "T002", "T001"]);
    expect(["T003", "T004"].map(id => isBuiltOn(planOf(kit), id))).toEqual([true, false]);
  });

  it("[L88] are about so many as are wanted, in a time that grows with those alone", () => {
    const chain = Array.from({ length: 2_000 }, (_, at) => (at === 0 ? [] : [at - 1]));
    expect(idsBefore(textOf(chain), "T1.1999", 10)).toHaveLength(10);
    const wide = [...Array.from({ length: 2_000 }, () => []), Array.from({ length: 2_000 }, (_, at) => at)];
    expect(idsBefore(textOf(wide), "T1.2000", 10)).toHaveLength(10);
    expect(idsBefore(textOf(chain), "T9.9")).toEqual([]);
  });
});
