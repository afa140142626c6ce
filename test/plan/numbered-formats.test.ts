import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levels } from "../../src/plan/index.ts";
import { casesOf } from "../sample.ts";
import { codes, done, edges, errors, ids, messages, read, task } from "./reading.ts";

const SPEC_KIT = `# Tasks: Bread subscriptions

**Input**: Design documents from \`/specs/007-bread/\`
**Prerequisites**: plan.md (required), spec.md

## Format: \`[ID] [P?] [Story] Description\`

- **[P]**: Can run in parallel (different files, no dependencies)
- **[Story]**: Which user story this task belongs to (e.g., US1)

## Phase 1: Setup (Shared Infrastructure)

- [x] T001 Create project structure per implementation plan
- [X] T002 Initialize package in package.json
- [ ] T003 [P] Configure linting in .eslintrc.cjs

---

## Phase 2: Foundational (Blocking Prerequisites)

**⚠️ CRITICAL**: No user story work can begin until this phase is complete

- [ ] T004 Set up schema in \`src/db/schema.ts\`
- [ ] T005 [P] Auth in src/middleware/auth.ts (depends on T004)
- [ ] T006 [P] Routing in src/api/router.ts

**Checkpoint**: Foundation ready

## Phase 3: User Story 1 - Subscribe (Priority: P1) 🎯 MVP

### Tests for User Story 1

- [ ] T010 [P] [US1] Contract test in tests/contract/subscribe.test.ts
- [ ] **T011 [P] [US1]** Integration test in tests/integration/subscribe.test.ts

### Implementation for User Story 1

- [ ] T012 [US1] Model in src/models/subscription.ts
- [ ] T013 [US1] Service in src/services/subscription.ts (depends on T012)
  - validates weekdays
  - [ ] rejects past dates
- [ ] T013a [US1] Hotfix found in review
- [ ] ~~T014 [US1] Old importer~~

## Dependencies & Execution Order

- **Setup (Phase 1)**: No dependencies
- T004 blocks T005 and T006
- [ ] this is not a task

## Parallel Example

\`\`\`bash
- [ ] T099 [P] not a task
\`\`\`
`;

describe("spec-kit", () => {
  const reading = read(SPEC_KIT, "specs/007-bread/tasks.md");

  it("[L43] every boxed item with an id is a task", () => {
    expect(ids(reading)).toEqual([
      "T001",
      "T002",
      "T003",
      "T004",
      "T005",
      "T006",
      "T010",
      "T011",
      "T012",
      "T013",
      "T013a",
      "T014",
    ]);
    expect(done(reading)).toEqual(["T001", "T002"]);
    expect(task(reading, "T014").skip).toBe(true);
    expect(errors(reading)).toEqual([]);
  });

  it("[L43] phases are headings, sub-headings belong to them", () => {
    expect(reading.plan.phases.map(({ phase, title }) => [phase, title])).toEqual([
      [1, "Setup (Shared Infrastructure)"],
      [2, "Foundational (Blocking Prerequisites)"],
      [3, "User Story 1 - Subscribe (Priority: P1) 🎯 MVP"],
    ]);
    expect(task(reading, "T012").phase).toBe(3);
    expect(reading.plan.project).toBe("Bread subscriptions");
  });

  it("[L43] only what is declared is a dependency", () => {
    expect(edges(reading)).toEqual(["T005 <- T004", "T013 <- T012"]);
  });

  it("[L45] [P] makes the order parallel, names no partners and adds no edges", () => {
    expect(reading.plan.tasks.filter(found => found.order === "parallel").map(found => found.id)).toEqual([
      "T003",
      "T005",
      "T006",
      "T010",
      "T011",
    ]);
    expect(reading.plan.tasks.every(found => found.parallelWith.length === 0)).toBe(true);
  });

  it("[L45] the order is that of the file inside a phase", () => {
    expect(levels(reading.plan).slice(0, 3)).toEqual([
      ["T001", "T004", "T010", "T011"],
      ["T002", "T005", "T006", "T012"],
      ["T003", "T013"],
    ]);
  });

  it("[L28] files are named in titles", () => {
    expect(task(reading, "T004").files).toEqual(["src/db/schema.ts"]);
    expect(task(reading, "T010").files).toEqual(["tests/contract/subscribe.test.ts"]);
    expect(task(reading, "T002").files).toEqual(["package.json"]);
  });

  it("[L10] titles come without id, [P] and story", () => {
    expect(task(reading, "T003").title).toBe("Configure linting in .eslintrc.cjs");
    expect(task(reading, "T011").title).toBe("Integration test in tests/integration/subscribe.test.ts");
  });

  it.each([
    ["- [ ] T002 b (depends on T001)", ["T001"]],
    ["- [ ] T002 b (depends on T001, T003)", ["T001", "T003"]],
    ["- [ ] T002 b (after T001)", ["T001"]],
    ["- [ ] T002 b (requires T001; after T003)", ["T001", "T003"]],
    ["- [ ] T002 b — depends on T001", ["T001"]],
    ["- [ ] T002 b (depends on T001-T003)", ["T001", "T003"]],
    ["- [ ] T002 b\n  - Depends on: T001, T003", ["T001", "T003"]],
    ["- [ ] T002 b\n  - **Dependencies**: T001", ["T001"]],
    ["- [ ] T002 b uses what T001 made", []],
    ["- [ ] T002 b\n  - builds on T001", []],
  ])("[L43] %j waits for %j", (line, expected) => {
    expect(task(read(`- [ ] T001 a\n- [ ] T003 c\n${line}\n`), "T002").dependsOn).toEqual(expected);
  });

  it("[L45] waiting for a later task takes the order away, with a warning", () => {
    const later = read("- [ ] T001 a (depends on T003)\n- [ ] T002 b\n- [ ] T003 c\n");
    expect(task(later, "T001").order).toBeUndefined();
    expect(task(later, "T002").order).toBe("sequential");
    expect(messages(later, "ORDER_IGNORED")).toEqual([
      "T001 stands before tasks it waits for; its place in the file is ignored",
    ]);
  });

  it("[L45] waiting for a later task through others takes the order away too", () => {
    const later = read("- [ ] T001 a (depends on T002)\n- [ ] T002 b (depends on T003)\n- [ ] T003 c\n");
    expect(codes(later)).toEqual(["ORDER_IGNORED", "ORDER_IGNORED"]);
    expect(levels(later.plan)).toEqual([["T003"], ["T002"], ["T001"]]);
  });

  it("[L45] no order ever closes a cycle with declared dependencies", () => {
    const line = fc.record({
      parallel: fc.boolean(),
      depends: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), lines => {
        const text = lines
          .map(({ parallel, depends }, n) => {
            const known = depends.filter(other => other <= lines.length);
            const list = known.map(other => `T00${other}`).join(", ");
            return `- [ ] T00${n + 1} ${parallel ? "[P] " : ""}x${known.length > 0 ? ` (depends on ${list})` : ""}`;
          })
          .join("\n");
        const plan = read(text);
        if (errors(plan).length > 0) return;
        expect(levels(plan.plan).flat()).toHaveLength(lines.length);
      }),
      { numRuns: casesOf(125, 500) },
    );
  });

  it("[L20] an id twice is an error", () => {
    expect(errors(read("- [ ] T001 a\n- [ ] T001 b\n"))).toEqual(["DUPLICATE_ID"]);
  });

  it("[L44] tasks below tasks are containers only by their ids", () => {
    const nested = read("- [ ] T001 a\n  - [ ] T001.1 b\n- [ ] T002 c\n  - [ ] T003 d\n");
    expect(task(nested, "T001").children).toEqual(["T001.1"]);
    expect(task(nested, "T001").order).toBeUndefined();
    expect(task(nested, "T002").children).toBeUndefined();
  });
});

const KIRO = `# Implementation Plan

- [x] 1. Set up the project
  - [x] 1.1 Create the package
    - Directory layout, scripts
    - _Requirements: 1.1, 1.2_
  - [ ]* 1.2 (P) Write unit tests for the setup
    - _Requirements: 1.3_
- [ ] 2. Build the oven driver (P)
- [ ] 2.1 Heat curve (P)
  - Follows the curve of the manual
  - [ ] 3 sensors are read
  - _Depends: 1.1_
  - _Requirements: 2.1_
- [-] 2.2 Door lock
- [~] 2.3. Timer
- [ ] **2.3.1** Ring the bell
- [ ] 3. Document everything
`;

describe("Kiro and cc-sdd", () => {
  const reading = read(KIRO, ".kiro/specs/oven/tasks.md");

  it("[L44] every boxed number is a task of phase 1", () => {
    expect(ids(reading)).toEqual(["1", "1.1", "1.2", "2", "2.1", "2.2", "2.3", "2.3.1", "3"]);
    expect(done(reading)).toEqual(["1", "1.1"]);
    expect(new Set(reading.plan.tasks.map(found => found.phase))).toEqual(new Set([1]));
    expect(errors(reading)).toEqual([]);
  });

  it.each([
    [
      "headings that name phases",
      "- [ ] 0.1 Plan\n## Phase 0: Base\n- [ ] 0.2 a\n## Notes\n- [ ] 0.3 b\n### Phase 1: Parts\n- [ ] 1. c\n- [ ] 1.1 d\n- [ ] 1.2 e",
      { "0.1": 0, "0.2": 0, "0.3": 0, "1": 1, "1.1": 1, "1.2": 1 },
      [
        { phase: 0, title: "Base" },
        { phase: 1, title: "Parts" },
      ],
    ],
    [
      "headings that do not rise",
      "## Phase A2: x\n- [ ] 1 a\n## Phase A3b: y\n- [ ] 2 b\n## Phase A3: z\n- [ ] 3 c",
      { "1": 1, "2": 1, "3": 1 },
      [{ phase: 1, title: "" }],
    ],
    [
      "a number that holds one of another phase",
      "## Phase 1: x\n- [ ] 1. a\n- [ ] 1.1 b\n## Phase 2: y\n- [ ] 1.2 c",
      { "1": 1, "1.1": 1, "1.2": 1 },
      [{ phase: 1, title: "x" }],
    ],
    [
      "headings that only number",
      "## 1. Setup\n- [ ] 1.1 a\n## 2. Parts\n- [ ] 2.1 b",
      { "1.1": 1, "2.1": 1 },
      [{ phase: 1, title: "" }],
    ],
  ])("[L91] %s", (_, text, phases, titles) => {
    const { plan, diagnostics } = read(text, "TASKS.md");
    expect(plan.format).toBe("kiro");
    expect(Object.fromEntries(plan.tasks.map(found => [found.id, found.phase]))).toEqual(phases);
    expect(plan.phases).toEqual(titles);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("[L44] numbers hold numbers wherever they stand", () => {
    expect(
      reading.plan.tasks
        .filter(found => found.children !== undefined)
        .map(found => [found.id, found.children]),
    ).toEqual([
      ["1", ["1.1", "1.2"]],
      ["2", ["2.1", "2.2", "2.3"]],
      ["2.3", ["2.3.1"]],
    ]);
  });

  it("[L44] a star makes a task optional", () => {
    expect(reading.plan.tasks.filter(found => found.optional).map(found => found.id)).toEqual(["1.2"]);
  });

  it("[L44] depends is a dependency, requirements are not", () => {
    expect(edges(reading)).toEqual(["2.1 <- 1.1"]);
  });

  it("[L45] order is parallel with (P), and containers have none", () => {
    expect(reading.plan.tasks.map(found => found.order ?? "none")).toEqual([
      "none",
      "sequential",
      "parallel",
      "none",
      "parallel",
      "sequential",
      "none",
      "sequential",
      "sequential",
    ]);
  });

  it.each([
    ["_Depends: 1.1, 1.2_", ["1.1", "1.2"]],
    ["_Dependencies: 1.1_", ["1.1"]],
    ["_Depends on: 1.1_", ["1.1"]],
    ["Depends on 1.1 and 1.2", ["1.1", "1.2"]],
    ["**Depends on**: 1.1", ["1.1"]],
    ["_Depends: Task 1.1_", ["1.1"]],
    ["_Depends: none_", []],
    ["依赖: 1.1", ["1.1"]],
    ["_依存: 1.1_", ["1.1"]],
    ["_依存関係: 1.1、1.2_", ["1.1", "1.2"]],
    ["_前置任务: 1.1_", ["1.1"]],
    ["의존: 1.1", ["1.1"]],
    ["_Depends: 1_", ["1"]],
    ["_Requirements: 1.1_", []],
    ["_需求: 1.1_", []],
    ["_要件: 1.1_", []],
    ["needs 2 ovens", []],
  ])("[L44] %j waits for %j", (detail, expected) => {
    const plan = read(
      `- [ ] 1. a\n- [ ] 1.1 b\n- [ ] 1.2 c\n- [ ] 2. d\n  - ${detail}\n`,
      ".kiro/specs/x/tasks.md",
    );
    expect(task(plan, "2").dependsOn).toEqual(expected);
  });

  it.each([
    [
      "Chinese",
      "# 实施计划\n- [ ] 1. 设置项目\n  - 创建目录\n  - _需求: 1.1_\n- [x] 2. 实现\n  - [x] 2.1 模型\n- [ ] 4、四\n",
      ["1", "2", "2.1", "4"],
    ],
    [
      "Japanese",
      "# 実装計画\n- [x] 1. 基盤\n- [x] 1.1 (P) 設定\n  - _要件: 1.1_\n- [ ] 2. 認証\n",
      ["1", "1.1", "2"],
    ],
    ["Korean", "# 구현 계획\n- [ ] 1. 준비\n  - [ ] 1.1 설정\n", ["1", "1.1"]],
    ["headings above", "# Plan\n## Phase A\n- [ ] 1. a\n## Phase B\n- [ ] 2. b\n", ["1", "2"]],
    [
      "sections in the list",
      "# Plan\n### 1. Setup\n- [ ] 1.1 a\n- [ ] 1.2 b\n### 2. Build\n- [ ] 2.1 c\n",
      ["1.1", "1.2", "2.1"],
    ],
  ])("[L44] reads %s", (_, text, expected) => {
    expect(ids(read(text, ".kiro/specs/x/tasks.md"))).toEqual(expected);
  });

  it("[L44] details that begin with a number are no tasks", () => {
    const plan = read(
      "- [ ] 1. a\n  - [ ] 3 things\n  - [ ] 1.1 real\n    - [ ] 2 more\n",
      ".kiro/specs/x/tasks.md",
    );
    expect(ids(plan)).toEqual(["1", "1.1"]);
  });

  it("[L45] a task that waits for a later one loses its place", () => {
    const plan = read("- [ ] 1. a\n  - _Depends: 2_\n- [ ] 2. b\n", ".kiro/specs/x/tasks.md");
    expect(codes(plan)).toEqual(["ORDER_IGNORED"]);
    expect(levels(plan.plan)).toEqual([["2"], ["1"]]);
  });

  it("[L41] a cycle is an error here too", () => {
    const plan = read(
      "- [ ] 1. a\n  - _Depends: 2_\n- [ ] 2. b\n  - _Depends: 1_\n",
      ".kiro/specs/x/tasks.md",
    );
    expect(messages(plan, "CIRCULAR_DEP")).toEqual(["ERROR:CIRCULAR_DEP:1->2->1"]);
  });
});
