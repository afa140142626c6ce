import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codes, edges, errors, messages, read, task } from "./reading.ts";

/** A plan of phases 0 to 3 with groups, to be named by dependencies. */
const PLAN = [
  "## M0: Setup (Phase 0)",
  "### [x] P0-T0.1: repo",
  "### [x] P0-T0.2: db",
  "## M1: Core (Phase 1)",
  "### P1-R1: Auth",
  "#### [ ] P1-R1-T1: model",
  "#### [ ] P1-R1-T2: api",
  "### P1-R2: Cart",
  "#### [ ] P1-R2-T1: model",
  "### P1-S1: Screen",
  "#### [ ] P1-S1-T1: layout",
  "#### [ ] P1-S1-T2: data",
  "#### [ ] P1-S1-V: check",
  "## M2: Ship (Phase 2)",
].join("\n");

/** What a task of phase 2 waits for, given the value of its field. */
function waitsFor(value: string, id = "P2-S1-T1"): readonly string[] {
  return task(read(`${PLAN}\n### [ ] ${id}: it\n- **의존**: ${value}\n`), id).dependsOn;
}

const R1 = ["P1-R1-T1", "P1-R1-T2"];

const R = [...R1, "P1-R2-T1"];

const S1 = ["P1-S1-T1", "P1-S1-T2", "P1-S1-V"];

const PHASE1 = [...R, ...S1];

const PHASE0 = ["P0-T0.1", "P0-T0.2"];

describe("what joins names", () => {
  it.each([
    ["P1-R1-T1 and (P1-R1-T2, P1-R2-T1)", R],
    ["P1-R1-T1 및 (P1-R1-T2, P1-R2-T1)", R],
    ["P1-R1-T1과 (P1-R1-T2와 P1-R2-T1)", R],
    ["(P1-R1-T1 and P1-R1-T2) and P1-R2-T1", R],
    ["P1-R1-T1 (P1-R1-T2 and P1-R2-T1 follow)", ["P1-R1-T1"]],
  ])("[L368] %s waits for %j, and nothing is told", (value, expected) => {
    const reading = read(`${PLAN}\n### [ ] P2-S1-T1: it\n- **의존**: ${value}\n`);
    expect(task(reading, "P2-S1-T1").dependsOn).toEqual(expected);
    expect(codes(reading)).not.toContain("DEP_EITHER");
  });

  it.each([
    ["P1-R1-T1 and (P1-R1-T2 or P1-R2-T1)", R],
    ["P1-R1-T1 or P1-R1-T2", R1],
    ["P1-R1-T1, or P1-R1-T2", R1],
    ["P1-R1-T1 또는 P1-R1-T2", R1],
    ["P1-R1-T1 그리고 (P1-R1-T2 혹은 P1-R2-T1)", R],
    ["P1-R1 or Phase 0", [...PHASE0, ...R1]],
  ])("[L368] %s waits for all, and says so", (value, expected) => {
    const reading = read(`${PLAN}\n### [ ] P2-S1-T1: it\n- **의존**: ${value}\n`);
    expect(task(reading, "P2-S1-T1").dependsOn).toEqual(expected);
    const [told] = reading.diagnostics.filter(({ code }) => code === "DEP_EITHER");
    expect(told).toMatchObject({ severity: "warning", line: 16 });
  });

  it.each(["write it after P1-R1-T1 or P1-R1-T2", "it (needs P1-R1-T1 or P1-R1-T2)"])(
    "[L368] is told in a title: %s",
    title => {
      const reading = read(`${PLAN}\n### [ ] P2-S1-T1: ${title}\n`);
      expect(task(reading, "P2-S1-T1").dependsOn).toEqual(R1);
      expect(codes(reading)).toContain("DEP_EITHER");
    },
  );
});

describe("what names mean", () => {
  it.each([
    ["P1-R1-T1", ["P1-R1-T1"]],
    ["p1-r1-t1", ["P1-R1-T1"]],
    ["P1-R1", R1],
    ["P1-R1, P1-R2", R],
    ["P1-R*", R],
    ["P1-R1-*", R1],
    ["P1-R1~R2", R],
    ["P1-R1-T1~T2", R1],
    ["P1-S1", S1],
    ["P1-S1-V", ["P1-S1-V"]],
    ["Phase 1", PHASE1],
    ["P1", PHASE1],
    ["M1", PHASE1],
    ["M0~M1", [...PHASE0, ...PHASE1]],
    ["Phase 0, P1-R1-T2", [...PHASE0, "P1-R1-T2"]],
    ["P0~P1", [...PHASE0, ...PHASE1]],
    ["T0.1", ["P0-T0.1"]],
    ["T0.1~T0.2", PHASE0],
    ["Phase 1 Resource", R],
    ["Phase 1 Screen", S1],
    ["P1-R1-T1 (완료), P1-R2-T1 — 계약", ["P1-R1-T1", "P1-R2-T1"]],
  ])("[L31] %s means %j", (value, expected) => {
    expect(waitsFor(value)).toEqual(expected);
  });

  it("[L31] an id without the prefix it shares with the task that names it", () => {
    const text = `${PLAN.replaceAll("P1-", "P2-").replaceAll("Phase 1", "Phase 2")}\n### [ ] P2-S1-T9: it\n- 의존: T1, R1, R2-T1\n`;
    expect(task(read(text), "P2-S1-T9").dependsOn).toEqual(["P2-R1-T1", "P2-R1-T2", "P2-R2-T1", "P2-S1-T1"]);
  });

  it("[L31] an id without its phase is of the phase of the task that names it", () => {
    const text =
      "- [ ] P4-T1.1: a\n- [ ] P5-T1.1: b\n- [ ] P5-T1.2: c\n  - 의존: T1.1\n- [ ] P4-T1.2: d\n  - 의존: T1.1\n";
    expect(edges(read(text))).toEqual(["P5-T1.2 <- P5-T1.1", "P4-T1.2 <- P4-T1.1"]);
  });

  it("[L31] an id without its phase that only one task has", () => {
    expect(edges(read("- [ ] P4-T7.1: a\n- [ ] P5-T1.2: c\n  - 의존: T7.1\n"))).toEqual([
      "P5-T1.2 <- P4-T7.1",
    ]);
  });

  it("[L31] a phase in front of an id that has none", () => {
    expect(edges(read("## Phase 1\n- [ ] T1.1: a\n- [ ] T1.2: b\n  - 의존: P1-T1.1\n"))).toEqual([
      "T1.2 <- T1.1",
    ]);
  });

  it("[L31] zeros in front do not matter", () => {
    expect(edges(read("- [ ] T1.1: a\n- [ ] T1.2: b\n  - 의존: T01.01\n"))).toEqual(["T1.2 <- T1.1"]);
    expect(edges(read("- [ ] T001 a\n- [ ] T002 b (depends on T1)\n"))).toEqual(["T002 <- T001"]);
  });

  it("[L30] ranges are as people count, and of one family", () => {
    const tasks = ["T1.8", "T1.9", "T1.10", "T1.11", "T2.1", "P1-T9"].map(id => `- [ ] ${id}: x`).join("\n");
    const reading = read(
      `${tasks}\n- [ ] T9.1: y\n  - 의존: T1.9~T1.11\n- [ ] T9.2: z\n  - 의존: T1.8~T2.1\n`,
    );
    expect(task(reading, "T9.1").dependsOn).toEqual(["T1.9", "T1.10", "T1.11"]);
    expect(task(reading, "T9.2").dependsOn).toEqual(["T1.8", "T1.9", "T1.10", "T1.11", "T2.1"]);
  });

  it("[L30] every range means what counting means", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(30), fc.boolean(), (from, more, reversed) => {
        const ids = Array.from({ length: 60 }, (_, n) => `T1.${n + 1}`);
        const tasks = (reversed ? [...ids].reverse() : ids).map(id => `- [ ] ${id}: x`).join("\n");
        const reading = read(`${tasks}\n- [ ] T2.1: y\n  - 의존: T1.${from}~T1.${from + more}\n`);
        const expected = ids.slice(from - 1, from + more);
        expect([...task(reading, "T2.1").dependsOn].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 60 },
    );
  });

  it("[L30] a range of milestones passes over numbers nobody has", () => {
    const phases = [1, 2, 4, 7].map(n => `## M${n}\n- [ ] T1${n}: a\n`).join("");
    const reading = read(`${phases}## M9\n- [ ] T19: z\n  - 의존: M1~M7\n`);
    expect(task(reading, "T19").dependsOn).toEqual(["T11", "T12", "T14", "T17"]);
  });

  it("[L30] a range of milestones jumps over a wide gap to its end", () => {
    const phases = [1, 2, 90].map(n => `## M${n}\n- [ ] T1${n}: a\n`).join("");
    const reading = read(`${phases}## M91\n- [ ] T19: z\n  - 의존: M1~M90\n`);
    expect(task(reading, "T19").dependsOn).toEqual(["T11", "T12", "T190"]);
  });

  it("[L30] a range with an unknown end is missing as a whole", () => {
    const reading = read("- [ ] T1.1: a\n- [ ] T1.2: b\n  - 의존: T1.1~T9.9\n");
    expect(messages(reading, "MISSING_DEP")).toEqual(["ERROR:MISSING_DEP:T1.2->T1.1~T9.9"]);
  });

  it("[L36] naming the own phase or group means the others", () => {
    expect(waitsFor("P2-S1", "P2-S1-T1")).toEqual([]);
    const reading = read("## P2-S1\n### [ ] P2-S1-T1: a\n### [ ] P2-S1-V: v\n- 의존: P2-S1\n");
    expect(edges(reading)).toEqual(["P2-S1-V <- P2-S1-T1"]);
  });

  it("[L36] naming itself is a cycle", () => {
    expect(messages(read("- [ ] T1.3: a\n  - 의존: T1.3\n"), "CIRCULAR_DEP")).toEqual([
      "ERROR:CIRCULAR_DEP:T1.3->T1.3",
    ]);
  });

  it("[L36] a chain that ends in the task itself is no cycle", () => {
    expect(edges(read("- [ ] T1.1: a\n- [ ] T1.2: b\n  - 의존: T1.1 → T1.2\n"))).toEqual(["T1.2 <- T1.1"]);
  });

  it("[L36] a part does not wait for what it is a part of", () => {
    const reading = read("- [ ] P1-T1: a\n  - [ ] P1-T1.1: b\n    - 의존: P1-T1\n");
    expect(edges(reading)).toEqual([]);
    expect(errors(reading)).toEqual([]);
  });
});

describe("names nobody has", () => {
  it("[L33] are errors with the nearest id as hint", () => {
    const reading = read("- [ ] T1.1: a\n- [ ] T1.3: b\n  - **의존**: T1.1, T9.9\n");
    expect(reading.diagnostics).toMatchObject([
      {
        code: "MISSING_DEP",
        severity: "error",
        message: "ERROR:MISSING_DEP:T1.3->T9.9",
        line: 3,
        column: "  - **의존**: T1.1, ".length + 1,
        length: 4,
      },
    ]);
    expect(task(reading, "T1.3").dependsOn).toEqual(["T1.1"]);
  });

  it("[L33] the hint is the nearest id", () => {
    const reading = read("- [ ] P1-R1-T1: a\n- [ ] P1-S1-T1: b\n- [ ] P1-S1-T2: c\n  - 의존: P1-R1-T11\n");
    expect(reading.diagnostics[0]?.hint).toBe("did you mean P1-R1-T1?");
  });

  it("[L33] are warnings and satisfied with allowMissing", () => {
    const reading = read("- [ ] T1.3: b\n  - 의존: T9.9\n", "TASKS.md", { allowMissing: true });
    expect(reading.diagnostics).toMatchObject([
      {
        code: "MISSING_DEP",
        severity: "warning",
        message: "T1.3 waits for T9.9, which is not in this file; the dependency is taken as satisfied",
      },
    ]);
    expect(task(reading, "T1.3").dependsOn).toEqual([]);
  });

  it("[L33] the same unknown id is reported once per value", () => {
    expect(codes(read("- [ ] T1: a\n  - 의존: T9, T9, T9\n"))).toEqual(["MISSING_DEP"]);
  });

  it.each([
    "T1.1 (완료)",
    "T1.1 (archived)",
    "T1.1 — 이전 스프린트에서 완료",
    "T1.1 ✅",
    "T1.1 (done in v1)",
    "기존 T1.1",
    "Phase 3",
    "P3",
    "Phase 3 전체 완료",
  ])("[L33] %j was finished before", value => {
    const reading = read(`### [ ] T5.1: a\n- 의존: ${value}\n`);
    expect(reading.diagnostics).toMatchObject([{ code: "ARCHIVED_DEP", severity: "info" }]);
    expect(task(reading, "T5.1").dependsOn).toEqual([]);
  });

  it("[L33] words that name no task are told, not refused", () => {
    const reading = read(
      "- [ ] T1: a\n  - **의존**: the whole backend\n- [ ] T2: b\n  - requires: Node 20\n",
    );
    expect(reading.diagnostics.map(found => [found.code, found.severity])).toEqual([
      ["DEP_PROSE", "info"],
      ["DEP_PROSE", "info"],
    ]);
    expect(messages(reading, "DEP_PROSE")[0]).toBe(
      'the dependencies of T1 name no task: "the whole backend"',
    );
  });

  it("[L33] names of other families are words, not missing tasks", () => {
    expect(errors(read("- [ ] T1: a\n  - 의존: OAUTH-2, SHA-256, BE-7 library\n"))).toEqual([]);
    expect(errors(read("- [ ] BE-1: a\n- [ ] BE-2: b\n  - 의존: BE-7\n"))).toEqual(["MISSING_DEP"]);
  });

  it("[L33] hints stop after the first twenty", () => {
    const lines = Array.from(
      { length: 30 },
      (_, n) => `- [ ] P1-T${n + 1}: a\n  - 의존: P1-T${n + 1}.1`,
    ).join("\n");
    const hints = read(lines).diagnostics.map(found => found.hint);
    expect(hints.filter(hint => hint.startsWith("did you mean"))).not.toHaveLength(0);
    expect(hints.slice(20).every(hint => hint.startsWith("no task has this id"))).toBe(true);
  });
});

describe("where dependencies come from", () => {
  const TABLE = "## Table\n| ID | 의존성 |\n|---|---|\n| T1.3 | T1.2 |\n";
  const DIAGRAM = "## Graph\n```mermaid\ngraph TD\nT1.1 --> T1.3\n```\n";
  const TASKS = (field: string) =>
    `## Phase 1\n### [ ] T1.1: a\n### [ ] T1.2: b\n### [ ] T1.3: c\n${field}\n`;

  it("[L34] the task's own field comes first", () => {
    expect(edges(read(TASKS("- 의존: T1.1") + TABLE))).toEqual(["T1.3 <- T1.1"]);
    expect(edges(read(TASKS("- 의존: T1.2") + DIAGRAM))).toEqual(["T1.3 <- T1.2"]);
  });

  it("[L34] then a column of its row", () => {
    expect(edges(read(TASKS("- 담당: x") + TABLE))).toEqual(["T1.3 <- T1.2"]);
    expect(edges(read(TASKS("- 담당: x") + TABLE + DIAGRAM))).toEqual(["T1.3 <- T1.2"]);
  });

  it("[L34] then the diagram", () => {
    expect(edges(read(TASKS("- 담당: x") + DIAGRAM))).toEqual(["T1.3 <- T1.1"]);
  });

  it("[L34] a field that says none is an answer", () => {
    expect(edges(read(TASKS("- 의존: 없음") + TABLE + DIAGRAM))).toEqual([]);
  });

  it("[L34] a field that names nothing is no answer", () => {
    expect(edges(read(TASKS("- 의존: see the diagram") + DIAGRAM))).toEqual(["T1.3 <- T1.1"]);
  });

  it("[L34] an empty field is no answer", () => {
    expect(edges(read(TASKS("- 의존:") + DIAGRAM))).toEqual(["T1.3 <- T1.1"]);
  });

  it("[L34] blocks adds the reverse, whatever the other says", () => {
    const reading = read(
      "### [ ] T1.1: a\n- **Blocks**: T1.2, T1.3\n### [ ] T1.2: b\n### [ ] T1.3: c\n- 의존: 없음\n",
    );
    expect(edges(reading)).toEqual(["T1.2 <- T1.1", "T1.3 <- T1.1"]);
  });

  it("[L34] dependencies stand in the order of the file, each once", () => {
    const reading = read(
      "- [ ] T1: a\n- [ ] T2: b\n- [ ] T3: c\n- [ ] T4: d\n  - 의존: T3, T1, T3, T2, T1~T3\n",
    );
    expect(task(reading, "T4").dependsOn).toEqual(["T1", "T2", "T3"]);
  });

  it.each([
    ["- [ ] T2: b (depends on T1)", ["T1"]],
    ["- [ ] T2: b (Depends on: T1)", ["T1"]],
    ["- [ ] T2: b (dep: T1)", ["T1"]],
    ["- [ ] T2: b (deps: T1, T3)", ["T1", "T3"]],
    ["- [ ] T2: b (blocked by T1)", ["T1"]],
    ["- [ ] T2: b (requires T1 and T3)", ["T1", "T3"]],
    ["- [ ] T2: b (after T1)", ["T1"]],
    ["- [ ] T2: b (의존: T1)", ["T1"]],
    ["- [ ] T2: b (선행 T1)", ["T1"]],
    ["- [ ] T2: b（依赖 T1）", ["T1"]],
    ["- [ ] T2: b — depends on T1", ["T1"]],
    ["- [ ] T2: b (after lunch)", []],
    ["- [ ] T2: b (T1)", []],
    ["- [ ] T2: b (see T1)", []],
    ["- [ ] T2: b T1", []],
  ])("[L34] %j waits for %j", (line, expected) => {
    expect(task(read(`- [ ] T1: a\n- [ ] T3: c\n${line}\n`), "T2").dependsOn).toEqual(expected);
  });
});

describe("checks on dependencies", () => {
  it("[L37] waiting for a later phase is an error", () => {
    const reading = read("## Phase 1\n- [ ] T1.1: a (deps: T2.1)\n## Phase 2\n- [ ] T2.1: b\n");
    expect(errors(reading)).toEqual(["PHASE_ORDER"]);
    expect(messages(reading, "PHASE_ORDER")).toEqual([
      "T1.1 of phase 1 waits for T2.1, which belongs to the later phase 2",
    ]);
  });

  it("[L410] waiting for a later phase is a warning where that task is done", () => {
    const plan = (later: string) =>
      `## Phase 1\n- [ ] T1.1: a (deps: T2.1)\n## Phase 2\n- ${later} T2.1: b\n`;
    expect(read(plan("[x]")).diagnostics).toMatchObject([
      { code: "PHASE_ORDER", severity: "warning", line: 2 },
    ]);
    expect(errors(read(plan("[~]")))).toEqual(["PHASE_ORDER"]);
  });

  it("[L37] waiting for an earlier or the same phase is fine", () => {
    expect(
      codes(
        read("- [ ] P0-T1: a\n- [ ] P0.5-T1: b\n  - 의존: P0-T1\n- [ ] PF-T1: c\n  - 의존: P0.5-T1, P0-T1\n"),
      ),
    ).toEqual([]);
  });

  it("[L37] phases are no edges", () => {
    expect(edges(read("## Phase 1\n- [ ] T1.1: a\n## Phase 2\n- [ ] T2.1: b\n"))).toEqual([]);
  });

  it("[L40] done before what it waits for is suspect", () => {
    const reading = read("- [ ] T1: a\n- [x] T2: b\n- [x] T3: c (depends on T1, T2)\n");
    expect(reading.diagnostics).toMatchObject([{ code: "ORDER_SUSPECT", severity: "warning", line: 3 }]);
    expect(messages(reading, "ORDER_SUSPECT")).toEqual(["T3 is done, but waits for T1, which is not"]);
  });
});
