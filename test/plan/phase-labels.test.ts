import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePhases, type Phase } from "../../src/plan/index.ts";
import { phaseInParentheses, readPhaseWord, toPhase } from "../../src/plan/syntax/phase.ts";
import { ids, read, task } from "./reading.ts";

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
    ["M1: Login (Phase 5-A)", "5-A"],
    ["M1: Login (Phase 2, MVP)", 2],
    ["M3: Alerts (Phase 2 feature)", undefined],
    ["M3: 알림 (Phase 2 기능)", undefined],
    ["M1: Login (Phase one)", undefined],
    ["M1: Login", undefined],
  ])("[L15] %j names in parentheses %j", (title, phase) => {
    expect(phaseInParentheses(title)).toBe(phase);
  });
});

describe("a phase with a suffix", () => {
  it.each([
    ["Phase 5-A: x", "5-A"],
    ["Phase 5-b", "5-b"],
    ["Phase 4+: x", "4+"],
    ["Phase 4+", "4+"],
    ["Phase 5a: x", "5a"],
    ["Phase A2: x", "A2"],
    ["Phase A3a: x", "A3a"],
    ["Phase AB: x", "AB"],
    ["Phase B2 x", "B2"],
    ["페이즈 5-A: x", "5-A"],
    ["Phase 2-API: x", 2],
    ["Phase 2 - A plan", 2],
    ["Phase 2: A", 2],
  ])("[L15] %j is phase %j", (text, phase) => {
    expect(readPhaseWord(text, 0, text.length)?.phase).toBe(phase);
  });

  it("[L15] keeps its name and its place, and what waits for it is no error", () => {
    const reading = read(
      [
        "## Phase 5-A: Special",
        "### [ ] T9: s",
        "- depends_on: Phase 4+",
        "## Phase 4+: Follow",
        "### [ ] T8: f",
        "- depends_on: Phase 3+",
        "## Phase 3: Base",
        "### [ ] T7: b",
      ].join("\n"),
    );
    expect(reading.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(reading.plan.phases).toEqual([
      { phase: 3, title: "Base" },
      { phase: "4+", title: "Follow" },
      { phase: "5-A", title: "Special" },
    ]);
  });
});

describe("the title of a phase", () => {
  const titles = (...lines: readonly string[]) =>
    Object.fromEntries(read(lines.join("\n")).plan.phases.map(({ phase, title }) => [phase, title]));

  it("[L80] is that of the heading that holds its tasks", () => {
    expect(titles("## M3: Alerts (Phase 2 feature)", "### [ ] Phase 3, T3.1: a")).toEqual({
      3: "Alerts (Phase 2 feature)",
    });
    expect(
      titles("## M3: Alerts (Phase 2)", "### [ ] Phase 3, T3.1: a", "## Carts", "### [ ] Phase 2, T2.1: b"),
    ).toEqual({ 2: "", 3: "Alerts (Phase 2)" });
  });

  it("[L80] is none where several headings hold some of its tasks each", () => {
    expect(
      titles("## Phase 4: a", "### [ ] Phase 1, T1.1: x", "## Phase 5: b", "### [ ] Phase 1, T1.2: y"),
    ).toEqual({
      1: "",
    });
  });

  it("[L80] comes from a heading of its name before one around it, and from no heading of other tasks", () => {
    expect(titles("## Phase 1 (overview)", "text", "## Phase 1: Setup", "### [ ] T1.1: a")).toEqual({
      1: "Setup",
    });
    expect(titles("## Phase 1: Setup", "text", "## Tasks", "### [ ] P1-T1: a")).toEqual({ 1: "Setup" });
    expect(titles("## M1: Both", "### [ ] Phase 1, T1.1: a", "### [ ] Phase 2, T2.1: b")).toEqual({
      1: "Both",
      2: "",
    });
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

  it.each([
    ["### 2단계 인증", 1],
    ["### 2단계: 결제", 2],
    ["### 2단계 — 결제", 2],
    ["### 2단계", 2],
    ["### Phase 2 payment", 2],
    ["## 2단계 결제", 2],
  ])("[L286] what stands below %j within phase 1 is of phase %j", (heading, phase) => {
    const reading = read(
      `# 1단계 계획\n## Phase 1: 인증\n- [ ] T1.1: a\n${heading}\n- [ ] T1.3: SMS\n### 로그아웃\n- [ ] T1.4: c\n`,
    );
    expect(task(reading, "T1.3").phase).toBe(phase);
  });

  it("[L15] a plan without phases is one phase 1", () => {
    const reading = read("- [ ] T1: a\n- [ ] T2: b\n");
    expect(reading.plan.phases).toEqual([{ phase: 1, title: "" }]);
    expect(ids(reading)).toEqual(["T1", "T2"]);
    expect(task(reading, "T1").phase).toBe(1);
  });

  it.each(["Milestone", "Sprint", "Stage", "Week", "Wave", "Iteration", "이터레이션"])(
    "[L370] a heading %s 2 opens phase 2, and none within a task",
    word => {
      const lists = read(`# P\n## ${word} 1: Setup\n- [ ] repo\n## ${word} 2: Build\n- [ ] api\n`);
      expect(lists.plan.tasks.map(({ title, phase }) => [title, phase])).toEqual([
        ["repo", 1],
        ["api", 2],
      ]);
      const within = read(`## Phase 1: A\n### [ ] T1.1: x\n#### ${word} 2: code\n- [ ] write it\n`);
      expect(within.plan.tasks.map(({ id }) => id)).toEqual(["T1.1"]);
      expect(within.diagnostics).toEqual([]);
    },
  );

  it("[L370] counts weeks in Korean, and leaves steps and mere words alone", () => {
    const phases = (text: string) => read(text).plan.tasks.map(({ phase }) => phase);
    expect(phases("# P\n## 1주차: 준비\n- [ ] a\n## 2주차 - 구현\n- [ ] b\n")).toEqual([1, 2]);
    expect(phases("# P\n## Step 1\n- [ ] a\n## Step 2\n- [ ] b\n")).toEqual([1, 1]);
    expect(phases("# P\n## Weekly 2 report\n- [ ] a\n## Wave goodbye\n- [ ] b\n")).toEqual([1, 1]);
  });

  it.each(["Phase", "Sprint", "Stage", "Week", "Wave", "Iteration"])(
    "[L573] a heading [ ] %s 1 that holds no work is a task itself",
    word => {
      const tasks = (text: string) => read(text).plan.tasks.map(({ title, phase }) => [title, phase]);
      const alone = `# P\n### [ ] ${word} 1: Setup\nIn words.\n### [x] ${word} 2: Build\n- a bullet\n`;
      expect(tasks(alone)).toEqual([
        [`${word} 1: Setup`, 1],
        [`${word} 2: Build`, 2],
      ]);
      expect(tasks(`${alone}## Later\n- [ ] Bill\n`)).toHaveLength(3);
      const held = (below: string) =>
        tasks(`# P\n### [ ] ${word} 1: Setup\n${below}`).map(([title]) => title);
      expect(held("Words.\n```sh\n# a comment\n```\n- [ ] repo\n")).toEqual(["repo"]);
      expect(held("- [ ] T1.1: repo\n")).toEqual(["repo"]);
      expect(held("#### [ ] T1.1: repo\n")).toEqual(["repo"]);
      expect(held("### [ ] T1.1: repo\n")).toEqual(["repo"]);
      expect(held("| ID | Title | Status |\n|---|---|---|\n| T1.1 | repo | todo |\n")).toHaveLength(1);
    },
  );

  it("[L573] so is one of weeks in Korean, and one by its id", () => {
    const titles = (text: string) => read(text).plan.tasks.map(({ title }) => title);
    expect(titles("# P\n### [ ] 1주차: 준비\n### [ ] 2주차: 구현\n")).toEqual(["1주차: 준비", "2주차: 구현"]);
    expect(titles("# P\n### [ ] P1: Setup\n### [ ] P2: Build\n")).toEqual(["P1: Setup", "P2: Build"]);
  });
});
