import { describe, expect, it } from "vitest";
import { codes, done, edges, errors, ids, messages, read, task } from "./reading.ts";

describe("groups and containers", () => {
  const grouped = [
    "## Phase 1: Core",
    "### P1-T1: Parser",
    "- **담당**: core-specialist",
    "- [ ] P1-T1.1: Lexer",
    "- [x] P1-T1.2: Grammar",
    "- **Blocks**: P1-T3",
    "### P1-T2: Printer",
    "- [ ] P1-T2.1: Layout",
    "- **Blocked-by**: P1-T1",
    "### P1-T3: Shell",
    "- [ ] P1-T3.1: Prompt",
    "- [ ] P1-T3.2: History",
    "- **Blocked-by**: P1-T2",
  ].join("\n");

  it("[L17] a heading without box that holds tasks is no task", () => {
    expect(ids(read(grouped))).toEqual(["P1-T1.1", "P1-T1.2", "P1-T2.1", "P1-T3.1", "P1-T3.2"]);
  });

  it("[L17] what a group waits for, and what waits for it, is true of its tasks", () => {
    expect(edges(read(grouped))).toEqual([
      "P1-T2.1 <- P1-T1.1 P1-T1.2",
      "P1-T3.1 <- P1-T1.1 P1-T1.2 P1-T2.1",
      "P1-T3.2 <- P1-T1.1 P1-T1.2 P1-T2.1",
    ]);
  });

  it("[L17] the specialist of a group is that of its tasks", () => {
    const reading = read(grouped);
    expect(task(reading, "P1-T1.1").specialist).toBe("core-specialist");
    expect(task(reading, "P1-T2.1").specialist).toBeUndefined();
  });

  it("[L17] a task's own specialist comes before its group's", () => {
    const reading = read("### P1-T1: a\n- 담당: outer\n#### P1-T1.1: b\n- 담당: inner\n#### P1-T1.2: c\n");
    expect(task(reading, "P1-T1.1").specialist).toBe("inner");
    expect(task(reading, "P1-T1.2").specialist).toBe("outer");
  });

  it("[L17] a bare heading whose id others extend is a title", () => {
    const reading = read(
      "## P2-S1: Screen\n## P2-S1-T1: Layout\n- 담당: x\n## P2-S1-T2: Data\n- 의존: P2-S1-T1\n## P2-S2: Alone\n",
    );
    expect(ids(reading)).toEqual(["P2-S1-T1", "P2-S1-T2", "P2-S2"]);
  });

  it("[L17] a group holds only the tasks whose ids extend its own, if there are some", () => {
    const reading = read(
      "## P2-S5: Screen\n- 담당: ui\n### [ ] P2-S5-T1: Layout\n### [ ] P2-V: Check all\n## Phase 3\n### [ ] P3-T1: x\n- 의존: P2-S5\n",
    );
    expect(task(reading, "P3-T1").dependsOn).toEqual(["P2-S5-T1"]);
    expect(task(reading, "P2-V").specialist).toBeUndefined();
  });

  it("[L369] a heading that looks like a task and holds one of another name is told", () => {
    const reading = read("## Phase 1\n### T1.5: API\n- files: a.ts\n- [ ] T1.6: Tests\n- [ ] T1.7: Docs\n");
    expect(ids(reading)).toEqual(["T1.6", "T1.7"]);
    const said = reading.diagnostics.filter(({ code }) => code === "ITEM_IGNORED");
    expect(said).toMatchObject([
      {
        severity: "warning",
        line: 2,
        message: "T1.5 has no box and holds T1.6, T1.7: it is read as their heading, not as a task",
      },
    ]);
  });

  it.each([
    "### P1-S3: Screens\n- [ ] P1-S3-T1: List\n- [ ] P1-V: check\n",
    "### T1.5: API\n- [ ] T1.5.1: Tests\n",
    "### [ ] T1.5: API\n- [ ] T1.6: Tests\n",
    "### T1.5: API\n- [ ] T1.6: Tests\n### [ ] T1.6: Tests\n",
    "## M1: API\n- [ ] T1.6: Tests\n",
  ])("[L369] nothing is told of %j", text => {
    expect(messages(read(`## Phase 1\n${text}`), "ITEM_IGNORED")).toEqual([]);
  });

  it("[L17] milestones and phases above are no tasks", () => {
    const reading = read("# M1: Login\n## P2: Shop\n### P2-S1: Cart\n#### [ ] P2-S1-T1: a\n");
    expect(ids(reading)).toEqual(["P2-S1-T1"]);
  });

  it("[L18] a boxed task with tasks that extend it is a container", () => {
    const reading = read(
      "- [ ] P1-T1: outer\n  - 의존: P0-T1\n  - [ ] P1-T1.1: a\n  - [x] P1-T1.2: b\n    - 의존: P1-T1.1\n- [x] P0-T1: zero\n- [ ] P1-T2: next\n  - 의존: P1-T1\n",
    );
    expect(ids(reading)).toEqual(["P1-T1", "P1-T1.1", "P1-T1.2", "P0-T1", "P1-T2"]);
    expect(task(reading, "P1-T1").children).toEqual(["P1-T1.1", "P1-T1.2"]);
    expect(task(reading, "P1-T1.1").inherited).toEqual(["P0-T1"]);
    expect(edges(reading)).toEqual(["P1-T1 <- P0-T1", "P1-T1.2 <- P1-T1.1", "P1-T2 <- P1-T1"]);
  });

  it("[L18] containers nest, and what they wait for adds up", () => {
    const reading = read(
      [
        "- [ ] T1: first",
        "- [ ] T2: second",
        "- [ ] T3: outer",
        "  - 의존: T1",
        "  - [ ] T3.1: middle",
        "    - 의존: T2",
        "    - [ ] T3.1.1: inner",
      ].join("\n"),
    );
    expect(task(reading, "T3").children).toEqual(["T3.1"]);
    expect(task(reading, "T3.1").children).toEqual(["T3.1.1"]);
    expect(task(reading, "T3.1").inherited).toEqual(["T1"]);
    expect(task(reading, "T3.1.1").inherited).toEqual(["T1", "T2"]);
    expect(task(reading, "T3.1.1").dependsOn).toEqual([]);
  });

  it("[L18] verifications alone make no container", () => {
    const reading = read("### [ ] P2-S3: Screen\n- 담당: ui\n#### [ ] P2-S3-V: Check\n- 의존: P2-S3\n");
    expect(task(reading, "P2-S3").children).toBeUndefined();
    expect(task(reading, "P2-S3-V").dependsOn).toEqual(["P2-S3"]);
  });

  it("[L18] with other tasks beside it, a verification belongs to the container", () => {
    const reading = read("### [ ] P2-S3: Screen\n#### [ ] P2-S3-T1: a\n#### [ ] P2-S3-V: Check\n");
    expect(task(reading, "P2-S3").children).toEqual(["P2-S3-T1", "P2-S3-V"]);
  });

  it("[L18] tasks below a task that do not extend its id are its neighbours", () => {
    const reading = read("### [ ] T1.1: a\n- 담당: x\n#### [ ] T1.2: b\n- 담당: y\n");
    expect(task(reading, "T1.1").children).toBeUndefined();
    expect(task(reading, "T1.2").inherited).toBeUndefined();
    expect(task(reading, "T1.2").specialist).toBe("y");
  });

  it("[L19] boxes without id below a task are criteria", () => {
    const reading = read(
      "### [ ] T1.1: a\n**완료 조건**:\n- [ ] one\n  - [x] two\n- [ ] three\n### [ ] T1.2: b\n",
    );
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
  });

  it("[L19] a criterion may begin with the id of a task defined elsewhere", () => {
    const reading = read("### [ ] T1.1: a\n- [x] T1.2: contract kept\n### [ ] T1.2: b\n- 담당: x\n");
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(task(reading, "T1.2").done).toBe(false);
    expect(codes(reading)).toEqual([]);
  });

  it("[L19] a criterion may begin with the id of its own task", () => {
    const reading = read("### [ ] T1.1: a\n- [x] T1.1 builds\n- [ ] T1.1 passes\n");
    expect(ids(reading)).toEqual(["T1.1"]);
    expect(codes(reading)).toEqual([]);
  });

  it("[L19] numbered boxes below a task are criteria", () => {
    const reading = read("### [ ] T1.1: a\n- [ ] 1. one\n- [ ] 2. two\n### [ ] T1.2: b\n");
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
  });
});

describe("one id in several places", () => {
  it("[L20] a list in front that repeats the headings adds their boxes", () => {
    const reading = read(
      "## Overview\n- [x] T1.1 Login\n- [ ] T1.2 Cart\n## Phase 1\n### T1.1: Login form\n- 담당: x\n### T1.2: Cart page\n- 담당: y\n",
    );
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(done(reading)).toEqual(["T1.1"]);
    expect(task(reading, "T1.1")).toMatchObject({ title: "Login form", line: 5, specialist: "x" });
    expect(codes(reading)).toEqual([]);
  });

  it("[L20] a table that repeats the tasks adds its columns", () => {
    const reading = read(
      "## Phase 1\n### [ ] T1.1: a\n### [ ] T1.2: b\n## Table\n| ID | 담당 | 의존성 |\n|---|---|---|\n| T1.1 | x-specialist | - |\n| T1.2 | y-specialist | T1.1 |\n",
    );
    expect(task(reading, "T1.1").specialist).toBe("x-specialist");
    expect(edges(reading)).toEqual(["T1.2 <- T1.1"]);
  });

  it("[L20] the task's own fields come before those of rows", () => {
    const reading = read(
      "## Phase 1\n### [ ] T1.1: a\n### [ ] T1.2: b\n- 담당: own\n- 의존: 없음\n## Table\n| ID | 담당 | 의존성 |\n|---|---|---|\n| T1.2 | other | T1.1 |\n",
    );
    expect(task(reading, "T1.2")).toMatchObject({ specialist: "own", dependsOn: [] });
  });

  it.each(["T1.1, T1.2", "T1.1~T1.2", "T1.1 / T1.2", "T1.1 (API) / T1.2 (UI)"])(
    "[L411] a row of several tasks (%s) is nobody's, least of all that of what they wait for",
    cell => {
      const reading = read(
        `### T0.1: base\n### T1.1: API\n### T1.2: UI\n## Status\n\n| Task | Depends | Status |\n|---|---|---|\n| ${cell} | T0.1 | ✅ |\n`,
      );
      expect(reading.plan.tasks.map(({ done, dependsOn }) => [done, dependsOn])).toEqual([
        [false, []],
        [false, []],
        [false, []],
      ]);
      expect(codes(reading)).toEqual([]);
    },
  );

  it("[L411] what stands in the column of a field is not whose row it is", () => {
    const reading = read(
      "### T0.1: base\n### T1.1: API\n## Status\n\n| Work | Depends | State |\n|---|---|---|\n| the rest | T0.1 | ✅ |\n\n| Depends | Id | State |\n|---|---|---|\n| T0.1 | T1.1 | ✅ |\n",
    );
    expect(reading.plan.tasks.map(({ done, dependsOn }) => [done, dependsOn])).toEqual([
      [false, []],
      [true, ["T0.1"]],
    ]);
  });

  it("[L412] a table that follows another behind a blank line has its own columns", () => {
    const table = (columns: string, ...rows: string[]) => [`| ${columns} |`, "|---|---|---|", ...rows, ""];
    const reading = read(
      [
        "### T0.1: base",
        "### T1.1: API",
        "### T1.2: UI",
        "## Status",
        "",
        ...table("Id | Owner | State", "| T0.1 | ann | ✅ |"),
        ...table("Id | Depends | State", "| T1.1 | T0.1 | ⏳ |", "| - | - | - |", "| T1.2 | T1.1 | ⏳ |"),
      ].join("\n"),
    );
    expect(reading.plan.tasks.map(({ done, dependsOn }) => [done, dependsOn])).toEqual([
      [true, []],
      [false, ["T0.1"]],
      [false, ["T1.1"]],
    ]);
    expect(reading.plan.tasks.map(({ specialist }) => specialist)).toEqual(["ann", undefined, undefined]);
  });

  it("[L20] two with fields are a duplicate, with both lines", () => {
    const reading = read("### [ ] T1.1: a\n- 담당: x\n### [ ] T1.1: a\n- 담당: y\n");
    expect(messages(reading, "DUPLICATE_ID")).toEqual([
      'T1.1 is defined on line 1 ("a") and again on line 3 ("a")',
    ]);
    expect(reading.diagnostics[0]).toMatchObject({ line: 3, column: 9, length: 4 });
  });

  it("[L20] two with different titles are a duplicate", () => {
    const reading = read("- [ ] T1.1: Login\n- [ ] T1.1: Payment\n");
    expect(errors(reading)).toEqual(["DUPLICATE_ID"]);
    expect(ids(reading)).toEqual(["T1.1"]);
  });

  it("[L20] three of a kind are two findings", () => {
    expect(errors(read("- [ ] T1: a\n- [ ] T1: b\n- [ ] T1: c\n"))).toEqual(["DUPLICATE_ID", "DUPLICATE_ID"]);
  });

  it("[L20] the same line twice is one task", () => {
    const reading = read("- [ ] T1.1: Login\n## Again\n- [ ] T1.1: Login\n");
    expect(errors(reading)).toEqual([]);
    expect(ids(reading)).toEqual(["T1.1"]);
  });

  it("[L20] a shorter title of the same is no other title", () => {
    expect(errors(read("- [ ] T1.1: Login\n### T1.1: Login form (OAuth)\n- 담당: x\n"))).toEqual([]);
  });

  it("[L20] rows and plain lines never make a duplicate", () => {
    const text =
      "### [ ] T1.1: Login\n- 담당: x\n## Risks\n| Task | Risk |\n|---|---|\n| T1.1 | late |\n\n- T1.1: may be late\n";
    expect(errors(read(text))).toEqual([]);
  });
});

describe("rows and bare lines", () => {
  it("[L21] rows with a box are tasks", () => {
    const reading = read(
      "## Phase 0\n| ID | 태스크 | 담당 | 의존성 | 상태 |\n|----|----|----|----|----|\n| P0-T0.1 | Repo | ops | - | [x] |\n| **P0-T0.2** | DB | db | P0-T0.1 | [ ] |\n| `P0-T0.3` | UI | ui | T0.1, T0.2 | [ ] |\n",
    );
    expect(reading.plan.tasks).toMatchObject([
      { id: "P0-T0.1", title: "Repo", done: true, specialist: "ops", dependsOn: [] },
      { id: "P0-T0.2", title: "DB", done: false, specialist: "db", dependsOn: ["P0-T0.1"] },
      { id: "P0-T0.3", title: "UI", done: false, specialist: "ui", dependsOn: ["P0-T0.1", "P0-T0.2"] },
    ]);
  });

  it("[L21] rows with states are tasks where nothing firmer is", () => {
    const reading = read("| Task | Name | Status |\n|---|---|---|\n| T1 | a | ✅ Done |\n| T2 | b | ⏳ |\n");
    expect(reading.plan.tasks).toMatchObject([
      { id: "T1", title: "a", done: true },
      { id: "T2", title: "b", done: false },
    ]);
  });

  it("[L21] rows beside firmer tasks are none", () => {
    const reading = read("- [ ] T1: a\n\n## Effort\n| Task | Days |\n|---|---|\n| T1 | 2 |\n| T9 | 3 |\n");
    expect(ids(reading)).toEqual(["T1"]);
  });

  it("[L21] cells may hold bars in backticks and behind backslashes", () => {
    const reading = read(
      "| ID | Task | S |\n|:--|:-:|--:|\n| T1 | `a|b` c | [ ] |\n| T2 | d \\| e | [x] |\n",
    );
    expect(reading.plan.tasks.map(found => found.title)).toEqual(["`a|b` c", "d \\| e"]);
    expect(done(reading)).toEqual(["T2"]);
  });

  it("[L21] a row needs no bar at its end, and a table no separator", () => {
    expect(ids(read("| ID | T | S |\n| T1 | a | [ ]\n| T2 | b | [ ] |\n"))).toEqual(["T1", "T2"]);
  });

  it("[L21] lines without box are tasks where they have fields", () => {
    const reading = read("## Phase 1\n- **T1.1**: a\n  - 담당: x\n- **T1.2**: b\n  - 의존: T1.1\n");
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(edges(reading)).toEqual(["T1.2 <- T1.1"]);
  });

  it("[L21] lines without box are tasks where nothing else is", () => {
    const reading = read("## Phase 1\n- T1.1: a\n- T1.2: b\n");
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(done(read("- ✅ T1.1 a\n- ⏳ T1.2 b\n"))).toEqual(["T1.1"]);
  });

  it("[L21] lines without box beside real tasks are mentions", () => {
    expect(ids(read("- [ ] T1.1: a\n\n## Order\n- T1.1: first\n- T1.2: then\n"))).toEqual(["T1.1"]);
  });

  it("[L21] bold paragraphs head tasks like headings do", () => {
    const reading = read(
      "## Phase 1\n\n**T1.1: Login**\n- 담당: a\n- [x] c\n\n**T1.2: Cart**\n- 담당: b\n- 의존: T1.1\n",
    );
    expect(reading.plan.tasks).toMatchObject([
      { id: "T1.1", title: "Login", specialist: "a", done: true },
      { id: "T1.2", title: "Cart", specialist: "b", dependsOn: ["T1.1"] },
    ]);
  });

  it("[L21] milestones are tasks only where nothing else is", () => {
    expect(ids(read("- [ ] M1: a\n- [x] M2: b\n"))).toEqual(["M1", "M2"]);
    expect(ids(read("- [ ] M1: a\n- [x] M2: b\n## M1\n- [ ] T1.1: c\n"))).toEqual(["T1.1"]);
  });
});
