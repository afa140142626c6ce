import { describe, expect, it } from "vitest";
import { growth, LINEAR } from "../growth.ts";
import { messages, read } from "./reading.ts";

const master = (status: string) =>
  JSON.stringify({
    tasks: [
      { id: 1, title: "a", status },
      { id: 2, title: "b", dependencies: [1] },
      { id: 3, title: "c", dependencies: [2], subtasks: [{ id: 1, title: "d" }] },
      { id: 4, title: "e" },
      { id: 5, title: "f", status: "done", dependencies: [1] },
      { id: 6, title: "g", dependencies: [5] },
    ],
  });
const planner = (status: string) =>
  JSON.stringify({
    tasks: [
      { id: "1", subject: "a", status, task_type: { type: "context_fill", target_node: "ctx-a" } },
      { id: "2", subject: "b", context_ref: "ctx-a" },
      { id: "3", subject: "c", depends_on: ["2"] },
      { id: "4", subject: "e" },
    ],
    context_nodes: [{ id: "ctx-a" }],
  });
const markdown = (first: string) =>
  `## Phase 1: A\n### ${first}\n### [ ] T1.2: b\n- depends_on: T1.1\n### [x] T1.3: c\n- depends_on: T1.1\n### [ ] T1.4: d\n- depends_on: T1.3\n### [ ] T1.5: e (after T1.2)\n`;
const kiro = (box: string) =>
  `# Plan\n- [${box}] 1. a\n- [ ] 2. b\n  - _Depends: 1_\n- [ ] 3. c\n  - _Depends: 2_\n- [ ] 4. d\n`;
const specKit = (box: string) =>
  `## Phase 1: A\n- [${box}] T001 a\n- [ ] T002 b (depends on T001)\n- [ ] T003 c\n`;

describe("what waits for what is put off", () => {
  it.each([
    ["Task Master", "tasks.json", master("deferred"), ["1", "2", "3", "3.1"]],
    ["a planner", "plan.json", planner("deferred"), ["1", "2", "3"]],
    ["a box", "TASKS.md", markdown("[deferred] T1.1: a"), ["T1.1", "T1.2", "T1.5"]],
    ["a field", "TASKS.md", markdown("T1.1: a\n- status: deferred"), ["T1.1", "T1.2", "T1.5"]],
    ["a Korean field", "TASKS.md", markdown("T1.1: a\n- 상태: 연기"), ["T1.1", "T1.2", "T1.5"]],
    ["a mark", "TASKS.md", markdown("T1.1: a (postponed)"), ["T1.1", "T1.2", "T1.5"]],
    ["Kiro", ".kiro/specs/a/tasks.md", kiro("deferred"), ["1", "2", "3"]],
    ["spec-kit", "specs/a/tasks.md", specKit("deferred"), ["T001", "T002"]],
  ])("[L367] is left out with it, and told: %s", (_, path, text, left) => {
    const reading = read(text, path);
    expect(reading.plan.tasks.flatMap(({ id, skip }) => (skip === true ? [id] : []))).toEqual(left);
    expect(messages(reading, "PUT_OFF")).toEqual([
      `left out, because they lie in or wait for what is put off: ${left.slice(1).join(", ")}`,
    ]);
  });

  it.each([
    ["Task Master", "tasks.json", master("cancelled"), ["1"]],
    ["a planner", "plan.json", planner("cancelled"), ["1"]],
    ["a box", "TASKS.md", markdown("[skip] T1.1: a"), ["T1.1"]],
    ["a struck title", "TASKS.md", markdown("[ ] ~~T1.1: a~~"), ["T1.1"]],
  ])("[L367] is worked on where it was given up: %s", (_, path, text, left) => {
    const reading = read(text, path);
    expect(reading.plan.tasks.flatMap(({ id, skip }) => (skip === true ? [id] : []))).toEqual(left);
    expect(messages(reading, "PUT_OFF")).toEqual([]);
  });

  it("[L367] counts those it does not name", () => {
    const tasks = Array.from({ length: 14 }, (_, at) => `- [ ] T1.${at + 2}: x (after T1.${at + 1})`);
    const [told = ""] = messages(read(`- [deferred] T1.1: x\n${tasks.join("\n")}\n`), "PUT_OFF");
    expect(told).toContain("T1.2, T1.3");
    expect(told).toMatch(/T1\.11 and 4 more$/);
  });

  it("[L367] takes time linear in the file", () => {
    const chain = (count: number) =>
      `- [deferred] T1.1: x\n${Array.from({ length: count }, (_, at) => `- [ ] T1.${at + 2}: x (after T1.${at + 1})`).join("\n")}\n`;
    expect(growth(300, chain, read)).toBeLessThan(LINEAR);
  });
});
