import { describe, expect, it } from "vitest";
import { codes, done, edges, errors, ids, read, task } from "./reading.ts";

/** Everything in tables by phase, with markdown in the cells. */
const TABLES = `# Warehouse — TASKS

## Phase 0: Setup

| ID | Task | Owner | Deps | Status |
|:---|:-----|:------|:-----|:------:|
| **P0-T0.1** | Create the \`repo\` | @ops | — | ✅ |
| **P0-T0.2** | CI \\| CD | @ops | P0-T0.1 | ✅ Done |

## Phase 1: Stock

| ID | Task | Owner | Deps | Status |
|:---|:-----|:------|:-----|:------:|
| **P1-T1.1** | Model | \`backend\` | P0-T0.1, P0-T0.2 | 🔄 |
| **P1-T1.2** | Screen | \`frontend\` | T1.1 | ⬜ |
| **P1-T1.3** | Labels | - | none | ⬜ |

## Totals

| Phase | Tasks |
|-------|-------|
| P0 | 2 |
| P1 | 3 |
`;

/** Our own style: commands, checks, context nodes. */
const OWN = `---
project: release notes
feature: weekly notes
---

# Release notes

## Phase 1: Gather

- [ ] T1.1: Collect commits
  - agent: shell
  - run:
    \`\`\`bash
    git log --oneline -20 > commits.txt
    \`\`\`
  - verify: \`test -s commits.txt\`
  - expects: commits.txt
  - risk: low
- [ ] T1.2: Describe the audience
  - fills: ctx-audience
  - role: writer
  - parallel_with: T1.1

## Phase 2: Write

- [ ] T2.1: Draft
  - depends_on: [T1.1, T1.2]
  - agent: claude
  - specialist: writer
  - context: ctx-audience
  - files: NOTES.md
  - test: \`npx markdownlint NOTES.md\`
  - tdd: no
- [ ] T2.2: Review
  - depends_on: T2.1
  - agent: codex
  - role: reviewer
  - expects: none
  - risk: critical
`;

/** Containers with boxes, three levels deep, and what waits for them. */
const NESTED = `# Compiler

## Phase 1: Front

- [ ] T1: Lexer
  - Depends on: none
  - [x] T1.1: Numbers
  - [x] T1.2: Strings
    - [x] T1.2.1: Escapes
    - [ ] T1.2.2: Raw
- [ ] T2: Parser
  - Depends on: T1
  - [ ] T2.1: Expressions
  - [ ] T2.2: Statements
    - Depends on: T2.1

## Phase 2: Back

- [ ] T3: Code
  - Depends on: T2
`;

describe("tables", () => {
  const reading = read(TABLES);

  it("[L21] rows are tasks of the phase above them", () => {
    expect(
      reading.plan.tasks.map(found => [found.id, found.phase, found.title, found.done, found.specialist]),
    ).toEqual([
      ["P0-T0.1", 0, "Create the `repo`", true, "ops"],
      ["P0-T0.2", 0, "CI \\| CD", true, "ops"],
      ["P1-T1.1", 1, "Model", false, "backend"],
      ["P1-T1.2", 1, "Screen", false, "frontend"],
      ["P1-T1.3", 1, "Labels", false, undefined],
    ]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L31] cells name tasks as fields do", () => {
    expect(edges(reading)).toEqual([
      "P0-T0.2 <- P0-T0.1",
      "P1-T1.1 <- P0-T0.1 P0-T0.2",
      "P1-T1.2 <- P1-T1.1",
    ]);
  });
});

describe("our own", () => {
  const reading = read(OWN);

  it("[L26] everything it says", () => {
    expect(task(reading, "T1.1")).toMatchObject({
      agent: "shell",
      run: "git log --oneline -20 > commits.txt",
      verify: "test -s commits.txt",
      expects: ["commits.txt"],
      risk: "low",
      kind: "worker",
      parallelWith: ["T1.2"],
    });
    expect(task(reading, "T1.2")).toMatchObject({
      kind: "context-fill",
      fills: "ctx-audience",
      role: "writer",
      specialist: "writer",
    });
    expect(task(reading, "T2.1")).toMatchObject({
      dependsOn: ["T1.1", "T1.2"],
      agent: "claude",
      specialist: "writer",
      contextRef: "ctx-audience",
      files: ["NOTES.md"],
      test: "npx markdownlint NOTES.md",
      tdd: false,
    });
    expect(task(reading, "T2.2")).toMatchObject({
      agent: "codex",
      role: "reviewer",
      specialist: "reviewer",
      expects: ["none"],
      risk: "critical",
    });
    expect(reading.plan).toMatchObject({ project: "release notes", feature: "weekly notes" });
    expect(codes(reading)).toEqual(["PARALLEL_ONE_SIDED"]);
  });
});

describe("nesting", () => {
  const reading = read(NESTED);

  it("[L18] containers hold what extends them", () => {
    expect(ids(reading)).toEqual(["T1", "T1.1", "T1.2", "T1.2.1", "T1.2.2", "T2", "T2.1", "T2.2", "T3"]);
    expect(
      reading.plan.tasks.flatMap(found =>
        found.children === undefined ? [] : [[found.id, ...found.children]],
      ),
    ).toEqual([
      ["T1", "T1.1", "T1.2"],
      ["T1.2", "T1.2.1", "T1.2.2"],
      ["T2", "T2.1", "T2.2"],
    ]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L18] parts wait for what their containers wait for", () => {
    expect(edges(reading)).toEqual(["T2 <- T1", "T2.2 <- T2.1", "T3 <- T2"]);
    expect(task(reading, "T2.1").inherited).toEqual(["T1"]);
    expect(task(reading, "T2.2").inherited).toEqual(["T1"]);
    expect(task(reading, "T1.2.1").inherited).toBeUndefined();
  });

  it("[L23] what is done is what the boxes say", () => {
    expect(done(reading)).toEqual(["T1.1", "T1.2", "T1.2.1"]);
  });
});
