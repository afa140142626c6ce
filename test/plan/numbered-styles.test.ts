import { describe, expect, it } from "vitest";
import { levels } from "../../src/plan/index.ts";
import { codes, done, edges, errors, ids, read, task } from "./reading.ts";

/** The older template: decimal phases, tests first, prose about dependencies, a checklist at the end. */
const DECIMAL = `# Tasks: Seed library

**Input**: Design documents from \`/specs/003-seeds/\`
**Prerequisites**: plan.md (required), research.md, data-model.md, contracts/

## Execution Flow (main)
\`\`\`
1. Load plan.md from feature directory
   → If not found: ERROR "No implementation plan found"
2. Number tasks sequentially (T001, T002...)
\`\`\`

## Format: \`[ID] [P?] Description\`
- **[P]**: Can run in parallel (different files, no dependencies)

## Phase 3.1: Setup
- [x] T001 Create project structure per implementation plan
- [x] T002 Initialize Python project with FastAPI dependencies
- [ ] T003 [P] Configure linting and formatting tools

## Phase 3.2: Tests First (TDD) ⚠️ MUST COMPLETE BEFORE 3.3
**CRITICAL: These tests MUST be written and MUST FAIL before ANY implementation**
- [ ] T004 [P] Contract test POST /api/seeds in tests/contract/test_seeds_post.py
- [ ] T005 [P] Contract test GET /api/seeds/{id} in tests/contract/test_seeds_get.py

## Phase 3.3: Core Implementation (ONLY after tests are failing)
- [ ] T006 [P] Seed model in src/models/seed.py
- [ ] T007 POST /api/seeds endpoint
- [ ] T008 Input validation

## Phase 3.10: Polish
- [ ] T009 [P] Unit tests for validation in tests/unit/test_validation.py
- [ ] T010 Remove duplication

## Dependencies
- Tests (T004-T005) before implementation (T006-T008)
- T006 blocks T007
- Implementation before polish (T009-T010)

## Parallel Example
\`\`\`
# Launch T004-T005 together:
Task: "Contract test POST /api/seeds in tests/contract/test_seeds_post.py"
\`\`\`

## Notes
- [P] tasks = different files, no dependencies
- Commit after each task

## Validation Checklist
*GATE: Checked by main() before returning*

- [ ] All contracts have corresponding tests
- [ ] Each task specifies exact file path
`;

/** Grown by hand: checkpoints, sub-headings, numbers beyond 999, details, blocked and skipped tasks. */
const GROWN = `---
description: "Task list"
---

# Tasks: Payment ledger

**Feature Branch**: \`042-ledger\`

## Phase 1: Setup (Shared Infrastructure) ✅ COMPLETE

- [X] T001 Create \`packages/ledger/\` (see plan)
- [X] T002 [P] Add \`packages/ledger/package.json\`

**Checkpoint**: builds

## Phase 2: Foundational

> Blocks all stories

- [X] T003 Schema in packages/ledger/src/schema.sql
    - accounts
    - entries
- [ ] T004 [P] Types in packages/ledger/src/types.ts (depends on T003)
- [ ] T004a [P] Fix found in review: rounding (after T004)

## Phase 3: User Story 1 - Post an entry (Priority: P1) 🎯 MVP

**Goal**: entries balance
**Independent Test**: \`pnpm test ledger\`

### Tests for User Story 1 (OPTIONAL)

- [ ] T010 [P] [US1] Property test in packages/ledger/test/balance.test.ts

### Implementation for User Story 1

- [ ] T011 [US1] Post in packages/ledger/src/post.ts (depends on T004, T010)
- [ ] T012 [US1] Errors
  - [ ] unbalanced
  - [ ] unknown account
  - Dependencies: T011
- [ ] ~~T013 [US1] Batch posting~~ (moved to 043)
- [ ] T1000 [US1] Bench

---

## Dependencies & Execution Order

### Phase Dependencies

- **Setup (Phase 1)**: No dependencies
- **Foundational (Phase 2)**: Depends on Setup completion

### Within Each User Story

- T010 before T011

## Implementation Strategy

1. Complete Phase 1
2. **STOP and VALIDATE**: T010
`;

/** Numbers with nested numbers, details, requirements, in several languages. */
const RAG_EN = `# Implementation Plan

- [x] 1. Prepare the service skeleton and shared contracts
- [x] 1.1 Create the service package and its settings
  - Load settings from the environment and fail early on missing ones
  - Provide one logger for all modules
  - _Requirements: 1.1, 1.2, 7.3_
- [x] 1.2 (P) Define the contracts between retrieval and answers
  - _Requirements: 2.1_
- [ ] 2. Build retrieval
- [ ] 2.1 (P) Split documents
  - Keep headings with their paragraphs
  - _Requirements: 2.2, 2.3_
  - _Contracts: Splitter Service_
- [ ] 2.2 (P) Embed the parts
  - _Requirements: 2.4_
  - _Depends: 2.1_
- [ ] 2.3 Rank what was found
  - _Requirements: 2.5_
  - _Depends: 2.1, 2.2_
- [ ] 3. Answer questions
- [ ] 3.1 Compose answers with their sources
  - _Requirements: 3.1_
  - _Boundary: AnswerService_
  - _Depends: 1.2, 2.3_
- [ ]* 3.2 Baseline checks of tone
  - _Requirements: 3.2_
`;

const ALBUM_JA = `# 実装計画

- [ ] 1. プロジェクトの基盤を整える
- [x] 1.1 (P) 依存関係とビルド設定を用意する
  - TypeScript の厳格モードを有効にする
  - _Requirements: 1.1_
- [ ] 1.2 データモデルを定義する
  - アルバムと写真の関係を表す
  - _Requirements: 1.2, 1.3_
- [ ] 2. アルバム機能を実装する
  - [ ] 2.1 一覧を表示する
    - 日付でまとめる
    - _依存: 1.2_
    - _Requirements: 2.1_
  - [ ]* 2.2 受け入れ条件の補足テスト
    - _Requirements: 2.2_
- [ ] 3. 統合と検証
`;

const PLAN_ZH = `# 实施计划

- [x] 1. 设置项目结构和核心接口
  - 创建模型、服务、仓库的目录结构
  - 定义系统边界的接口
  - _需求：1.1_

- [ ] 2. 实现数据模型和验证
  - [x] 2.1 创建核心数据模型接口和类型
    - 编写 TypeScript 接口
    - _需求：2.1、3.3_
  - [ ] 2.2 实现带验证的用户模型
    - _需求：1.2_
    - _依赖：2.1_
  - [-] 2.3 实现带关系的文档模型
    - _需求：2.1、3.3_

- [ ] 3. 创建存储机制
  - [ ] 3.1 编写数据库连接工具
    - 依赖：2.2、2.3
`;

/** Headings for the major tasks, boxes below, details in between. */
const HEADED = `# Implementation Plan: telescope control

## Overview

Work in small steps.

## Tasks

### 1. Mount

- [x] 1.1 Read the encoders
- [ ] 1.2 Drive the motors
  - Ramp up, ramp down

### 2. Camera

- [ ] 2.1 Expose
- [ ] 2.2 Download
  - 2 retries
  - [ ] 10 MB images

## Notes

- Tasks marked with \`*\` are optional
- Each task references 1 or 2 requirements
`;

const MASTER_TAGS = JSON.stringify(
  {
    master: {
      tasks: [
        {
          id: 1,
          title: "Initialise repository",
          description: "Create it",
          details: "Use pnpm workspaces.",
          testStrategy: "pnpm build passes",
          priority: "high",
          dependencies: [],
          status: "done",
          subtasks: [],
        },
        {
          id: 2,
          title: "Ledger",
          description: "Double entry",
          priority: "medium",
          dependencies: [1],
          status: "in-progress",
          subtasks: [
            { id: 1, title: "Schema", description: "", dependencies: [], status: "done", details: "SQL" },
            {
              id: 2,
              title: "Posting",
              description: "",
              dependencies: [1],
              status: "pending",
              parentTaskId: 2,
            },
            { id: 3, title: "Balance", description: "", dependencies: ["2.2"], status: "review" },
          ],
          complexityScore: 7,
        },
        { id: 3, title: "Reports", dependencies: ["2", "1"], status: "blocked", subtasks: [] },
        { id: 4, title: "Old importer", dependencies: [], status: "cancelled" },
      ],
      metadata: { created: "2026-01-01T00:00:00.000Z", description: "Tasks for master context" },
    },
    "feature-x": {
      tasks: [{ id: 1, title: "Elsewhere", status: "pending", dependencies: [] }],
      metadata: {},
    },
  },
  null,
  2,
);

describe("spec-kit with decimal phases", () => {
  const reading = read(DECIMAL, "specs/003-seeds/tasks.md");

  it("[L43] tasks are the boxes with ids", () => {
    expect(ids(reading)).toEqual([
      "T001",
      "T002",
      "T003",
      "T004",
      "T005",
      "T006",
      "T007",
      "T008",
      "T009",
      "T010",
    ]);
    expect(done(reading)).toEqual(["T001", "T002"]);
    expect(codes(reading)).toEqual([]);
    expect(edges(reading)).toEqual([]);
  });

  it("[L16] 3.10 comes after 3.3", () => {
    expect(reading.plan.phases.map(({ phase }) => phase)).toEqual([3.1, 3.2, 3.3, "3.10"]);
    expect(levels(reading.plan, { phases: true })).toEqual([
      ["T001"],
      ["T002"],
      ["T003"],
      ["T004", "T005"],
      ["T006"],
      ["T007"],
      ["T008"],
      ["T009"],
      ["T010"],
    ]);
  });

  it("[L28] files of the titles", () => {
    expect(task(reading, "T004").files).toEqual(["tests/contract/test_seeds_post.py"]);
    expect(task(reading, "T007").files).toEqual([]);
  });
});

describe("spec-kit grown by hand", () => {
  const reading = read(GROWN, "specs/042-ledger/tasks.md");

  it("[L43] inserted, large and struck-out numbers", () => {
    expect(ids(reading)).toEqual([
      "T001",
      "T002",
      "T003",
      "T004",
      "T004a",
      "T010",
      "T011",
      "T012",
      "T013",
      "T1000",
    ]);
    expect(done(reading)).toEqual(["T001", "T002", "T003"]);
    expect(reading.plan.tasks.filter(found => found.skip).map(found => found.id)).toEqual(["T013"]);
    expect(errors(reading)).toEqual([]);
    expect(reading.plan).toMatchObject({ project: "Payment ledger", feature: "042-ledger" });
  });

  it("[L43] dependencies in brackets and below", () => {
    expect(edges(reading)).toEqual(["T004 <- T003", "T004a <- T004", "T011 <- T004 T010", "T012 <- T011"]);
  });

  it("[L45] order by [P]", () => {
    expect(reading.plan.tasks.map(found => [found.id, found.order])).toEqual([
      ["T001", "sequential"],
      ["T002", "parallel"],
      ["T003", "sequential"],
      ["T004", "parallel"],
      ["T004a", "parallel"],
      ["T010", "parallel"],
      ["T011", "sequential"],
      ["T012", "sequential"],
      ["T013", "sequential"],
      ["T1000", "sequential"],
    ]);
  });

  it("[L5] the block of a task is its line and its details", () => {
    expect(task(reading, "T003").text).toBe(
      "- [X] T003 Schema in packages/ledger/src/schema.sql\n    - accounts\n    - entries",
    );
    expect(task(reading, "T012").text).toContain("unknown account");
  });
});

describe("Kiro and cc-sdd files", () => {
  it("[L44] flat numbers in English", () => {
    const reading = read(RAG_EN, ".kiro/specs/rag/tasks.md");
    expect(ids(reading)).toEqual(["1", "1.1", "1.2", "2", "2.1", "2.2", "2.3", "3", "3.1", "3.2"]);
    expect(done(reading)).toEqual(["1", "1.1", "1.2"]);
    expect(edges(reading)).toEqual(["2.2 <- 2.1", "2.3 <- 2.1 2.2", "3.1 <- 1.2 2.3"]);
    expect(reading.plan.tasks.filter(found => found.children !== undefined).map(found => found.id)).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(reading.plan.tasks.filter(found => found.order === "parallel").map(found => found.id)).toEqual([
      "1.2",
      "2.1",
      "2.2",
    ]);
    expect(task(reading, "3.2").optional).toBe(true);
    expect(codes(reading)).toEqual([]);
  });

  it("[L44] nested numbers in Japanese", () => {
    const reading = read(ALBUM_JA, ".kiro/specs/albums/tasks.md");
    expect(ids(reading)).toEqual(["1", "1.1", "1.2", "2", "2.1", "2.2", "3"]);
    expect(done(reading)).toEqual(["1.1"]);
    expect(edges(reading)).toEqual(["2.1 <- 1.2"]);
    expect(task(reading, "3").children).toBeUndefined();
    expect(task(reading, "3").order).toBe("sequential");
    expect(reading.plan.project).toBe("albums");
  });

  it("[L44] nested numbers in Chinese", () => {
    const reading = read(PLAN_ZH, ".kiro/specs/docs/tasks.md");
    expect(ids(reading)).toEqual(["1", "2", "2.1", "2.2", "2.3", "3", "3.1"]);
    expect(done(reading)).toEqual(["1", "2.1"]);
    expect(edges(reading)).toEqual(["2.2 <- 2.1", "3.1 <- 2.2 2.3"]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L44] boxes below numbered headings", () => {
    const reading = read(HEADED, ".kiro/specs/telescope/tasks.md");
    expect(ids(reading)).toEqual(["1.1", "1.2", "2.1", "2.2"]);
    expect(reading.plan.tasks.every(found => found.phase === 1)).toBe(true);
    expect(reading.plan.project).toBe("telescope control");
  });
});

describe("Task Master with tags", () => {
  const reading = read(MASTER_TAGS, ".taskmaster/tasks/tasks.json");

  it("[L47] the master tag, subtasks and all", () => {
    expect(ids(reading)).toEqual(["1", "2", "2.1", "2.2", "2.3", "3", "4"]);
    expect(done(reading)).toEqual(["1", "2.1"]);
    expect(edges(reading)).toEqual(["2 <- 1", "2.2 <- 2.1", "2.3 <- 2.2", "3 <- 1 2"]);
    expect(task(reading, "2.1").inherited).toEqual(["1"]);
    expect(task(reading, "4").skip).toBe(true);
    expect(codes(reading)).toEqual(["OTHER_TAGS"]);
  });

  it("[L42] levels without the container", () => {
    expect(levels(reading.plan)).toEqual([["1", "4"], ["2.1"], ["2.2"], ["2.3"], ["3"]]);
  });
});
