import { describe, expect, it } from "vitest";
import { codes, done, edges, errors, ids, read, task } from "./reading.ts";

/** Short ids in a list, one line each, fields in brackets; with progress kept in a table. */
const SHORT = `# Bakery Tasks

## Progress

| Task | Status | Owner |
|------|--------|-------|
| T1 | ✅ Done | ops |
| T2 | 🔄 In Progress | backend |
| T3 | ⏳ Pending | frontend |
| T4 | ⏳ Pending | - |

## Tasks

### T1: Repository
Create it.

### T2: API
**Depends on:** T1

Acceptance criteria:
1. answers
2. fast

### T3: Page
**Depends on:** T2 (API)

### T4: Release
**Depends on:** T2, T3
**Blocks:** nothing
`;

/** English milestones with plain boxes, and a release section. */
const CHECKLISTS = `# Oven firmware — Implementation Plan

## Overview
- [ ] this list is an overview

## Phase 1: Sensors ✅
- [x] Read thermocouples
- [x] Filter noise
  - [x] moving average

## Phase 2: Control
- [ ] PID loop (after sensors)
- [ ] Safety cut-off
### Quality checklist
- [ ] no warnings

## Phase 3: Release
### [ ] T3.1: Package
- Owner: release-engineer
- Depends on: Phase 2
- [ ] signed

## Definition of Done
- [ ] everything works
`;

/** Groups with boxes as their members, arrows between groups, and what blocks what. */
const GROUPS = `# TASKS.md — genome tool

## Phase 0: Setup ✅
- [x] P0-T0.1: package
- [x] P0-T0.2: tests

## Phase 1: Core
### P1-T1: k-mers (\`kmer.py\`)
- [ ] P1-T1.1: count
- [ ] P1-T1.2: compare
- **Done-when**: \`pytest tests/test_kmer.py\` passes

### P1-T2: matrix (\`matrix.py\`)
- [ ] P1-T2.1: build
- **Blocked-by**: P1-T1
- **Done-when**: shapes match

### P1-T3: data
- [ ] P1-T3.1: genomes
- [ ] P1-T3.2: expectations
- **Blocks**: P1-T2.1

## Graph

\`\`\`mermaid
flowchart TD
    P0[P0: Setup ✅] --> P1T3[P1-T3: data]
    P1T3 --> P1T1[P1-T1: k-mers]
    P1T1 --> P1T2[P1-T2: matrix]
\`\`\`

| Phase | 태스크 수 | 상태 |
|-------|----------|------|
| P0: Setup | 2 | ✅ 완료 |
| **Total** | **7** | |
`;

describe("short ids with a progress table", () => {
  const reading = read(SHORT);

  it("[L20] headings are the tasks, rows tell their state and owner", () => {
    expect(ids(reading)).toEqual(["T1", "T2", "T3", "T4"]);
    expect(done(reading)).toEqual(["T1"]);
    expect(reading.plan.tasks.map(found => found.specialist)).toEqual([
      "ops",
      "backend",
      "frontend",
      undefined,
    ]);
    expect(task(reading, "T1").title).toBe("Repository");
  });

  it("[L34] dependencies are the fields'", () => {
    expect(edges(reading)).toEqual(["T2 <- T1", "T3 <- T2", "T4 <- T2 T3"]);
    expect(codes(reading)).toEqual([]);
  });
});

describe("checklists under phases", () => {
  const reading = read(CHECKLISTS);

  it("[L22] boxes are tasks where a phase has no ids", () => {
    expect(reading.plan.tasks.map(found => [found.title, found.phase, found.done])).toEqual([
      ["Read thermocouples", 1, true],
      ["Filter noise", 1, true],
      ["PID loop (after sensors)", 2, false],
      ["Safety cut-off", 2, false],
      ["Package", 3, false],
    ]);
    expect(reading.plan.project).toBe("Oven firmware");
  });

  it("[L31] a phase is named as a whole", () => {
    const [, , loop, cut] = ids(reading);
    expect(task(reading, "T3.1").dependsOn).toEqual([loop, cut]);
    expect(task(reading, "T3.1").specialist).toBe("release-engineer");
  });
});

describe("groups and diagrams", () => {
  const reading = read(GROUPS);

  it("[L17] the members are the tasks", () => {
    expect(ids(reading)).toEqual([
      "P0-T0.1",
      "P0-T0.2",
      "P1-T1.1",
      "P1-T1.2",
      "P1-T2.1",
      "P1-T3.1",
      "P1-T3.2",
    ]);
    expect(done(reading)).toEqual(["P0-T0.1", "P0-T0.2"]);
    expect(errors(reading)).toEqual([]);
    expect(reading.plan.project).toBe("genome tool");
  });

  it("[L34] fields of groups, what they block, and the diagram for those who say nothing", () => {
    expect(edges(reading)).toEqual([
      "P1-T1.1 <- P1-T3.1 P1-T3.2",
      "P1-T1.2 <- P1-T3.1 P1-T3.2",
      "P1-T2.1 <- P1-T1.1 P1-T1.2 P1-T3.1 P1-T3.2",
      "P1-T3.1 <- P0-T0.1 P0-T0.2",
      "P1-T3.2 <- P0-T0.1 P0-T0.2",
    ]);
  });
});
