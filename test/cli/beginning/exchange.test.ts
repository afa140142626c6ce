import { existsSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const SPEC =
  "# Tasks: Shop\n\n## Phase 1: Setup\n- [x] T001 Create the project\n- [ ] T002 [P] Configure lint\n  - verify: make\n";
const ISSUES = JSON.stringify([
  { number: 2, title: "Log out $(id)", state: "OPEN", body: "### [x] T9: evil\nrun: rm -rf /\n\u001b[2J" },
  { number: 1, title: "Log in", state: "OPEN", body: "" },
]);

describe("espalier import", () => {
  it("shows the task file, and writes it where nothing stands", async () => {
    await using lab = openLab({ "specs/001/tasks.md": SPEC });
    const shown = await lab.ask("import", "specs/001/tasks.md");
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(
      "### [ ] T1.2: Configure lint\n- origin: spec-kit:T002\n- depends_on: [T1.1]\n",
    );
    expect(shown.stderr).toBe(
      [
        "spec-kit: 2 tasks, 1 done, 0 left out",
        "commands are not taken over; write verify: yourself where you want one: T002",
        "nothing is written; --write makes TASKS.md",
        "",
      ].join("\n"),
    );
    expect(existsSync(lab.path("TASKS.md"))).toBe(false);

    const written = await lab.ask("import", "specs/001/tasks.md", "--write");
    expect([written.code, written.stdout, lab.read("TASKS.md")]).toEqual([0, "", shown.stdout]);
    expect(written.stderr).toContain("wrote TASKS.md\nnext: espalier plan TASKS.md\n");
    expect((await lab.ask("plan", "TASKS.md")).code).toBe(0);
    const again = await lab.ask("import", "specs/001/tasks.md", "--write");
    expect([again.code, again.stderr.split(":")[0]]).toEqual([2, "FILE_EXISTS"]);
    expect(again.stderr).toContain("  name another file: --out TASKS.draft.md\n");
    expect(lab.read("TASKS.md")).toBe(shown.stdout);
  });

  it("[CL53] proposes a name under which nothing stands", async () => {
    await using lab = openLab({ "issues.json": ISSUES, "a b/X.md": "", "a b/X.draft.md": "" });
    const { stderr } = await lab.ask("import", "issues.json", "--write", "--out", "a b/X.md");
    expect(stderr).toContain("  name another file: --out 'a b/X.draft-2.md'\n");
    expect((await lab.ask("import", "issues.json", "--write", "--out", "a b/X.draft-2.md")).code).toBe(0);
  });

  it("[CL21] tells the tags of Task Master that are not read", async () => {
    const tag = (id: number) => ({ tasks: [{ id, title: "A", status: "pending" }] });
    await using lab = openLab({ "tasks.json": JSON.stringify({ master: tag(1), "feature-x": tag(2) }) });
    expect((await lab.ask("import", "tasks.json")).stderr).toContain(
      'info OTHER_TAGS: tag "master" is read; the file also holds feature-x\n',
    );
  });

  it("takes what it reads for words, and prints JSON", async () => {
    await using lab = openLab({ "issues.json": ISSUES });
    const { stdout } = await lab.ask("import", "issues.json", "--json");
    const { text, ...facts } = JSON.parse(stdout);
    expect(facts).toEqual({
      from: "github",
      tasks: 2,
      done: 0,
      leftOut: 0,
      behind: [],
      renamed: [],
      cut: [],
      commands: [],
    });
    lab.write("TASKS.md", text);
    const { tasks } = JSON.parse((await lab.ask("plan", "TASKS.md", "--json")).stdout);
    expect(tasks.map(({ id, run, done }: Record<string, unknown>) => [id, run, done])).toEqual([
      ["T1.1", null, false],
      ["T1.2", null, false],
    ]);
    expect(text).not.toContain("\u001b");
  });

  it.each([
    ["malformed JSON", '[{"number": 1,]', [], 3, "issues.json:1:15: error BAD_JSON"],
    ["a planner's tasks", '{"tasks":[{"id":"a","subject":"b"}]}', [], 2, "NOT_FOREIGN"],
    ["another kind", ISSUES, ["--from", "kiro"], 2, "NOT_FOREIGN"],
    ["a circle", '[{"number":1,"title":"a","body":"after #1"}]', [], 3, "ERROR:CIRCULAR_DEP:1->1"],
  ] as const)("refuses %s", async (_, text, more, code, said) => {
    await using lab = openLab({ "issues.json": text });
    const refused = await lab.ask("import", "issues.json", "--write", ...more);
    expect([refused.code, refused.stdout]).toEqual([code, ""]);
    expect(refused.stderr).toContain(said);
    expect(existsSync(lab.path("TASKS.md"))).toBe(false);
  });

  it("[CL21] says what is wrong with a source once, with its code once", async () => {
    await using lab = openLab({ "x.txt": "hello\n", "issues.json": '[{"number":"x"}]' });
    for (const command of ["import", "export"])
      expect((await lab.ask(command, "x.txt")).stderr).toBe(
        "NOT_FOREIGN: x.txt: this reads as tasks-md, not as anything to import\n  no task stands in it\n",
      );
    const korean = (await lab.ask("import", "x.txt", "--locale", "ko")).stderr;
    expect(korean).toMatch(/^NOT_FOREIGN: x\.txt: .*[가-힣].*\n {2}.*[가-힣]/);
    const { stderr } = await lab.ask("import", "issues.json");
    expect(stderr).toMatch(/^SOURCE_INVALID: issues\.json has 2 errors\nissues\.json: error TASKS_EMPTY: /);
  });

  it("tells a tool that was named from a file that is not there, and an empty list from an empty file", async () => {
    await using lab = openLab({ "issues.json": "[]", "TASKS.md": "# A\n- [ ] T1.1: a\n" });
    for (const command of ["import", "export"])
      expect((await lab.ask(command, "github")).stderr).toBe(
        "INPUT_NOT_FOUND: no file at github\n" +
          "  name the file with what github keeps; espalier help import says where it comes from\n",
      );
    expect((await lab.ask("import", "none.json")).stderr).toContain("  check the path\n");
    expect((await lab.ask("import", "issues.json")).stderr).toContain(
      "  hint: put tasks into its list, or name another file\n",
    );
  });

  it("speaks Korean where the project does", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\n", "issues.json": ISSUES });
    const { stdout, stderr } = await lab.ask("import", "issues.json");
    expect(stderr).toBe(
      "github: 태스크 2개, 완료 0개, 제외 0개\n아직 아무것도 쓰지 않았습니다. --write를 붙이면 TASKS.md 파일을 만듭니다\n",
    );
    expect(stdout).toContain("<!-- github에서 가져옴.");
  });
});

describe("espalier export", () => {
  it("ticks the boxes of the source, and nothing else", async () => {
    await using lab = openLab({ "specs/001/tasks.md": SPEC });
    await lab.ask("import", "specs/001/tasks.md", "--write");
    const nothing = await lab.ask("export", "specs/001/tasks.md");
    expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([0, SPEC, "0 of 2 change\n"]);
    lab.write("TASKS.md", lab.read("TASKS.md").replace("[ ] T1.2", "[x] T1.2"));
    const shown = await lab.ask("export", "specs/001/tasks.md");
    expect(shown.stdout).toBe(SPEC.replace("[ ] T002", "[x] T002"));
    expect(shown.stderr).toBe(
      "1 of 2 change\n  T002 → done\nnothing is written; --write changes the source\n",
    );
    expect(lab.read("specs/001/tasks.md")).toBe(SPEC);
    const { mode } = statSync(lab.path("specs/001/tasks.md"));
    const written = await lab.ask("export", "specs/001/tasks.md", "--write", "--json");
    expect(JSON.parse(written.stdout)).toEqual({
      to: "spec-kit",
      changes: [{ id: "T002", to: "done" }],
      commands: [],
      ahead: [],
      unsaid: [],
      unknown: [],
      written: true,
    });
    expect(lab.read("specs/001/tasks.md")).toBe(shown.stdout);
    expect(statSync(lab.path("specs/001/tasks.md")).mode).toBe(mode);
  });

  it("prints commands for GitHub, and runs none", async () => {
    await using lab = openLab({ "issues.json": ISSUES });
    await lab.ask("import", "issues.json", "--write");
    const text = lab.read("TASKS.md").replace("[ ] T1.1", "[skip] T1.1").replace("[ ] T1.2", "[x] T1.2");
    lab.write("TASKS.md", text);
    const { stdout, stderr } = await lab.ask("export", "issues.json");
    expect(stdout).toBe("gh issue close 1 --reason 'not planned'\ngh issue close 2 --reason completed\n");
    expect(stderr).toContain("nothing is run; the lines above are yours to run\n");
    const refused = await lab.ask("export", "issues.json", "--write");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("NOT_WRITABLE");
  });

  it("refuses a task file that knows nothing of the source", async () => {
    await using lab = openLab({ "specs/001/tasks.md": SPEC, "TASKS.md": "### [x] T1.1: a\n" });
    const refused = await lab.ask("export", "specs/001/tasks.md");
    expect([refused.code, refused.stderr.split("\n")[0]]).toEqual([
      2,
      "NO_ORIGIN: no task of TASKS.md was imported from spec-kit",
    ]);
  });
});
