import { describe, expect, it } from "vitest";
import { criticalPath, widestFront } from "../../src/plan/index.ts";
import { done, edges, errors, ids, pairs, read, task } from "./reading.ts";

/** Milestones with phases in their headings, a contract-first phase 0.5, fences with worktrees, checklists. */
const MILESTONES = `# TASKS: 동네 빵집 - AI 개발 파트너용 태스크 목록

## MVP 캡슐

| # | 항목 | 내용 |
|---|------|------|
| 1 | 목표 | 예약 주문 |
| 2 | 페르소나 | 단골 손님 |

---

## 마일스톤 개요

| 마일스톤 | 설명 | Phase | 주요 기능 |
|----------|------|-------|-----------|
| M0 | 프로젝트 셋업 | Phase 0 | - |
| M0.5 | 계약 & 테스트 설계 | Phase 0 | - |
| M1 | FEAT-0 회원 | Phase 1 | 회원가입 |
| M2 | FEAT-1 예약 | Phase 2 | 예약 |

\`\`\`
M0 → M0.5 → M1 → M2
- [ ] T9.9: not a task
\`\`\`

---

## M0: 프로젝트 셋업

### [x] Phase 0, T0.1: 저장소와 환경 만들기

**담당**: backend-specialist

**작업 내용**:
- 디렉토리 구조
- Docker Compose

**산출물**:
- \`docker-compose.yml\`
- \`backend/pyproject.toml\`

**완료 조건**:
- [x] \`docker compose up\` 성공
- [x] 린트 통과

---

## M0.5: 계약 & 테스트 설계

### [x] Phase 0, T0.5.1: API 계약 정의

**담당**: backend-specialist
**의존성**: T0.1

### [ ] Phase 0, T0.5.2: 실패하는 테스트 작성

**담당**: test-specialist

**의존성**: T0.5.1

**완료 조건**:
- [ ] 모든 테스트가 🔴 RED

---

## M1: FEAT-0 회원 (Phase 1)

### [ ] Phase 1, T1.1: 회원 API RED→GREEN

**담당**: backend-specialist

**Git Worktree 설정**:
\`\`\`bash
# 1. Worktree 생성
git worktree add ../bakery-phase1-auth -b phase/1-auth
cd ../bakery-phase1-auth

# 2. 작업 완료 후 병합
# git checkout main
\`\`\`

**TDD 사이클**:

1. **RED**: 테스트 확인
   \`\`\`bash
   pytest tests/api/test_auth.py -v  # Expected: FAILED
   \`\`\`

2. **GREEN**: 구현

**산출물**:
- \`backend/app/api/auth.py\`

**인수 조건**:
- [ ] 테스트 통과
- [ ] 커버리지 >= 80%

---

### [ ] Phase 1, T1.2: 회원 화면 RED→GREEN

**담당**: frontend-specialist

**의존성**: 없음 (T1.1과 병렬 가능 - Mock 사용)

### [ ] Phase 1, T1.3: 회원 통합 테스트

**담당**: test-specialist

**의존성**: T1.1, T1.2

---

## M2: FEAT-1 예약 (Phase 2)

### [ ] Phase 2, T2.1: 예약 API RED→GREEN

**담당**: backend-specialist

**의존성**: T1.1 (회원 API) - **Mock 사용으로 T1.3과 독립 개발 가능**

### [ ] Phase 2, T2.2-FE: 예약 화면

**담당**: frontend-specialist
**의존성**: M0~M1

---

## 의존성 그래프

\`\`\`mermaid
flowchart TD
    T0.1 --> T0.5.1 --> T0.5.2
    T0.5.2 --> T1.1 & T1.2
    T1.1 & T1.2 --> T1.3
\`\`\`

## 병렬 실행 가능 태스크

| Phase | 병렬 가능 태스크 | 조건 |
|-------|------------------|------|
| Phase 1 | T1.1, T1.2 | 독립적 |
`;

/** Layers of resources and screens, grouped by headings, with verification points and a slash at every value. */
const LAYERS = `---
project: 강의 정리함
feature: 강의 저장
---

# 06-tasks: 강의 정리함 개발 태스크

> Domain-Guarded 구조

## Phase 0: 프로젝트 셋업

### P0-T0.1: 프로젝트 초기화

- **담당**: \`devops-specialist\`
- **스펙**: Next.js + FastAPI
- **파일**: \`package.json\`, \`pyproject.toml\`
- [x] 디렉토리 생성
- [x] 린터

### P0-T0.2: DB 설정
- **담당**: \`database-specialist\`
- **의존**: P0-T0.1
- [ ] 마이그레이션

---

## Phase 1: 공통 리소스

### P1-R1: Lectures Resource

#### [ ] P1-R1-T1: Lectures API 구현
- **담당**: backend-specialist
- **리소스**: lectures
- **엔드포인트**:
  - GET /api/lectures
  - POST /api/lectures
- **파일**: \`tests/api/test_lectures.py\` → \`app/api/lectures.py\`
- **Worktree**: \`worktree/phase-1-resources\`
- **TDD**: RED → GREEN → REFACTOR
- **병렬**: P1-R2-T1과 병렬 가능

#### [ ] P1-R1-T2: Lectures 시드
- **담당**: database-specialist
- **의존**: P1-R1-T1
- **병렬**: 불가 (P1-R1-T1 완료 후)

### P1-R2: Notes Resource

#### [ ] P1-R2-T1: Notes API 구현
- **담당**: backend-specialist
- **병렬**: P1-R1-T1과 병렬 가능

## Phase 2: 화면

### P2-S1: 강의 목록 화면

#### [ ] P2-S1-T1: 강의 목록 UI
- **담당**: frontend-specialist
- **화면**: /lectures
- **데이터 요구**: lectures (P1-R1)
- **의존**: P1-R1, P1-R2

#### [ ] P2-S1-T2: 강의 목록 통합 테스트
- **담당**: test-specialist
- **시나리오**:
  | 이름 | When | Then |
  |------|------|------|
  | 초기 로드 | 접속 | 목록 표시 |
- **의존**: P2-S1-T1

#### [ ] P2-S1-V: 연결점 검증
- **담당**: test-specialist
- **검증 항목**:
  - [ ] Field Coverage
  - [ ] Endpoint
- **의존**: P2-S1-T2

### P2-V: 전체 검증

- **담당**: test-specialist
- **의존**: P2-S1
`;

describe("milestones", () => {
  const reading = read(MILESTONES, "docs/planning/06-tasks.md");

  it("[L10] all tasks, and nothing else", () => {
    expect(ids(reading)).toEqual(["T0.1", "T0.5.1", "T0.5.2", "T1.1", "T1.2", "T1.3", "T2.1", "T2.2-FE"]);
    expect(reading.plan.project).toBe("동네 빵집");
    expect(errors(reading)).toEqual([]);
  });

  it("[L23] what is done", () => {
    expect(done(reading)).toEqual(["T0.1", "T0.5.1"]);
  });

  it("[L34] what waits for what", () => {
    expect(edges(reading)).toEqual([
      "T0.5.1 <- T0.1",
      "T0.5.2 <- T0.5.1",
      "T1.1 <- T0.5.2",
      "T1.3 <- T1.1 T1.2",
      "T2.1 <- T1.1",
      "T2.2-FE <- T0.1 T0.5.1 T0.5.2 T1.1 T1.2 T1.3",
    ]);
    expect(criticalPath(reading.plan)).toEqual(["T0.1", "T0.5.1", "T0.5.2", "T1.1", "T1.3", "T2.2-FE"]);
  });

  it("[L27] who does what, where, with which files", () => {
    expect(reading.plan.tasks.map(found => found.specialist)).toEqual([
      "backend-specialist",
      "backend-specialist",
      "test-specialist",
      "backend-specialist",
      "frontend-specialist",
      "test-specialist",
      "backend-specialist",
      "frontend-specialist",
    ]);
    expect(task(reading, "T1.1")).toMatchObject({
      worktree: "../bakery-phase1-auth",
      tdd: true,
      files: ["backend/app/api/auth.py"],
    });
    expect(task(reading, "T1.1").run).toBeUndefined();
    expect(task(reading, "T0.1").files).toEqual(["docker-compose.yml", "backend/pyproject.toml"]);
  });

  it("[L15] phases with the titles of their first headings", () => {
    expect(reading.plan.phases).toEqual([
      { phase: 0, title: "프로젝트 셋업" },
      { phase: 1, title: "FEAT-0 회원 (Phase 1)" },
      { phase: 2, title: "FEAT-1 예약 (Phase 2)" },
    ]);
  });
});

describe("layers", () => {
  const reading = read(LAYERS, "docs/planning/06-tasks.md");

  it("[L17] groups are no tasks, verification points are", () => {
    expect(ids(reading)).toEqual([
      "P0-T0.1",
      "P0-T0.2",
      "P1-R1-T1",
      "P1-R1-T2",
      "P1-R2-T1",
      "P2-S1-T1",
      "P2-S1-T2",
      "P2-S1-V",
      "P2-V",
    ]);
    expect(errors(reading)).toEqual([]);
    expect(reading.plan).toMatchObject({ project: "강의 정리함", feature: "강의 저장" });
  });

  it("[L23] headings without box are done with their criteria", () => {
    expect(done(reading)).toEqual(["P0-T0.1"]);
  });

  it("[L31] groups are named as a whole", () => {
    expect(edges(reading)).toEqual([
      "P0-T0.2 <- P0-T0.1",
      "P1-R1-T2 <- P1-R1-T1",
      "P2-S1-T1 <- P1-R1-T1 P1-R1-T2 P1-R2-T1",
      "P2-S1-T2 <- P2-S1-T1",
      "P2-S1-V <- P2-S1-T2",
      "P2-V <- P2-S1-T1 P2-S1-T2 P2-S1-V",
    ]);
  });

  it("[L39] partners are those named as such", () => {
    expect(pairs(reading)).toEqual(["P1-R1-T1 || P1-R2-T1", "P1-R2-T1 || P1-R1-T1"]);
    expect(widestFront(reading.plan)).toEqual(["P0-T0.1", "P1-R1-T1", "P1-R2-T1"]);
  });

  it("[L28] files, worktrees and tests first", () => {
    expect(task(reading, "P1-R1-T1")).toMatchObject({
      files: ["tests/api/test_lectures.py", "app/api/lectures.py"],
      worktree: "worktree/phase-1-resources",
      tdd: true,
      specialist: "backend-specialist",
    });
    expect(task(reading, "P0-T0.1").specialist).toBe("devops-specialist");
  });
});
