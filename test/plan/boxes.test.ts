import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ids, messages, read } from "./reading.ts";

describe("boxes without ids", () => {
  it("[L22] are tasks in a file without ids", () => {
    const reading = read("# Todo\n- [ ] one\n- [x] two\n  - [ ] part of two\n");
    expect(reading.plan.tasks.map(found => [found.title, found.done])).toEqual([
      ["one", false],
      ["two", true],
    ]);
  });

  it("[L22] are tasks under a phase that has no others", () => {
    const reading = read(
      "## Phase 0: Setup\n- [x] Repo\n- [ ] CI\n## Phase 1: Core\n### T1.1: a\n- [ ] criterion\n## Phase 2: Ship\n- [ ] Deploy\n",
    );
    expect(reading.plan.tasks.map(found => found.title)).toEqual(["Repo", "CI", "a", "Deploy"]);
    expect(reading.plan.tasks.map(found => found.phase)).toEqual([0, 0, 1, 2]);
  });

  it.each([
    "Checklist",
    "체크리스트",
    "완료 기준",
    "Definition of Done",
    "Acceptance criteria",
    "품질 게이트",
    "Summary",
    "Risks",
    "完了条件",
  ])("[L22] are no tasks under %s", title => {
    expect(
      ids(read(`## Phase 0\n- [ ] Repo\n### ${title}\n- [ ] no\n## Phase 1\n- [ ] T1.1: a\n`)),
    ).toHaveLength(2);
    expect(read(`# Todo\n- [ ] yes\n## ${title}\n- [ ] no\n`).plan.tasks.map(found => found.title)).toEqual([
      "yes",
    ]);
  });

  it("[L22] are tasks even there when the file holds nothing else", () => {
    expect(read("# Todo\n## Checklist\n- [ ] one\n").plan.tasks.map(found => found.title)).toEqual(["one"]);
  });

  it("[L22] boxed headings without id are tasks with fields and criteria", () => {
    const reading = read("## Phase 1\n### [ ] Login\n- 담당: ui\n- [ ] criterion\n### [x] Cart\n");
    expect(reading.plan.tasks).toMatchObject([
      { title: "Login", specialist: "ui", done: false },
      { title: "Cart", done: true },
    ]);
  });

  it("[L22] their ids carry the phase and come from the title alone", () => {
    const before = read("## Phase 2\n- [ ] Deploy it\n- [ ] Announce it\n");
    const after = read("## Phase 2\n- [x] Something new\n- [x] Announce it\n- [x] **Deploy** it!\n");
    expect(ids(before)[0]).toMatch(/^P2-[0-9a-z]{5}$/);
    expect(ids(after)).toContain(ids(before)[0]);
    expect(ids(after)).toContain(ids(before)[1]);
  });

  it("[L22] the same title twice gets a number", () => {
    const [first, second, third] = ids(read("- [ ] again\n- [ ] again\n- [ ] again\n"));
    expect([second, third]).toEqual([`${first}-2`, `${first}-3`]);
  });

  it("[L22] every box of a list becomes one task with an id of its own", () => {
    const title = fc.string({
      unit: fc.constantFrom("a", "b", "가", "나", " ", "1"),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 20 }), titles => {
        const reading = read(titles.map(words => `- [ ] Do ${words.trim()}.`).join("\n"));
        expect(reading.plan.tasks).toHaveLength(titles.length);
        expect(new Set(ids(reading)).size).toBe(titles.length);
      }),
      { numRuns: 200 },
    );
  });

  it("[L284] a box that begins like a phase is a task, unless it holds some", () => {
    const reading = read(
      [
        "- [ ] Repository",
        "- [ ] 2단계 인증 구현",
        "  - 문자 발송",
        "- [ ] Sprint 2 review page",
        "- [ ] P1 bugs",
        "- [ ] Phase 2: Rollout",
        "- [ ] Phase 3: Afterwards",
        "",
        "  - [ ] Thanks",
      ].join("\n"),
    );
    expect(reading.plan.tasks.map(({ phase, title }) => [phase, title])).toEqual([
      [1, "Repository"],
      [1, "2단계 인증 구현"],
      [1, "Sprint 2 review page"],
      [1, "P1 bugs"],
      [2, "Phase 2: Rollout"],
      [1, "Thanks"],
    ]);
    expect(ids(read("- [ ] Phase 1: Setup\n  - T1.1: Repository\n"))).toEqual(["T1.1"]);
  });

  it("[L285] boxes that the ids of others leave out are told, a milestone beside them leaves out none", () => {
    const beside = read("# Tasks\n- [ ] Repository\n- [ ] T1.1: Cart\n- [ ] Bill\n");
    expect(ids(beside)).toEqual(["T1.1"]);
    expect(beside.diagnostics).toMatchObject([{ code: "BOX_IGNORED", severity: "info", line: 2 }]);
    expect(messages(beside, "BOX_IGNORED")[0]).toContain('under "Tasks" (2)');
    const milestone = read("# Tasks\n- [ ] Repository\n- [ ] S3 upload\n- [ ] M1 support\n");
    expect(milestone.plan.tasks).toHaveLength(3);
    expect(milestone.diagnostics).toEqual([]);
  });

  it("[L22] a box without words is none", () => {
    expect(ids(read("- [ ]\n- [ ] one\n- [x]\n"))).toHaveLength(1);
  });
});

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

  it("[L285] boxes in a file without headings are told as well", () => {
    const reading = read("- [ ] T1: a\n- [ ] Write docs\n");
    expect(ids(reading)).toEqual(["T1"]);
    expect(messages(reading, "BOX_IGNORED")).toEqual([
      "boxes without an id under no heading (1) are no tasks, because other items there have ids",
    ]);
  });

  it("[L301] first words of boxes that count on are ids", () => {
    const reading = read(
      "## Phase 2: Launch\n### Track A\n- [x] A1 Chain settings\n- [ ] A2 Token\n- [ ] A4b **Wallet** top-up\n- [ ] S3 bucket\n",
    );
    expect(reading.plan.tasks.map(({ id, title }) => [id, title])).toEqual([
      ["A1", "Chain settings"],
      ["A2", "Token"],
      ["A4b", "**Wallet** top-up"],
      [expect.stringMatching(/^P2-/), "S3 bucket"],
    ]);
    expect(
      read("- [ ] EC2 instance\n- [ ] EC2 network\n- [ ] B2 store\n- [ ] B3 page\n").plan.tasks[0]?.id,
    ).toMatch(/^P1-/);
    expect(ids(read("## Phase 1: x\n### [ ] T1.1: a\n- [ ] A1 one\n- [ ] A2 two\n- [ ] A3 three\n"))).toEqual(
      ["T1.1"],
    );
  });

  it.each(["Requirements", "요구사항", "Risks", "Quality gates"])(
    "[L572] what counts on under %s is no work, and takes nothing from the tasks of the file",
    heading => {
      const counted = `## ${heading}\n- [ ] R1 Log in\n- [ ] R2 Log out\n- [ ] R3 Expire\n`;
      const titles = (text: string) => read(text).plan.tasks.map(({ title }) => title);
      expect(titles(`# P\n${counted}## Tasks\n- [ ] Write the login\n`)).toEqual(["Write the login"]);
      expect(titles(`# P\n## Phase 1: A\n- [ ] Write the login\n#${counted}`)).toEqual(["Write the login"]);
      expect(titles(`# P\n### [ ] T1.1: Login\n${counted}`)).toEqual(["Login"]);
      expect(titles(`# P\n### [ ] T1.1: Login\n## ${heading}\n### R-1: Slow\n- [ ] cache\n`)).toEqual([
        "Login",
      ]);
    },
  );

  it("[L572] ids that only count on take nothing from boxes without ids", () => {
    const counted = "- [ ] A1 Chain\n- [ ] A2 Token\n- [ ] A3 Wallet\n";
    const titles = (text: string) => read(text).plan.tasks.map(({ title }) => title);
    expect(titles(`# P\n## Track\n${counted}## Later\n- [ ] Bill\n`)).toEqual([
      "Chain",
      "Token",
      "Wallet",
      "Bill",
    ]);
    expect(titles(`# P\n## Phase 1: A\n- [ ] Bill\n### Track\n${counted}`)).toEqual([
      "Bill",
      "Chain",
      "Token",
      "Wallet",
    ]);
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
