import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildGraph, sortNodes } from "../../src/plan/graph/graph.ts";
import { criticalPath, findCycles, levels, type Plan, type Task, widestFront } from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { codes, errors, messages, read } from "./reading.ts";

/** A task of a made-up plan. */
function made(id: string, dependsOn: readonly string[] = [], rest: Partial<Task> = {}): Task {
  return {
    id,
    phase: 1,
    title: id,
    kind: "worker",
    done: false,
    dependsOn,
    parallelWith: [],
    files: [],
    line: 1,
    text: id,
    ...rest,
  };
}

function planOf(tasks: readonly Task[]): Plan {
  return { format: "tasks-md", project: "x", phases: [], tasks, contextNodes: [] };
}

/** A plan of tasks 0…n-1, by what each waits for. */
function chart(before: readonly (readonly number[])[]): Task[] {
  return before.map((list, n) =>
    made(
      `T${n}`,
      [...new Set(list)].map(other => `T${other}`),
    ),
  );
}

/** Any graph, cycles and all. */
const anyGraph = fc
  .integer({ min: 1, max: 8 })
  .chain(n => fc.array(fc.array(fc.nat(n - 1), { maxLength: 3 }), { minLength: n, maxLength: n }));

/** Graphs that only wait for smaller numbers. */
const acyclic = fc
  .integer({ min: 1, max: 12 })
  .chain(n =>
    fc.tuple(
      ...Array.from({ length: n }, (_, i) =>
        fc.array(fc.nat(Math.max(0, i - 1)), { maxLength: i === 0 ? 0 : 4 }),
      ),
    ),
  );

/** Length of the shortest cycle through each task, by trying all ways. */
function shortestCycles(before: readonly (readonly number[])[]): (number | undefined)[] {
  return before.map((_, start) => {
    let reached = new Set<number>([start]);
    for (let length = 1; length <= before.length; length++) {
      reached = new Set([...reached].flatMap(node => before[node]!));
      if (reached.has(start)) return length;
    }
    return undefined;
  });
}

/** Which tasks can reach each other both ways. */
function tangleOf(before: readonly (readonly number[])[], start: number): string {
  const reach = (from: number) => {
    const seen = new Set<number>();
    const queue = [...before[from]!];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...before[next]!);
    }
    return seen;
  };
  const mine = reach(start);
  return before.flatMap((_, node) => (mine.has(node) && reach(node).has(start) ? [node] : [])).join(",");
}

describe("cycles", () => {
  it.each([
    [[], []],
    [[[]], []],
    [[[0]], ["T0->T0"]],
    [[[1], [0]], ["T0->T1->T0"]],
    [[[1], [2], [0]], ["T0->T1->T2->T0"]],
    [[[1], [2], [0, 1]], ["T1->T2->T1"]],
    [[[], [0], [1]], []],
    [
      [[1], [0], [3], [2]],
      ["T0->T1->T0", "T2->T3->T2"],
    ],
    [
      [[0], [2], [1]],
      ["T0->T0", "T1->T2->T1"],
    ],
    [[[1, 0], [0]], ["T0->T0"]],
  ])("[L41] %j has %j", (before, expected) => {
    expect(findCycles(chart(before)).map(cycle => cycle.join("->"))).toEqual(expected);
  });

  it("[L41] reports one shortest cycle for every tangle, and nothing else", () => {
    fc.assert(
      fc.property(anyGraph, before => {
        const lengths = shortestCycles(before);
        const tangles = new Map<string, number>();
        for (const [node, length] of lengths.entries()) {
          if (length === undefined) continue;
          const key = tangleOf(before, node);
          tangles.set(key, Math.min(tangles.get(key) ?? Number.POSITIVE_INFINITY, length));
        }
        const found = findCycles(chart(before));
        const byValue = (a: number, b: number) => a - b;
        expect(found.map(cycle => cycle.length - 1)).toEqual([...tangles.values()].sort(byValue));
        for (const cycle of found) {
          expect(cycle[0]).toBe(cycle.at(-1));
          const numbers = cycle.map(id => Number(id.slice(1)));
          for (let i = 0; i + 1 < numbers.length; i++) expect(before[numbers[i]!]).toContain(numbers[i + 1]);
          expect(Math.min(...numbers)).toBe(numbers[0]);
          expect(new Set(numbers).size).toBe(numbers.length - 1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("[L41] shortest ones come first", () => {
    expect(findCycles(chart([[1], [2], [0], [4], [3], [5]])).map(cycle => cycle.length)).toEqual([2, 3, 4]);
  });

  it("[L41] a cycle of 1,000 is reported whole, and 30,000 do not overflow", () => {
    const ring = (n: number) => Array.from({ length: n }, (_, i) => [(i + 1) % n]);
    expect(findCycles(chart(ring(1000)))[0]).toHaveLength(1001);
    expect(findCycles(chart(ring(30_000)))[0]).toHaveLength(30_001);
  });

  it("[L41] a chain of 100,000 in any order has none", () => {
    const down = Array.from({ length: 100_000 }, (_, i) => (i === 99_999 ? [] : [i + 1]));
    expect(findCycles(chart(down))).toEqual([]);
  });

  it("[L41] a tangle of everything with everything ends soon", () => {
    const all = Array.from({ length: 400 }, (_, i) => i);
    expect(findCycles(chart(all.map(n => all.filter(other => other !== n))))[0]).toHaveLength(3);
  });

  it("[L41] the message is exactly this", () => {
    const reading = read(
      "- [ ] T1.3: a\n  - 의존: T1.4\n- [ ] T1.4: b\n  - 의존: T1.3\n- [ ] T1.5: c\n  - 의존: T1.5\n",
    );
    expect(messages(reading, "CIRCULAR_DEP").sort()).toEqual([
      "ERROR:CIRCULAR_DEP:T1.3->T1.4->T1.3",
      "ERROR:CIRCULAR_DEP:T1.5->T1.5",
    ]);
    expect(reading.diagnostics[0]).toMatchObject({ line: 1, severity: "error" });
  });

  it("[L41] a container that waits for what waits for its part is a cycle", () => {
    const reading = read(
      "- [ ] P1-T1: a\n  - 의존: P1-T2\n  - [ ] P1-T1.1: b\n- [ ] P1-T2: c\n  - 의존: P1-T1.1\n",
    );
    expect(errors(reading)).toEqual(["CIRCULAR_DEP"]);
    expect(messages(reading, "CIRCULAR_DEP")).toEqual(["ERROR:CIRCULAR_DEP:P1-T1->P1-T2->P1-T1.1->P1-T1"]);
  });

  it("[L41] a part that waits for what its container waits for is none", () => {
    expect(
      errors(
        read("- [ ] P1-T1: a\n  - 의존: P1-T0\n  - [ ] P1-T1.1: b\n    - 의존: P1-T0\n- [ ] P1-T0: c\n"),
      ),
    ).toEqual([]);
  });

  it("[L41] two containers that wait for each other are a cycle", () => {
    const reading = read(
      "- [ ] P1-T1: a\n  - 의존: P1-T2\n  - [ ] P1-T1.1: b\n- [ ] P1-T2: c\n  - 의존: P1-T1\n  - [ ] P1-T2.1: d\n",
    );
    expect(errors(reading)).toEqual(["CIRCULAR_DEP"]);
  });

  it("[L41] a plan with a cycle is still shown", () => {
    const reading = read("- [ ] T1: a (depends on T2)\n- [ ] T2: b (depends on T1)\n- [ ] T3: c\n");
    expect(reading.plan.tasks).toHaveLength(3);
    expect(codes(reading)).toEqual(["CIRCULAR_DEP"]);
  });
});

describe("order", () => {
  it("[L42] Kahn's order puts every task behind those it waits for", () => {
    fc.assert(
      fc.property(acyclic, before => {
        const graph = buildGraph(chart(before));
        const sorted = sortNodes(graph);
        const place = new Map(sorted.map((node, index) => [node, index]));
        expect(sorted).toHaveLength(before.length);
        for (const [node, list] of before.entries())
          for (const other of list) expect(place.get(other)!).toBeLessThan(place.get(node)!);
      }),
      { numRuns: 500 },
    );
  });

  it("[L42] leaves out what is on a cycle or behind one", () => {
    const graph = buildGraph(chart([[], [0], [3], [2], [3], [1]]));
    expect(sortNodes(graph)).toEqual([0, 1, 5]);
  });

  it("[L42] levels are the longest chains before a task", () => {
    fc.assert(
      fc.property(acyclic, before => {
        const depth: number[] = [];
        for (const [node, list] of before.entries())
          depth[node] = Math.max(0, ...list.map(other => depth[other]! + 1));
        const found = levels(planOf(chart(before)));
        const expected = Array.from({ length: Math.max(...depth) + 1 }, (_, level) =>
          depth.flatMap((mine, node) => (mine === level ? [`T${node}`] : [])),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("[L42] the critical path is a chain as long as there are levels", () => {
    fc.assert(
      fc.property(acyclic, before => {
        const plan = planOf(chart(before));
        const path = criticalPath(plan).map(id => Number(id.slice(1)));
        expect(path).toHaveLength(levels(plan).length);
        for (let i = 1; i < path.length; i++) expect(before[path[i]!]).toContain(path[i - 1]);
      }),
      { numRuns: 500 },
    );
  });

  it("[L42] what the file leaves out is in no front and no chain, and what waits for it starts at once", () => {
    const text =
      "## Phase 1: A\n- [ ] T1.1: a\n- [ ] ~~T1.2: b~~\n- [cancelled] T1.3: c\n- [ ] T1.4: d\n  - depends_on: T1.2\n";
    const { plan } = read(text);
    expect(levels(plan)).toEqual([["T1.1", "T1.4"]]);
    expect(widestFront(plan)).toEqual(["T1.1", "T1.4"]);
    expect(criticalPath(plan)).toHaveLength(1);
  });

  it("[L42] the widest front is the largest level", () => {
    fc.assert(
      fc.property(acyclic, before => {
        const plan = planOf(chart(before));
        const widest = Math.max(...levels(plan).map(level => level.length));
        expect(widestFront(plan)).toHaveLength(widest);
        expect(levels(plan)).toContainEqual(widestFront(plan));
      }),
      { numRuns: 300 },
    );
  });

  it("[L42] empty plans have no path, front or levels", () => {
    expect(criticalPath(planOf([]))).toEqual([]);
    expect(widestFront(planOf([]))).toEqual([]);
    expect(levels(planOf([]))).toEqual([]);
  });

  it("[L42] tasks on cycles are left out, unknown ids ignored", () => {
    const plan = planOf([made("a", ["b"]), made("b", ["a"]), made("c", ["nobody"]), made("d", ["c"])]);
    expect(levels(plan)).toEqual([["c"], ["d"]]);
    expect(criticalPath(plan)).toEqual(["c", "d"]);
  });

  it("[L42] parts wait for what their container waits for, and others for all parts", () => {
    const plan = planOf([
      made("first"),
      made("box", ["first"], { children: ["box.1", "box.2"] }),
      made("box.1"),
      made("box.2", ["box.1"]),
      made("last", ["box"]),
    ]);
    expect(levels(plan)).toEqual([["first"], ["box.1"], ["box.2"], ["last"]]);
    expect(criticalPath(plan)).toEqual(["first", "box.1", "box.2", "last"]);
  });

  it("[L42] containers nest", () => {
    const plan = planOf([
      made("a"),
      made("x", ["a"], { children: ["x.1", "x.2"] }),
      made("x.1", [], { children: ["x.1.1"] }),
      made("x.1.1"),
      made("x.2", ["x.1"]),
      made("z", ["x"]),
    ]);
    expect(levels(plan)).toEqual([["a"], ["x.1.1"], ["x.2"], ["z"]]);
  });

  it("[L42] file order counts where the format says so, and can be left out", () => {
    const plan = planOf([
      made("a", [], { order: "sequential" }),
      made("b", [], { order: "parallel" }),
      made("c", [], { order: "parallel" }),
      made("d", [], { order: "sequential" }),
      made("e", [], { order: "parallel" }),
    ]);
    expect(levels(plan)).toEqual([["a"], ["b", "c"], ["d"], ["e"]]);
    expect(widestFront(plan)).toEqual(["b", "c"]);
    expect(levels(plan, { order: false })).toEqual([["a", "b", "c", "d", "e"]]);
  });

  it("[L42] file order ends with its phase", () => {
    const plan = planOf([
      made("a", [], { order: "sequential" }),
      made("b", [], { order: "sequential" }),
      made("c", [], { order: "sequential", phase: 2 }),
    ]);
    expect(levels(plan)).toEqual([["a", "c"], ["b"]]);
    expect(levels(plan, { phases: true })).toEqual([["a"], ["b"], ["c"]]);
  });

  it("[L42] phases follow each other where that is asked for, in their order", () => {
    const plan = planOf([
      made("f", [], { phase: "PF" }),
      made("b", [], { phase: 10 }),
      made("a", [], { phase: 0.5 }),
      made("a2", ["a"], { phase: 0.5 }),
      made("c", [], { phase: 2 }),
    ]);
    expect(levels(plan)).toEqual([["f", "b", "a", "c"], ["a2"]]);
    expect(levels(plan, { phases: true })).toEqual([["a"], ["a2"], ["c"], ["b"], ["f"]]);
    expect(criticalPath(plan, { phases: true })).toEqual(["a", "a2", "c", "b", "f"]);
  });

  it("[L42] tasks in ten phases take linear time", () => {
    const tenPhases = (size: number) =>
      planOf(
        Array.from({ length: size }, (_, n) =>
          made(`T${n}`, n % (size / 100) === 0 ? [] : [`T${n - 1}`], { phase: Math.floor((10 * n) / size) }),
        ),
      );
    const inPhases = (plan: Plan) => levels(plan, { phases: true });
    expect(inPhases(tenPhases(100_000))).toHaveLength(10_000);
    expect(growth(5000, tenPhases, inPhases)).toBeLessThan(LINEAR);
  });
});
