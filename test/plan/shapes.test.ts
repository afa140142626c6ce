import { describe, expect, it } from "vitest";
import type { Task } from "../../src/plan/index.ts";
import { edges, ids, pairs, read, task } from "./reading.ts";

/** What a head means as a boxed heading, as a boxed item, and as a heading without box. */
function asHead(head: string): (Pick<Task, "id" | "phase" | "title" | "specialist"> | undefined)[] {
  const forms = [`### [ ] ${head}\n- 담당: x`, `- [ ] ${head}\n  - 담당: x`, `### ${head}\n- 담당: x`];
  return forms.map(form => {
    const first = read(`## Phase 1\n${form}\n### [ ] T9.9: other\n`).plan.tasks[0];
    if (first === undefined || first.id === "T9.9") return undefined;
    const { id, phase, title, specialist } = first;
    return { id, phase, title, ...(specialist === undefined ? {} : { specialist }) };
  });
}

/** T9.1 with one line below it, and T9.9 that it may name. */
function withLine(line: string): Task {
  return task(read(`## Phase 9\n### T9.1: it\n${line}\n### [ ] T9.9: other\n- 의존: 없음\n`), "T9.1");
}

describe("heads people write", () => {
  it.each([
    ["T1.1: Cart", "T1.1", 1],
    ["M0, T0.1: Cart", "T0.1", 1],
    ["P0, T0.1: Cart", "T0.1", 0],
    ["P2, T0.1: Cart", "T0.1", 2],
    ["M1 T1.1: Cart", "T1.1", 1],
    ["P1 - T1.1: Cart", "T1.1", 1],
    ["[P1] T1.1: Cart", "T1.1", 1],
    ["(P1) T1.1: Cart", "T1.1", 1],
    ["P1 | T1.1: Cart", "T1.1", 1],
    ["P1 > P1-T1: Cart", "P1-T1", 1],
    ["Phase 1 | T1.1: Cart", "T1.1", 1],
    ["Phase 1 > T1.1: Cart", "T1.1", 1],
    ["Phase 1 / T1.1: Cart", "T1.1", 1],
    ["Phase 1·T1.1: Cart", "T1.1", 1],
    ["Phase 1 / Task 1.1: Cart", "1.1", 1],
    ["Phase 2, T2.1: Cart", "T2.1", 2],
    ["Sprint 1, T1.1: Cart", "T1.1", 1],
    ["**Phase 0, T0.1**: Cart", "T0.1", 0],
    ["**[T1.1]** Cart", "T1.1", 1],
    ["T1-1: Cart", "T1-1", 1],
    ["T1_1: Cart", "T1_1", 1],
    ["T-1.1: Cart", "T-1.1", 1],
    ["TASK-1.1: Cart", "TASK-1.1", 1],
    ["TASK 1.1: Cart", "1.1", 1],
    ["태스크 1.1: Cart", "1.1", 1],
    ["Task 1-1: Cart", "1-1", 1],
    ["T1.1: Cart `[ ]`", "T1.1", 1],
    ["T1.1 | Cart", "T1.1", 1],
    ["T1.1 · Cart", "T1.1", 1],
    ["P1.T1: Cart", "P1.T1", 1],
    ["P0.T0.1: Cart", "P0.T0.1", 0],
    ["P1_T1: Cart", "P1_T1", 1],
    ["PH1-T1: Cart", "PH1-T1", 1],
    ["P1-BE-T1: Cart", "P1-BE-T1", 1],
    ["P1-FE-01: Cart", "P1-FE-01", 1],
    ["P1-INT-T1: Cart", "P1-INT-T1", 1],
    ["P0-SETUP: Cart", "P0-SETUP", 0],
    ["P0-SETUP-T1: Cart", "P0-SETUP-T1", 0],
    ["P1-API-AUTH: Cart", "P1-API-AUTH", 1],
    ["FE-T1.1: Cart", "FE-T1.1", 1],
    ["T1.1-BE-2: Cart", "T1.1-BE-2", 1],
    ["T10.11.12: Cart", "T10.11.12", 1],
    ["F1-T1: Cart", "F1-T1", 1],
    ["FEAT-1: Cart", "FEAT-1", 1],
    ["SETUP-001: Cart", "SETUP-001", 1],
    ["P1-1: Cart", "P1-1", 1],
    ["P1-1.2: Cart", "P1-1.2", 1],
  ])("[L11] %s is %s of phase %s", (head, id, phase) => {
    const expected = { id, phase, title: "Cart", specialist: "x" };
    expect(asHead(head)).toEqual([expected, expected, expected]);
  });

  it.each([
    ["1.1 Cart", "1.1"],
    ["1-1: Cart", "1-1"],
    ["1.1.1 Cart", "1.1.1"],
    ["#12: Cart", "12"],
  ])("[L11] %s is %s in a boxed heading only", (head, id) => {
    expect(asHead(head).map(found => found?.id)).toEqual([id, undefined, undefined]);
  });

  it.each([
    "Step 1: Cart",
    "Story 1.1: Cart",
    "US-1: Cart",
    "Task A: Cart",
    "<T1.1> Cart",
    "T.1: Cart",
    "Cart T1.1",
  ])("[L22] %s has no id, and is a task of its own in a boxed heading", head => {
    const [heading, item, bare] = asHead(head);
    expect(heading?.id).toMatch(/^P1-[0-9a-z]{5}$/);
    expect([item, bare]).toEqual([undefined, undefined]);
  });

  it("[L11] M1.1 and P1.1 are tasks inside milestone and phase 1", () => {
    const milestones = read(
      "## M1: A\n- [ ] M1.1: x\n- [ ] M1.2: y\n  - 의존: M1.1\n## M2: B\n- [ ] M2.1: z\n  - 의존: M1\n",
    );
    expect(edges(milestones)).toEqual(["M1.2 <- M1.1", "M2.1 <- M1.1 M1.2"]);
    const phases = read("## Phase 1: A\n### [ ] P1.1: x\n- 담당: q\n### [ ] P1.5: y\n- 의존: P1.1\n");
    expect(edges(phases)).toEqual(["P1.5 <- P1.1"]);
    expect(phases.plan.tasks.map(found => found.phase)).toEqual([1, 1]);
  });

  it("[L11] M0.5 in a list of milestones is none", () => {
    const text =
      "# Overview\n- [x] M0: a\n- [x] M0.5: b\n- [ ] M1: c\n## M0\n### [ ] T0.1: x\n## M0.5: z\n### [ ] T0.5.1: y\n";
    expect(ids(read(text))).toEqual(["T0.1", "T0.5.1"]);
  });

  it("[L30] M0~M1 passes M0.5", () => {
    const text =
      "## M0 (Phase 0)\n### [ ] T0.1: a\n## M0.5 (Phase 0)\n### [ ] T0.5.1: b\n## M1 (Phase 1)\n### [ ] T1.1: c\n## M2 (Phase 2)\n### [ ] T2.1: d\n- 의존: M0~M1\n";
    expect(edges(read(text))).toEqual(["T2.1 <- T0.1 T0.5.1 T1.1"]);
  });

  it("[L30] an id that looks like a range is an id where there is one", () => {
    const text = "## Phase 1\n### Task 1-1: a\n- 담당: x\n### Task 1-2: b\n- 의존: Task 1-1\n";
    expect(ids(read(text))).toEqual(["1-1", "1-2"]);
    expect(edges(read(text))).toEqual(["1-2 <- 1-1"]);
  });
});

describe("states people write", () => {
  it.each([
    ["- **상태**: [x] 완료", true],
    ["- **상태**: [ ] 미완료", false],
    ["- **Status**: [ ]", false],
    ["- **Status**: [x]", true],
    ["- Status: `DONE`", true],
    ["- Status: **Done**", true],
    ["- **상태**: 🟢 완료", true],
    ["- **상태**: 🟢", true],
    ["- **상태**: 🟡 진행중", false],
    ["- **상태**: 🔴", false],
    ["- **상태**: 100%", true],
    ["- **상태**: 80%", false],
    ["- **진행률**: 100% (3/3)", true],
    ["- Progress: 0%", false],
    ["- **완료**: ✅", true],
    ["- **완료**: [x]", true],
    ["- **완료**: X", false],
    ["- **완료 여부**: 예", true],
    ["- **완료 여부**: 아니오", false],
    ["- **완료 여부**: 완료", true],
    ["- 상태 : **완료**", true],
    ["**Status:** ✅ Complete", true],
    ["**Status:** ✅ COMPLETED (2026-01-01)", true],
    ["**Status:** Not started", false],
    ["**状态**：已完成", true],
    ["**ステータス**: 完了", true],
    ["| 상태 | ✅ 완료 |\n|---|---|", true],
    ["- 메모: 완료", false],
  ])("[L23] %s", (line, expected) => {
    expect(withLine(line).done).toBe(expected);
  });
});

describe("roles people write", () => {
  it.each([
    ["- **담당**: [backend-specialist]", "backend-specialist"],
    ["- **담당**: {backend-specialist}", "backend-specialist"],
    ["- **담당**: <backend-specialist>", "backend-specialist"],
    ["- **담당**: backend-specialist 🟢", "backend-specialist"],
    ["- **담당**: backend-specialist.", "backend-specialist"],
    ["- **담당**: backend-specialist, 2h", "backend-specialist"],
    ["- **담당**: ~~old-specialist~~ new-specialist", "new-specialist"],
    ["- **담당**: backend-specialist → test-specialist", "backend-specialist → test-specialist"],
    ["- **담당**: backend-specialist / frontend-specialist", "backend-specialist / frontend-specialist"],
    ["- **담당 에이전트**: `backend-specialist` (Phase 1 Worktree)", "backend-specialist"],
    ["- **Subagent**: `x-specialist`", "x-specialist"],
    ["- **Assigned Agent**: x-agent", "x-agent"],
    ["- **담당** | x", "x"],
    ["(담당: x)", "x"],
    ["[담당: x]", "x"],
    ["*담당: x*", "x"],
    ["**담당**: x<br>**의존**: T9.9", "x"],
    ["담당: x<br/>의존: T9.9", "x"],
    ["담당: x — 예상: 2h", "x"],
    ["예상: 2h - 담당: x", "x"],
    ["**담당**\nx", "x"],
    ["<!-- 담당: x -->", undefined],
    ["- 담당 → x", undefined],
    ["- **Skill**: x", undefined],
  ])("[L27] %s", (line, specialist) => {
    expect(withLine(line).specialist).toBe(specialist);
  });
});

describe("dependencies people write", () => {
  it.each([
    "- 의존: T9.9까지",
    "- 의존: T9.9 이후",
    "- 의존: ← T9.9",
    "- 의존: ~T9.9",
    "- 의존: T9.9 -> 이 태스크",
    "- 의존: `T9.9`의 결과",
    "- 의존: T9.9에서 만든 API",
    "- 의존: T9.9 이 완료되어야 함",
    "- 의존: 모든 작업 전에 T9.9",
    "- Requires: T9.9 done",
    "- Depends on T9.9",
    "- depends on: T9.9",
    "- Blocked by T9.9",
    "- 의존 T9.9",
    "- 의존성 `T9.9`",
    "- **의존** T9.9",
    "- (depends: T9.9)",
    "- **의존성 (Dependencies)**: T9.9",
    "- **Dependencies (의존성)**: T9.9",
    "- **선행 조건 (Prerequisites)**: T9.9 완료",
    "- Pre-requisite: T9.9",
    "- Precondition: T9.9",
    "- Blockers: T9.9",
    "- 블로커: T9.9",
    "- 선결 조건: T9.9",
    "- 선수 작업: T9.9",
    "- 이전 태스크: T9.9",
    "- Upstream: T9.9",
    "- 의존 관계: T9.9",
    "- Dependent on: T9.9",
    "- 의존성:\n    - T9.9: other",
    "- 의존성:\n\n  T9.9",
    "**의존성**\n- T9.9",
    "**의존성**\n\n- T9.9",
    "**의존성**:\n1. T9.9",
    "#### 의존성\n- T9.9 (먼저)",
    "#### **의존성**:\n\nT9.9",
    "| 의존성 | T9.9 |\n|---|---|",
    "담당: x<br>의존: T9.9",
  ])("[L29] %s", line => {
    expect(withLine(line).dependsOn).toEqual(["T9.9"]);
  });

  it.each([
    "- Input: T9.9",
    "- 참고: T9.9",
    "- 관련: T9.9",
    "- T9.9 참고",
    "- Note: after T9.9 things get easier",
    "- 의존하는 곳: T9.9",
  ])("[L29] %s is none", line => {
    expect(withLine(line).dependsOn).toEqual([]);
  });

  it("[L24] behind a title", () => {
    const reading = read(
      [
        "- [ ] T1: a | 담당: x-specialist | 의존: T2",
        "- [ ] T2: b — 담당: y",
        "- [ ] T3: c [deps: T1, T2]",
        "- [ ] T4: d {의존: T1}",
        "- [ ] T5: e *(의존: T1)*",
        "- [ ] T6: f **의존:** T1",
        "- [ ] T7: API: owner: x",
        "- [ ] T8: g [backend-specialist]",
        "- [ ] T9: h, owner: z, deps: T1",
      ].join("\n"),
    );
    expect(edges(reading)).toEqual([
      "T1 <- T2",
      "T3 <- T1 T2",
      "T4 <- T1",
      "T5 <- T1",
      "T6 <- T1",
      "T9 <- T1",
    ]);
    expect(reading.plan.tasks.map(found => found.specialist)).toEqual([
      "x-specialist",
      "y",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      "backend-specialist",
      "z",
    ]);
  });

  it.each([
    ["- 병렬: Yes (with T9.9)", ["T9.9"]],
    ["- 병렬: 가능 (T9.9)", ["T9.9"]],
    ["- 병렬: O (T9.9)", ["T9.9"]],
    ["- 병렬: ✅ T9.9", ["T9.9"]],
    ["- 병렬 가능: T9.9과", ["T9.9"]],
    ["- 병렬: 가능 (T9.9 완료 후)", []],
    ["- 병렬: 불가 (T9.9)", []],
    ["- 병렬: 가능", []],
  ])("[L39] %s runs beside %j", (line, expected) => {
    expect(withLine(line).parallelWith).toEqual(expected);
  });

  it("[L39] partners of both kinds at once", () => {
    const text =
      "## Phase 1\n### [ ] T1.1: a\n- 병렬: 가능 (T1.2, T1.3)\n### [ ] T1.2: b\n- 병렬: T1.1\n### [ ] T1.3: c\n- 병렬: T1.1\n";
    expect(pairs(read(text))).toEqual(["T1.1 || T1.2 T1.3", "T1.2 || T1.1", "T1.3 || T1.1"]);
  });
});
