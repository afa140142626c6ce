import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CANDIDATE_PATHS, formatOf } from "../../src/plan/index.ts";
import { codes, errors, ids, messages, read, task } from "./reading.ts";

describe("which format a file is in", () => {
  it.each([
    ["TASKS.md", "### [ ] Phase 1, T1.1: a\n"],
    ["docs/planning/06-tasks.md", "### [ ] P1-R1-T1: a\n- [ ] 1. criterion\n- [ ] 2. criterion\n"],
    ["TASKS.md", "- [ ] buy milk\n- [ ] buy bread\n"],
    ["TASKS.md", "## Phase 1\n- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T001: c\n"],
    ["specs/a/tasks.md", "## Phase 1\n### [ ] T1.1: a\n### [ ] T1.2: b\n"],
  ])("[L7] %s with ids of the house is tasks-md", (path, text) => {
    expect(read(text, path).plan.format).toBe("tasks-md");
  });

  it.each([
    ["specs/001-a/tasks.md", "## Phase 1: Setup\n- [ ] T001 Create project\n- [ ] T002 [P] Add linter\n"],
    ["TASKS.md", "- [ ] T001 [P] [US1] Make src/a.ts\n"],
    ["TASKS.md", "- [x] **T001** Bold ids\n- [x] **T002** too\n"],
    ["TASKS.md", "- [ ] T117a Inserted\n"],
    ["TASKS.md", "- [ ] T1001 After a thousand\n"],
    ["TASKS.md", "## Phase 3.1: Setup\n* [ ] T001: colon\n"],
  ])("[L7] %s with three-digit ids is spec-kit", (path, text) => {
    expect(read(text, path).plan.format).toBe("spec-kit");
  });

  it.each([
    [".kiro/specs/x/tasks.md", "- [ ] 1. Setup\n- [ ] 1.1 Init\n"],
    ["TASKS.md", "# Implementation Plan\n- [x] 1. Setup\n  - [x] 1.1 Init\n"],
    ["TASKS.md", "- [ ] 1. A\n- [ ] 2. B\n- [ ] 3. C\n- [ ] T1.1: one of the house\n"],
    ["a/.kiro/specs/x/tasks.md", "- [ ] 1. A\n- [ ] T001 B\n- [ ] T002 C\n"],
    ["TASKS.md", "- [ ]* 1.1 Optional\n"],
    ["TASKS.md", "- [ ] **1.** Bold\n"],
  ])("[L7] %s with numbered boxes is Kiro", (path, text) => {
    expect(read(text, path).plan.format).toBe("kiro");
  });

  it("[L7] numbers that are outnumbered are criteria", () => {
    const text = "### [ ] T1.1: a\n- [ ] 1. x\n### [ ] T1.2: b\n- [ ] 1. y\n";
    expect(read(text).plan.format).toBe("tasks-md");
    expect(ids(read(text))).toEqual(["T1.1", "T1.2"]);
  });

  it("[L7] what stands in fences and quotes has no vote", () => {
    const text = `\`\`\`\n${"- [ ] 1. no\n".repeat(20)}\`\`\`\n${"> - [ ] T001 no\n".repeat(20)}- [ ] T1.1: yes\n`;
    expect(read(text).plan.format).toBe("tasks-md");
  });

  it("[L7] is told without reading the plan, alike for whatever holds tasks", () => {
    const lines = [
      "- [ ] 1. A\n",
      "- [x] T001 B\n",
      "### [ ] T1.1: C\n",
      "- [ ] buy milk\n",
      "```\n",
      "\n",
      "text\n",
    ];
    const json = ['{"tasks":[{"id":1,"title":"a"}]}', '[{"id":"task-1","subject":"s"}]', '{"tasks":[]}', "{"];
    const texts = fc.oneof(
      fc.array(fc.constantFrom(...lines), { maxLength: 12 }).map(all => all.join("")),
      fc.constantFrom(...json),
    );
    const paths = fc.constantFrom("TASKS.md", ".kiro/specs/x/tasks.md", "tasks.json", "specs/a/tasks.md");
    fc.assert(
      fc.property(texts, paths, fc.constantFrom("", "\ufeff"), (text, path, mark) => {
        const { plan } = read(mark + text, path);
        fc.pre(plan.tasks.length > 0);
        expect(formatOf(new TextEncoder().encode(mark + text), path)).toBe(plan.format);
      }),
    );
    expect(formatOf(Uint8Array.of(0xff, 0xfe), "TASKS.md")).toBe("tasks-md");
    expect(formatOf(Uint8Array.of(0xff, 0xfe), "tasks.json")).toBe("task-master");
  });

  it.each([
    ["x/tasks.json", '{"tasks":[]}', "task-master"],
    ["TASKS.md", '  {"tasks":[{"id":1,"title":"a"}]}', "task-master"],
    ["plan.json", '{"context_nodes":[],"tasks":[]}', "planner-json"],
    ["plan.json", '{"tasks":[{"id":"task-1","subject":"s"}]}', "planner-json"],
    ["plan.json", '{"tasks":[{"id":"task-1","title":"s","task_type":"worker"}]}', "planner-json"],
    ["plan.json", '[{"id":"task-1","subject":"s"}]', "planner-json"],
    ["PLAN.JSON", '{"tasks":[{"id":1,"title":"a"}]}', "task-master"],
  ])("[L7] %s holding %s is %s", (path, text, format) => {
    expect(read(text, path).plan.format).toBe(format);
  });

  it("[L7] Markdown that is called .json is bad JSON", () => {
    expect(errors(read("- [ ] T1: a\n", "tasks.json"))).toEqual(["BAD_JSON"]);
  });

  it("[L53] task files are looked for in this order", () => {
    expect(CANDIDATE_PATHS).toEqual([
      "docs/planning/TASKS.md",
      "docs/planning/06-tasks.md",
      "TASKS.md",
      "specs/*/tasks.md",
      ".kiro/specs/*/tasks.md",
      ".taskmaster/tasks/tasks.json",
    ]);
  });
});

describe("what hides tasks", () => {
  it.each([
    ["backticks", "```\n- [ ] T2: no\n```", "TASK_HIDDEN"],
    ["backticks with a language", "```markdown\n- [ ] T2: no\n```", "TASK_HIDDEN"],
    ["tildes", "~~~\n### [ ] T2: no\n~~~", "TASK_HIDDEN"],
    ["more backticks than inside", "````\n```\n- [ ] T2: no\n```\n````", "TASK_HIDDEN"],
    ["tildes around backticks", "~~~\n```\n- [ ] T2: no\n~~~", "TASK_HIDDEN"],
    ["a closing fence may be longer", "```\n- [ ] T2: no\n`````", "TASK_HIDDEN"],
    ["a closing fence has no words behind it", "```\n``` x\n- [ ] T2: no\n```", "FENCE_OPEN"],
    ["an indented fence", "  ```\n  - [ ] T2: no\n  ```", "TASK_HIDDEN"],
    ["a fence below a list item", "- text\n  ```\n  - [ ] T2: no\n  ```", "TASK_HIDDEN"],
    ["a comment on one line", "<!-- - [ ] T2: no -->", "TASK_HIDDEN"],
    ["a comment over lines", "<!--\n- [ ] T2: no\n-->", "TASK_HIDDEN"],
    ["a comment that begins with words", "<!-- draft\n### [ ] T2: no\nend -->", "TASK_HIDDEN"],
    ["a quote", "> - [ ] T2: no", "TASK_HIDDEN"],
    ["a quote in a quote", "> > ### [ ] T2: no", "TASK_HIDDEN"],
    ["a fence in a quote", "> ```\n> - [ ] T2: no\n> ```", "TASK_HIDDEN"],
  ])("[L8] %s", (_, hidden, told) => {
    const reading = read(`- [ ] T1: before\n\n${hidden}\n\n- [ ] T3: behind\n`);
    expect(ids(reading)).toEqual(["T1", "T3"]);
    expect(codes(reading)).toEqual([told]);
  });

  it.each([
    ["two backticks", "``\n- [ ] T2: yes\n``"],
    ["backticks with backticks behind them", "``` a`b\n- [ ] T2: yes\n"],
    ["a code span on a line of its own", "`x`\n- [ ] T2: yes"],
    ["a comment that ended", "<!-- x -->\n- [ ] T2: yes"],
    ["a comment in the middle of a line", "text <!-- x\n- [ ] T2: yes"],
    ["a quote that ended", "> quote\n\n- [ ] T2: yes"],
    ["a quoted fence left open", "> ```\n- [ ] T2: yes"],
  ])("[L8] not %s", (_, shown) => {
    expect(ids(read(`- [ ] T1: before\n\n${shown}\n\n- [ ] T3: behind\n`))).toEqual(["T1", "T2", "T3"]);
  });

  it("[L8] fences nest in a fenced Markdown example", () => {
    const text = [
      "```markdown",
      "### [ ] T1.1: example",
      "```bash",
      "git worktree add ../x",
      "```",
      "- [ ] T1.2: still the example",
      "```",
      "- [ ] T1.3: real",
    ].join("\n");
    expect(ids(read(text))).toEqual(["T1.3"]);
  });

  it("[L8] a fence that never closes is an error at its line where it swallows tasks", () => {
    const reading = read("- [ ] T1: a\n\n```sh\n- [ ] T2: b\n");
    expect(ids(reading)).toEqual(["T1"]);
    expect(reading.diagnostics).toMatchObject([{ code: "FENCE_OPEN", severity: "error", line: 3 }]);
  });

  it("[L8] a comment that never closes is told at its line, as an error where it swallows tasks", () => {
    const reading = read("- [ ] T1: a\n<!-- todo\n- [ ] T2: b\n");
    expect(ids(reading)).toEqual(["T1"]);
    expect(reading.diagnostics).toMatchObject([{ code: "COMMENT_OPEN", severity: "error", line: 2 }]);
    const bare = read("- [ ] T1: a\n<!-- todo\nwords\n");
    expect(bare.diagnostics).toMatchObject([{ code: "COMMENT_OPEN", severity: "warning", line: 2 }]);
  });

  it("[L8] fields of a task may stand in a quote", () => {
    const reading = read("### [ ] T1.1: a\n> **담당**: ui-specialist | **의존성**: 없음\n");
    expect(task(reading, "T1.1").specialist).toBe("ui-specialist");
  });
});

describe("what the project is called", () => {
  it.each([
    ["# TASKS: Bakery", "Bakery"],
    ["# TASKS.md — Bakery shop", "Bakery shop"],
    ["# TASKS - Bakery", "Bakery"],
    ["# Bakery TASKS", "Bakery"],
    ["# Bakery TASKS.md", "Bakery"],
    ["# Tasks: Bakery", "Bakery"],
    ["# Bakery - Task Breakdown", "Bakery"],
    ["# Bakery Task List", "Bakery"],
    ["# TASKS: 빵집 - AI 개발 파트너용 태스크 목록", "빵집"],
    ["# 빵집 태스크 목록", "빵집"],
    ["# **TASKS**: `Bakery`", "Bakery"],
    ["# Bakery (v2.0)", "Bakery"],
    ["# Bakery: 개발 태스크", "Bakery"],
    ["# 任务清单：面包店", "面包店"],
    ["# Tasks | Bakery", "Bakery"],
    ["# Bakery", "Bakery"],
  ])("[L9] %s", (heading, project) => {
    expect(read(`${heading}\n- [ ] T1: a\n`).plan.project).toBe(project);
  });

  it.each([
    "# TASKS",
    "# Implementation Plan",
    "# 06-tasks",
    "# 태스크 목록",
    "# 実装計画",
    "# 实施计划",
    "## No first level",
  ])("[L9] %s names no project, so the folder does", heading => {
    expect(read(`${heading}\n- [ ] T001 a\n`, "specs/014-bakery/tasks.md").plan.project).toBe("014-bakery");
  });

  it("[L9] Kiro's folder names the feature's project", () => {
    expect(read("# Implementation Plan\n- [ ] 1. a\n", ".kiro/specs/bread-oven/tasks.md").plan.project).toBe(
      "bread-oven",
    );
    expect(read("# Implementation Plan\n- [ ] 1. a\n", "C:\\x\\specs\\oven\\tasks.md").plan.project).toBe(
      "oven",
    );
  });

  it("[L9] nothing at all is called tasks", () => {
    expect(read("- [ ] T1: a\n").plan.project).toBe("tasks");
  });

  it.each(["project", "name", "title", "Project"])("[L9] front matter %s comes first", key => {
    expect(read(`---\n${key}: "Mill"\n---\n# TASKS: Bakery\n- [ ] T1: a\n`).plan.project).toBe("Mill");
  });

  it("[L9] a field above the first section names it too", () => {
    expect(read("# TASKS\n\n> **프로젝트명**: 빵집\n\n## Phase 1\n- [ ] T1.1: a\n").plan.project).toBe(
      "빵집",
    );
  });

  it("[L9] front matter is plain lines and nothing is expanded", () => {
    const text = "---\nproject: $HOME <<: *x\n__proto__: y\nlist:\n  - project: no\n---\n- [ ] T1: a\n";
    expect(read(text).plan.project).toBe("$HOME <<: *x");
  });

  it("[L9] a rule on the first line that never closes is no front matter", () => {
    const reading = read("---\nname of it: x\n- [ ] T1: a\n");
    expect(ids(reading)).toEqual(["T1"]);
    expect(reading.plan.project).toBe("tasks");
  });

  it("[L9] front matter of endless length is none", () => {
    const reading = read(`---\n${"k: v\n".repeat(300)}---\n- [ ] T1: a\n`);
    expect(ids(reading)).toEqual(["T1"]);
    expect(reading.plan.project).toBe("tasks");
  });

  it.each([
    ["---\nfeature: Night shift\n---\n# X\n- [ ] T001 a\n", "Night shift"],
    ["# Tasks: Night shift\n**Feature**: `021-night-shift`\n\n## Phase 1\n- [ ] T001 a\n", "021-night-shift"],
    ["# Tasks\n\n**Feature Branch**: `021-night-shift`\n## Phase 1\n- [ ] T001 a\n", "021-night-shift"],
    ["# Tasks\n## Phase 1\n- [ ] T001 a\n", undefined],
  ])("[L9] the feature of %j", (text, feature) => {
    expect(read(text).plan.feature).toBe(feature);
  });

  it("[L9] task files of JSON are named inside", () => {
    expect(read('{"project":"Mill","tasks":[{"id":"a","subject":"s"}]}', "p.json").plan.project).toBe("Mill");
    expect(read('{"meta":{"projectName":"Mill"},"tasks":[{"id":1}]}', "t.json").plan.project).toBe("Mill");
    expect(read('{"metadata":{"projectName":"Mill"},"tasks":[{"id":1}]}', "t.json").plan.project).toBe(
      "Mill",
    );
  });
});

describe("names that languages give a meaning", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

  it.each(names)("[L4] %s is a title, a phase, a key like any other", name => {
    const text = `---\n${name}: x\n---\n# ${name}\n## ${name}\n- [ ] T1: ${name}\n  - ${name}: y\n- [ ] T2: b (depends on T1, ${name})\n`;
    const reading = read(text);
    expect(ids(reading)).toEqual(["T1", "T2"]);
    expect(task(reading, "T1").title).toBe(name);
    expect(task(reading, "T2").dependsOn).toEqual(["T1"]);
  });

  it.each(names)("[L4] %s is an id in JSON", name => {
    const text = JSON.stringify({
      tasks: [
        { id: name, title: "a", dependencies: [] },
        { id: "b", title: "b", dependencies: [name, "missing"] },
      ],
    });
    const reading = read(text, "t.json");
    expect(ids(reading)).toEqual([name, "b"]);
    expect(task(reading, "b").dependsOn).toEqual([name]);
    expect(messages(reading, "MISSING_DEP")).toEqual(["ERROR:MISSING_DEP:b->missing"]);
  });

  it.each(names)("[L4] %s names a tag, a member, a context node", name => {
    expect(ids(read(`{"${name}":{"tasks":[{"id":1,"title":"a"}]}}`, "t.json"))).toEqual(["1"]);
    const planner = `{"context_nodes":[{"id":"${name}"}],"tasks":[{"id":"a","subject":"s","context_ref":"${name}"}]}`;
    expect(errors(read(planner, "p.json"))).toEqual([]);
  });

  it.each(names)("[L4] %s is a node of a diagram", name => {
    const text = `- [ ] T1: a\n- [ ] T2: b\n\`\`\`mermaid\ngraph TD\n${name}[T1] --> ${name}2[T2]\n${name} --> x\n\`\`\`\n`;
    expect(task(read(text), "T2").dependsOn).toEqual(["T1"]);
  });
});
