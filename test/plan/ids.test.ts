import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePhases, type Phase } from "../../src/plan/index.ts";
import { compareNaturally, lastNumber, phasePrefix, readId, readNumber } from "../../src/plan/syntax/ids.ts";
import { phaseInParentheses, readPhaseWord, toPhase } from "../../src/plan/syntax/phase.ts";
import { ids, read, task } from "./reading.ts";

function id(text: string, anyPrefix = false) {
  return readId(text, 0, text.length, anyPrefix);
}

describe("ids", () => {
  it.each([
    "T1",
    "T12",
    "T1.3",
    "T0.5.1",
    "T2.2-FE",
    "T001",
    "T117a",
    "T1.3a",
    "T-001",
    "TASK-12",
    "TASK-12.1",
    "task-7",
    "t1.3",
    "P0-T0.1",
    "P1-R1",
    "P1-T1",
    "P2-S1-T1",
    "P2-S1-V",
    "P3-V2.1",
    "P2-V",
    "P1.5-SK2-T1",
    "PF-R1-T1",
    "P12-T30.2",
    "P1-T1-a",
    "P2_S1_T1",
    "M1-T2",
    "S1-T1",
    "P1-R1-T1.2",
  ])("[L11] %s is the id of a task", text => {
    expect(id(text)).toEqual({ id: text, end: text.length, shape: "task" });
    expect(id(`${text}: title`)).toMatchObject({ id: text });
    expect(id(`${text} title`)).toMatchObject({ id: text });
    expect(id(`${text}`)?.end).toBe(text.length);
  });

  it.each([
    ["P0", "phase"],
    ["P12", "phase"],
    ["P1.5", "phase"],
    ["M1", "milestone"],
    ["M0.5", "milestone"],
    ["BE-01", "other"],
    ["DB-1", "other"],
    ["INFRA-3", "other"],
    ["R2", "other"],
  ])("[L11] %s is a %s", (text, shape) => {
    expect(id(text)).toEqual({ id: text, end: text.length, shape });
  });

  it.each([
    "Next.js",
    "OAuth2",
    "T",
    "Task",
    "Phase",
    "TypeScript",
    "T1foo",
    "FR-1",
    "NFR-2",
    "AC-1",
    "US1",
    "UC-3",
    "REQ-10",
    "ISO-9001",
    "RFC-822",
    "UTF-8",
    "SHA-256",
    "ES2022",
    "MD5",
    "ADR-7",
    "be-01",
    "abc-12",
    "v1.2",
    "T1.tsx",
    "T1@x",
    "abcdefghijklm-1",
    "로그인",
    "1.2",
    "",
    "-T1",
    "P1-T1.ts",
  ])("[L11] %j is none", text => {
    expect(id(text)).toBeUndefined();
  });

  it.each([
    ["T1.1~T1.6", "T1.1"],
    ["T001-T009", "T001"],
    ["P0-P1", "P0"],
    ["M1-M5", "M1"],
    ["T1.1.", "T1.1"],
    ["T1.1, T1.2", "T1.1"],
    ["T1.1)", "T1.1"],
    ["T1.1은 뒤", "T1.1"],
    ["T1.1의", "T1.1"],
    ["P1-T1-backend", "P1-T1"],
    ["T1.2—title", "T1.2"],
  ])("[L11] %j begins with %s", (text, expected) => {
    expect(id(text)?.id).toBe(expected);
  });

  it("[L31] prefixes of screens and requirements are read where values may shorten ids", () => {
    expect(id("S1")).toBeUndefined();
    expect(id("S1", true)).toMatchObject({ id: "S1", shape: "other" });
  });

  it("[L4] ids are short, whatever the file holds", () => {
    expect(id(`T1${".1".repeat(1000)}`)?.id.length ?? 0).toBeLessThanOrEqual(64);
    expect(id(`P1${"-R1".repeat(1000)}`)?.id.length ?? 0).toBeLessThanOrEqual(64);
    expect(id("T".repeat(1000))).toBeUndefined();
  });

  it("[L4] stays inside the text it is given", () => {
    const unit = fc.constantFrom("T", "P", "1", "2", ".", "-", "_", "a", "V", "가", " ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.nat(20), (text, end) => {
        const stop = Math.min(end, text.length);
        const found = readId(text, 0, stop);
        if (found === undefined) return;
        expect(found.end).toBeLessThanOrEqual(stop);
        expect(found.id).toBe(text.slice(0, found.end));
        expect(found.id).toMatch(/\d/);
        expect(found.id).toMatch(/^[A-Za-z]/);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["1", "1"],
    ["1.2", "1.2"],
    ["12.3.4 x", "12.3.4"],
    ["001: x", "001"],
    ["2a", "2a"],
    ["1. x", "1"],
    ["1) x", "1"],
    ["1.2. x", "1.2"],
  ])("[L44] %j holds the number %s", (text, expected) => {
    expect(readNumber(text, 0, text.length)).toMatchObject({ id: expected, shape: "number" });
  });

  it.each(["x", "", "1abc", "2nd", ".1"])("[L44] %j holds no number", text => {
    expect(readNumber(text, 0, text.length)).toBeUndefined();
  });

  it.each([
    ["T1", { prefix: "T", number: "1" }],
    ["P12-T10", { prefix: "P12-T", number: "10" }],
    ["T1.12", { prefix: "T1.", number: "12" }],
    ["T117a", { prefix: "T", number: "117" }],
    ["M0", { prefix: "M", number: "0" }],
    ["P1-V", undefined],
    ["P1-FE", undefined],
    ["V", undefined],
  ])("[L30] the last number of %s", (text, expected) => {
    expect(lastNumber(text)).toEqual(expected);
  });

  it.each([
    ["P1-T1", "1"],
    ["P1.5-SK2-T1", "1.5"],
    ["PF-R1-T1", "F"],
    ["P0-T0.1", "0"],
    ["T1.1", undefined],
    ["P1", undefined],
    ["P-1", undefined],
  ])("[L15] the phase in %s", (text, label) => {
    expect(phasePrefix(text)).toBe(label);
  });
});

describe("natural order", () => {
  const word = fc.string({
    unit: fc.constantFrom("T", "P", "a", "-", ".", "0", "1", "2", "9"),
    maxLength: 8,
  });

  it("[L30] is a total order", () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(Math.sign(compareNaturally(a, b))).toBe(-Math.sign(compareNaturally(b, a)) + 0);
        const [x, y, z] = [a, b, c].toSorted(compareNaturally);
        expect([
          compareNaturally(x!, y!) <= 0,
          compareNaturally(y!, z!) <= 0,
          compareNaturally(x!, z!) <= 0,
        ]).toEqual([true, true, true]);
        expect(compareNaturally(a, a)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("[L30] counts as people do", () => {
    const sorted = ["T1.1", "T1.2", "T1.9", "T1.10", "T1.11", "T2", "T2.1", "T10"];
    expect([...sorted].reverse().sort(compareNaturally)).toEqual(sorted);
    expect(["P1-T10", "P1-T9", "P1-R1-T1", "P0-T1"].sort(compareNaturally)).toEqual([
      "P0-T1",
      "P1-R1-T1",
      "P1-T9",
      "P1-T10",
    ]);
  });

  it("[L30] numbers beyond what a double holds keep their order", () => {
    expect(compareNaturally("T99999999999999999999998", "T99999999999999999999999")).toBeLessThan(0);
    expect(compareNaturally("T0010", "T9")).toBeGreaterThan(0);
    expect(compareNaturally("T001", "T1")).toBe(0);
  });
});

describe("phases", () => {
  const label = fc.oneof(
    fc.nat(30).map(String),
    fc.tuple(fc.nat(12), fc.nat(30)).map(([a, b]) => `${a}.${b}`),
    fc.constantFrom("PF", "Final", "PX", "A", "1.2.3", "0.5", "3.10", "N+1"),
  );

  it.each([
    ["0", 0],
    ["12", 12],
    ["0.5", 0.5],
    ["1.5", 1.5],
    ["3.10", "3.10"],
    ["3.11", "3.11"],
    ["1.0", "1.0"],
    ["1.2.3", "1.2.3"],
    ["007", 7],
    ["PF", "PF"],
    ["", ""],
    ["1e5", "1e5"],
    ["99999999999999999999", "99999999999999999999"],
  ])("[L15] the label %j is the phase %j", (text, phase) => {
    expect(toPhase(text)).toBe(phase);
  });

  it("[L16] orders numbers and fractions by value, then words", () => {
    const phases: Phase[] = ["PF", 10, 2, 0, 1.5, 0.5, 1, "Final", "3.10", 3.9, 3.2, 4];
    expect(phases.toSorted(comparePhases)).toEqual([
      0,
      0.5,
      1,
      1.5,
      2,
      3.2,
      3.9,
      "3.10",
      4,
      10,
      "Final",
      "PF",
    ]);
  });

  it("[L16] orders all numbers by value", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: 0, max: 1000 }),
        fc.double({ noNaN: true, min: 0, max: 1000 }),
        (a, b) => {
          expect(Math.sign(comparePhases(a, b))).toBe(Math.sign(a - b));
        },
      ),
    );
  });

  it("[L16] is a total order on all labels a file can hold", () => {
    const phase = label.map(toPhase);
    fc.assert(
      fc.property(phase, phase, phase, (a, b, c) => {
        expect(Math.sign(comparePhases(a, b))).toBe(-Math.sign(comparePhases(b, a)) + 0);
        expect(comparePhases(a, b) === 0).toBe(String(a) === String(b) || sameCount(String(a), String(b)));
        const [x, y, z] = [a, b, c].toSorted(comparePhases);
        expect([comparePhases(x!, y!) <= 0, comparePhases(y!, z!) <= 0, comparePhases(x!, z!) <= 0]).toEqual([
          true,
          true,
          true,
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  /** `1.01` and `1.1` count the same. */
  function sameCount(a: string, b: string): boolean {
    const parts = (text: string) => text.split(".").map(part => part.replace(/^0+(?=\d)/, ""));
    return parts(a).join(".") === parts(b).join(".");
  }

  it.each([
    ["Phase 1", 1, "Phase 1".length],
    ["phase 2: x", 2, 7],
    ["PHASE 3", 3, 7],
    ["Phase 0.5 - x", 0.5, 9],
    ["Phase 3.10", "3.10", 10],
    ["페이즈 2", 2, 5],
    ["단계 4", 4, 4],
    ["1단계", 1, 3],
    ["2 단계", 2, 4],
    ["フェーズ 3", 3, 6],
    ["第1阶段", 1, 4],
    ["第一阶段：x", 1, 4],
    ["第2フェーズ", 2, 6],
    ["阶段 2", 2, 4],
    ["Phase A", "A", 7],
    ["Final Phase", "Final", 11],
  ])("[L15] %j opens the phase %j", (text, phase, end) => {
    expect(readPhaseWord(text, 0, text.length)).toEqual({ phase, weak: false, end });
  });

  it.each([
    ["Milestone 2", 2],
    ["마일스톤 3", 3],
    ["Sprint 1", 1],
    ["스프린트 4", 4],
    ["Stage 2", 2],
    ["里程碑 1", 1],
  ])("[L15] %j gives way to what ids say", (text, phase) => {
    expect(readPhaseWord(text, 0, text.length)).toMatchObject({ phase, weak: true });
  });

  it.each([
    "Phases",
    "Phase",
    "Phase out the old API",
    "phaser 3",
    "Sprints",
    "1",
    "12 tasks",
    "第",
    "단계별 계획",
    "",
  ])("[L15] %j opens none", text => {
    expect(readPhaseWord(text, 0, text.length)).toBeUndefined();
  });

  it.each([
    ["M1: Login (Phase 1)", 1],
    ["M1: Login (phase 1.5)", 1.5],
    ["M1: Login (Phase one)", undefined],
    ["M1: Login", undefined],
  ])("[L15] %j names in parentheses %j", (title, phase) => {
    expect(phaseInParentheses(title)).toBe(phase);
  });
});

describe("the phase of a task", () => {
  function phaseOf(text: string): Phase[] {
    return read(text).plan.tasks.map(found => found.phase);
  }

  it.each([
    ["its own prefix before all else", "## Phase 3\n### [ ] Phase 1, T2.1: a\n", 1],
    ["its own prefix with a colon", "### [ ] Phase 2: T2.1 a\n", 2],
    ["what its id begins with", "## Phase 3\n### [ ] P1-T1: a\n", 1],
    ["a fraction in the id", "### [ ] P1.5-SK2-T1: a\n", 1.5],
    ["a letter in the id", "### [ ] PF-R1-T1: a\n", "PF"],
    ["the heading above", "## Phase 4: x\n### [ ] T1.1: a\n", 4],
    ["the heading two above", "## Phase 4: x\n### Part\n#### [ ] T1.1: a\n", 4],
    ["the outer of phase and sub-phase", "## Phase 1\n### Phase 1.2\n#### [ ] T9: a\n", 1],
    ["the inner of two unlike phases", "## Phase 1\n### Phase 2\n#### [ ] T9: a\n", 2],
    ["a milestone with its phase in parentheses", "## M3: x (Phase 2)\n### [ ] T7.1: a\n", 2],
    ["the first number of the id", "## Backlog\n### [ ] T3.1: a\n", 3],
    ["the first number before a milestone", "## M7\n### [ ] T3.1: a\n", 3],
    ["a milestone where ids say nothing", "## M7\n### [ ] T12: a\n", 7],
    ["a sprint where ids say nothing", "## Sprint 2\n### [ ] T12: a\n", 2],
    ["1 where nothing says anything", "### [ ] T12: a\n", 1],
    ["a phase in Korean", "## 2단계: x\n- [ ] T12: a\n", 2],
    ["a phase in Chinese", "## 第二阶段：x\n- [ ] T12: a\n", 2],
    ["an emoji and numbering before the phase", "## 🚀 3. Phase 2 — x\n- [ ] T12: a\n", 2],
    ["a bold phase", "## **Phase 2**: x\n- [ ] T12: a\n", 2],
    ["a P heading", "## P2: x\n- [ ] T12: a\n", 2],
    ["a phase that counts to ten", "## Phase 3.10\n- [ ] T12: a\n", "3.10"],
  ])("[L15] is %s", (_, text, phase) => {
    expect(phaseOf(text)).toEqual([phase]);
  });

  it("[L15] a phase ends where a heading of its level begins", () => {
    expect(phaseOf("## Phase 2\n- [ ] T1: a\n## Later\n- [ ] T2: b\n")).toEqual([2, 1]);
  });

  it("[L15] the plan lists its phases in order, with their titles", () => {
    const reading = read(
      "# X\n## PF-R1-T1\n## Phase 10: Ten\n- [ ] T10.1: a\n## Phase 2: Two\n- [ ] T2.1: b\n## Phase 3: Empty\n## Phase 0.5 - Half\n- [ ] T0.5.1: c\n### [ ] PF-R1-T1: z\n",
    );
    expect(reading.plan.phases).toEqual([
      { phase: 0.5, title: "Half" },
      { phase: 2, title: "Two" },
      { phase: 10, title: "Ten" },
      { phase: "PF", title: "" },
    ]);
  });

  it("[L15] a plan without phases is one phase 1", () => {
    const reading = read("- [ ] T1: a\n- [ ] T2: b\n");
    expect(reading.plan.phases).toEqual([{ phase: 1, title: "" }]);
    expect(ids(reading)).toEqual(["T1", "T2"]);
    expect(task(reading, "T1").phase).toBe(1);
  });
});
