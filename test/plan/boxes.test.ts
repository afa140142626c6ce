import { describe, expect, it } from "vitest";
import { ids, messages, read } from "./reading.ts";

describe("boxes whose ids, titles and owners need a second look", () => {
  it("[L285] boxes elsewhere in the file are told, checklists are not", () => {
    const tasks = "# P\n## Phase 1: Core\n### [ ] T1.1: Cart\n";
    const later = read(`${tasks}## Later\n- [ ] Bill\n- [ ] Refund\n`);
    expect(ids(later)).toEqual(["T1.1"]);
    expect(messages(later, "BOX_IGNORED")[0]).toContain('under "Later" (2)');
    const numbered = read("# Plan\n- [ ] 1. Cart\n  - [ ] 1.1 Rows\n- [ ] Bill\n- [x] Refund\n");
    expect(ids(numbered)).toEqual(["1", "1.1"]);
    expect(messages(numbered, "BOX_IGNORED")[0]).toContain('under "Plan" (1)');
    const phases = read(
      "# Plan\n## Phases\n- [ ] **Phase 1: Core** - first\n## Phase 1: Core\n- [ ] 1. Cart\n- [ ] 2. Bill\n",
    );
    expect(phases.diagnostics).toEqual([]);
    expect(read(`${tasks}## Release checklist\n- [ ] Bill\n- [ ] Refund\n`).diagnostics).toEqual([]);
  });

  it("[L301] first words of boxes that count on are ids", () => {
    const reading = read(
      "## Phase 2: Launch\n### Track A\n- [x] A1 Chain settings\n- [ ] A2 Token\n- [ ] A4b **Wallet** top-up\n- [ ] S3 bucket\n",
    );
    expect(reading.plan.tasks.map(({ id, title }) => [id, title])).toEqual([
      ["A1", "Chain settings"],
      ["A2", "Token"],
      ["A4b", "**Wallet** top-up"],
    ]);
    expect(
      read("- [ ] EC2 instance\n- [ ] EC2 network\n- [ ] B2 store\n- [ ] B3 page\n").plan.tasks[0]?.id,
    ).toMatch(/^P1-/);
    expect(ids(read("## Phase 1: x\n### [ ] T1.1: a\n- [ ] A1 one\n- [ ] A2 two\n- [ ] A3 three\n"))).toEqual(
      ["T1.1"],
    );
  });

  it("[L302] a heading with a foreign id above boxes is a task, and takes nothing from boxes elsewhere", () => {
    const bug = "### BUG-1: Lamp stays dark\n- [x] Wire\n- [ ] Switch\n- **Priority**: high\n";
    const alone = read(`# Repairs\n## Bugs\n${bug}### BUG-2: Door squeaks\n- [x] Oil\n`);
    expect(ids(alone)).toEqual(["BUG-1", "BUG-2"]);
    expect(alone.plan.tasks.map(({ done }) => done)).toEqual([false, true]);
    const beside = read(`# Repairs\n## Bugs\n${bug}## Garden\n### 1. Beds\n- [ ] Dig\n- [x] Sow\n`);
    expect(beside.plan.tasks.map(({ title, done }) => [title, done])).toEqual([
      ["Lamp stays dark", false],
      ["Dig", false],
      ["Sow", true],
    ]);
    expect(read(`${bug}### [ ] T1.1: Garden\n## Later\n- [ ] Dig\n`).plan.tasks).toHaveLength(2);
  });

  it("[L284] a box in bold that begins like a phase is its phase where it is set off", () => {
    const reading = read(
      "- [ ] Repository\n- [ ] **Phase 2: Rollout** - to all\n- [ ] **2단계 인증** 구현\n",
    );
    expect(reading.plan.tasks.map(({ phase, title }) => [phase, title])).toEqual([
      [1, "Repository"],
      [2, "**Phase 2: Rollout** - to all"],
      [1, "**2단계 인증** 구현"],
    ]);
  });

  it.each([
    ["- [ ] T1.1 **API** server", "**API** server"],
    ["- [ ] T1.1: **API** server", "**API** server"],
    ["- [ ] **T1.1 API** server", "API server"],
    ["- [ ] T1.1: **API server**", "API server"],
    ["- [ ] T1.1 ~~old~~ new", "~~old~~ new"],
    ["- [ ] `T1.1` `npm` set-up", "`npm` set-up"],
    ["- **[ ] T1.1: API:** server", "API: server"],
    ["- **[x]** Old files", "Old files"],
    ["- **[x] Version:** see above", "Version: see above"],
    ["- [ ] T1.1 `src/**/*.ts` and more", "`src/**/*.ts` and more"],
  ])("[L303] the title of %j is %j", (line, title) => {
    expect(read(`${line}\n`).plan.tasks.map(task => task.title)).toEqual([title]);
  });
});
