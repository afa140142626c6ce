import { describe, expect, it } from "vitest";
import { codes, done, edges, errors, ids, pairs, read, task } from "./reading.ts";

/** Noise around the tasks that names them without defining any. */
const NOISY = `# 06. 태스크 목록: 도서 대여

## 목차
- [Phase 0](#phase-0)
- [P1-T1: 검색](#p1-t1)

## 우선순위
1. P0-T1 → P1-T1 → P1-T2
2. **P1-T3**은 언제든 가능

## 실행 순서

| 순서 | 태스크 | 비고 |
|------|--------|------|
| 1 | P0-T1 | 먼저 |
| 2 | P1-T1, P1-T2 | 병렬 |

\`\`\`
P0-T1 ──▶ P1-T1
      └─▶ P1-T2
- [ ] P9-T9: 예시
\`\`\`

## Phase 0: 준비

### P0-T1: 저장소 \`[x]\`

**담당**: devops-specialist

## Phase 1: 기능

### P1-T1: 검색 API [ ]

| 항목 | 내용 |
|------|------|
| **담당** | backend-specialist |
| **의존성** | P0-T1 |
| **예상 시간** | 4h |

#### 구현 내용

- P1-T2와 같은 스키마를 쓴다
- [ ] 인덱스 추가
- [x] 쿼리 작성

#### 테스트

1. [ ] 빈 검색어
2. [ ] 긴 검색어

### P1-T2: 검색 화면 [ ]

| 항목 | 내용 |
|------|------|
| **담당** | frontend-specialist |
| **의존성** | P0-T1, P1-T1 (API 계약만 필요) |

### P1-T3: 문서 [ ]

> **담당**: docs-specialist
> **의존성**: 없음
> 참고: P1-T1

## Gantt

\`\`\`mermaid
gantt
    title 일정
    section Phase 1
    P1-T1 :a1, 2026-01-01, 3d
    P1-T2 :after a1, 2d
\`\`\`

## 리스크

| 태스크 | 리스크 | 상태 |
|--------|--------|------|
| P1-T1 | 성능 | 🔄 |

## 변경 이력

- 2026-01-02: P1-T3 추가
- [x] 2026-01-03 P1-T2 검토 완료
`;

/** English, with epics, boxes in lists below headings of user stories, owners in brackets. */
const STORIES = `---
title: "Parcel lockers"
---

# Implementation Tasks

Status legend: [ ] open, [x] done, [~] in progress

## Sprint 1 - Hardware

### Story: open a door

- [x] **T1** Lock driver (firmware-engineer)
  - Files: \`firmware/lock.c\`, \`firmware/lock.h\`
  - Verified by the bench test
- [~] **T2** Door sensor (firmware-engineer)
  - Depends on: T1
  - Test: \`make test-door\`

### Story: know the state

- [ ] **T3** State machine @backend-engineer
  - Depends on: T1, T2
- [ ] **T4** Report over MQTT
  - Owner: backend-engineer
  - Depends on: T3
  - [ ] retries
  - [ ] back-off

## Sprint 2 - App

- [ ] **T5** Pairing screen
  - Owner: app-developer
  - After: T4 (needs topics)
- [ ] **T6** Release
  - Requires: T1-T5

## Out of scope

- Payment
- ~~T7 Colours~~
`;

/** Chinese, with stages and full-width punctuation. */
const STAGES = `# 任务清单：图书借阅

## 第一阶段：准备

### T1.1：建立仓库 ✅
- **负责人**：运维
- **依赖**：无

### T1.2：数据库（进行中）
- **负责人**：后端
- **依赖**：T1.1

## 第二阶段：功能

### T2.1：搜索接口
- **负责人**：后端
- **依赖**：T1.1、T1.2
- **并行**：T2.2

### T2.2：搜索页面
- **负责人**：前端
- **依赖任务**：T1.2（数据库）
- **状态**：未开始
- **并行**：T2.1
`;

/** Japanese, with phases and boxes behind the titles. */
const JAPANESE = `# タスク一覧：図書館

## フェーズ 1: 基盤

### [x] T1.1: リポジトリ
- **担当**: インフラ
- **依存**: なし

### [ ] T1.2: 認証
- **担当**: バックエンド
- **依存**: T1.1（完了済み）
- **完了条件**:
  - [ ] ログインできる

## フェーズ 2: 画面

### [ ] T2.1: ログイン画面
- **担当者**: フロントエンド
- **依存タスク**: T1.1〜T1.2
- **並列**: 不可（T1.2 完了後）
`;

describe("noise", () => {
  const reading = read(NOISY, "docs/planning/06-tasks.md");

  it("[L19] names tasks, defines none", () => {
    expect(ids(reading)).toEqual(["P0-T1", "P1-T1", "P1-T2", "P1-T3"]);
    expect(done(reading)).toEqual(["P0-T1"]);
    // The example in its fence is told, and read by nobody.
    expect(codes(reading)).toEqual(["TASK_HIDDEN"]);
    expect(reading.plan.project).toBe("도서 대여");
  });

  it("[L24] fields are where the task is", () => {
    expect(edges(reading)).toEqual(["P1-T1 <- P0-T1", "P1-T2 <- P0-T1 P1-T1"]);
    expect(reading.plan.tasks.map(found => found.specialist)).toEqual([
      "devops-specialist",
      "backend-specialist",
      "frontend-specialist",
      "docs-specialist",
    ]);
  });
});

describe("stories", () => {
  const reading = read(STORIES);

  it("[L10] bold ids in lists", () => {
    expect(reading.plan.tasks.map(found => [found.id, found.phase, found.done])).toEqual([
      ["T1", 1, true],
      ["T2", 1, false],
      ["T3", 1, false],
      ["T4", 1, false],
      ["T5", 2, false],
      ["T6", 2, false],
    ]);
    expect(reading.plan.project).toBe("Parcel lockers");
    expect(errors(reading)).toEqual([]);
  });

  it("[L30] a range is everything in it", () => {
    expect(edges(reading)).toEqual([
      "T2 <- T1",
      "T3 <- T1 T2",
      "T4 <- T3",
      "T5 <- T4",
      "T6 <- T1 T2 T3 T4 T5",
    ]);
  });

  it("[L27] roles in brackets, with @, in fields", () => {
    expect(reading.plan.tasks.map(found => found.specialist)).toEqual([
      "firmware-engineer",
      "firmware-engineer",
      "backend-engineer",
      "backend-engineer",
      "app-developer",
      undefined,
    ]);
    expect(task(reading, "T1").files).toEqual(["firmware/lock.c", "firmware/lock.h"]);
    expect(task(reading, "T2").test).toBe("make test-door");
  });
});

describe("other languages", () => {
  it("[L24] Chinese", () => {
    const reading = read(STAGES);
    expect(reading.plan.tasks.map(found => [found.id, found.phase, found.done, found.specialist])).toEqual([
      ["T1.1", 1, true, "运维"],
      ["T1.2", 1, false, "后端"],
      ["T2.1", 2, false, "后端"],
      ["T2.2", 2, false, "前端"],
    ]);
    expect(edges(reading)).toEqual(["T1.2 <- T1.1", "T2.1 <- T1.1 T1.2", "T2.2 <- T1.2"]);
    expect(pairs(reading)).toEqual(["T2.1 || T2.2", "T2.2 || T2.1"]);
    expect(reading.plan.project).toBe("图书借阅");
    expect(reading.plan.phases.map(phase => phase.title)).toEqual(["准备", "功能"]);
  });

  it("[L24] Japanese", () => {
    const reading = read(JAPANESE);
    expect(reading.plan.tasks.map(found => [found.id, found.phase, found.done, found.specialist])).toEqual([
      ["T1.1", 1, true, "インフラ"],
      ["T1.2", 1, false, "バックエンド"],
      ["T2.1", 2, false, "フロントエンド"],
    ]);
    expect(edges(reading)).toEqual(["T1.2 <- T1.1", "T2.1 <- T1.1 T1.2"]);
    expect(reading.plan.project).toBe("図書館");
  });
});
