import { describe, expect, it } from "vitest";
import { levels } from "../../src/plan/index.ts";
import { codes, done, edges, errors, ids, read, task } from "./reading.ts";

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
    expect(levels(reading.plan)).toEqual([["1"], ["2.1"], ["2.2"], ["2.3"], ["3"]]);
  });
});
