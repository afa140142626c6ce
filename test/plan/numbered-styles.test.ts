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
