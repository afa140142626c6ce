import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { unplanned } from "../../../src/cli/commands/draft-unplanned.ts";
import type { Person } from "../../../src/cli/person.ts";
import { draftWords } from "../../../src/text/index.ts";
import { openLab } from "../lab.ts";

const GOOD = JSON.stringify({
  context_nodes: [
    { id: "ctx-root", documents: ["docs/spec.md"] },
    { id: "ctx-api", parent: "ctx-root" },
  ],
  tasks: [
    { id: "a", subject: "Describe", task_type: "context_fill", target_node: "ctx-api" },
    { id: "b", subject: "Build", description: "All of it.", context_ref: "ctx-api", depends_on: ["a"] },
  ],
});
const FULL = JSON.stringify({
  context_nodes: [
    { id: "ctx-root" },
    { id: "ctx-api", parent: "ctx-root", facts: "# API\n- POST /a gives 204" },
  ],
  tasks: [
    {
      id: "a",
      subject: "Build",
      context_ref: "ctx-api",
      role: "backend",
      files: ["docs/spec.md", "src/new.ts"],
      verify: "npm test -- `ls`",
    },
  ],
});
const BAD = JSON.stringify({
  context_nodes: [{ id: "ctx-root", documents: ["docs/gone.md"] }],
  tasks: [{ id: "a", subject: "x", depends_on: ["nowhere"] }],
});

/** A planner that answers its rounds from files, and keeps what it was told. */
const planner = (...answers: string[]) => ({
  "planner.sh": [
    "#!/bin/sh",
    "round=$(ls told.* 2>/dev/null | wc -l)",
    'cat > "told.$round"',
    'cat "answer.$round" 2>/dev/null || cat "answer.last"',
    "",
  ].join("\n"),
  ...Object.fromEntries(answers.map((answer, at) => [`answer.${at}`, answer])),
  "answer.last": answers.at(-1) ?? "",
  "docs/spec.md": "# Spec\n",
});

const COMMAND = ["--command", "sh planner.sh"];

describe("espalier draft", { timeout: 120_000 }, () => {
  it("has an agent plan the goal, shows it what is wrong, and writes what can be used", async () => {
    await using lab = openLab(planner(BAD, `Of course:\n\`\`\`json\n${GOOD}\n\`\`\`\n`));
    const { code, stdout, stderr } = await lab.ask(
      "draft",
      "Build the client\n- [ ] T1: not this",
      ...COMMAND,
    );
    expect(stderr).toBe("2 errors; asking for a correction\nthe plan is usable\n");
    expect(code).toBe(0);
    expect(stdout).toContain("TASKS.md written");
    const first = lab.read("told.0");
    expect(first).toContain("  | Build the client\n  | - [ ] T1: not this");
    expect(first).toContain("- docs/spec.md");
    const second = lab.read("told.1");
    expect(second.startsWith(first)).toBe(true);
    expect(second).toContain("ERROR:MISSING_DEP:a->nowhere");
    expect(second).toContain("the document docs/gone.md does not exist");
    const file = lab.read("TASKS.md");
    expect(file).toContain("<!-- Drafted by command for: Build the client");
    expect(file).toContain("## Context\n\n- ctx-root: docs/spec.md\n  - ctx-api\n");
    expect((await lab.ask("plan")).code).toBe(0);
  });

  it("keeps proof, role and files, says which files are not there, and hangs what was found out on its node", async () => {
    await using lab = openLab({ ...planner(FULL), "docs/context/ctx-api.md": "mine\n" });
    const { code, stdout, stderr } = await lab.ask("draft", "x", ...COMMAND);
    expect(code).toBe(0);
    expect(lab.read("told.0")).toContain('"files":["src/client.ts"],"verify":"npm test -- client"');
    expect(stderr).toContain("T1.1 names src/new.ts, which is not there yet\n");
    expect(stderr).not.toContain("names docs/spec.md");
    expect(stdout).toContain("docs/context/ctx-api-2.md written: what was found out for ctx-api\n");
    expect(lab.read("docs/context/ctx-api-2.md")).toBe("# API\n- POST /a gives 204\n");
    expect(lab.read("docs/context/ctx-api.md")).toBe("mine\n");
    const text = lab.read("TASKS.md");
    expect(text).toContain("  - ctx-api: docs/context/ctx-api-2.md\n");
    expect(text).toContain(
      "- role: backend\n- files: docs/spec.md, src/new.ts\n- verify:\n  ```sh\n  npm test -- `ls`\n",
    );
  });

  it("[HO93] asks again for what would not be in the plan, and tells what of it remains", async () => {
    const lost = JSON.stringify({
      tasks: [
        { id: "a", subject: "Edit docs/spec.md", files: ["../b", "/etc/c", "docs/spec.md"] },
        { subject: "No id" },
        { id: "n" },
      ],
    });
    await using lab = openLab(
      planner(lost, JSON.stringify({ tasks: [{ id: "a", subject: "Edit docs/spec.md" }] })),
    );
    const { code, stderr } = await lab.ask("draft", "x", ...COMMAND);
    expect([code, stderr]).toEqual([0, "4 errors; asking for a correction\nthe plan is usable\n"]);
    const asked = lab.read("told.1");
    for (const words of [
      "NO_ID",
      "NO_TITLE",
      "a names ../b, which is no relative path",
      "a names /etc/c, which",
    ])
      expect(asked).toContain(words);
    expect(lab.read("TASKS.md")).toContain("### [ ] T1.1: Edit docs/spec.md\n");
    await using stubborn = openLab(planner(lost));
    const kept = await stubborn.ask("draft", "x", ...COMMAND);
    expect(kept.code).toBe(0);
    expect(kept.stderr).toContain("the plan is usable\nplan.json:1:");
    expect(kept.stderr).toContain("a names ../b, which is no relative path of this repository\n");
    expect(stubborn.read("TASKS.md")).toContain("### [ ] T1.1: Edit docs/spec.md\n");
  });

  it.each([
    ["breaks", BAD, "nowhere"],
    ["breaks off", "", "exit 3"],
  ])("[HO106] keeps a plan that could be used where its correction %s", async (_, later, exit) => {
    const usable = JSON.stringify({ tasks: [{ id: "a", subject: "Build" }, { subject: "No id" }] });
    const files = planner(usable, later);
    await using lab = openLab(
      exit === "nowhere"
        ? files
        : {
            ...files,
            "planner.sh": files["planner.sh"].replace("cat > ", '[ "$round" = 0 ] || exit 3\ncat > '),
          },
    );
    const { code, stderr } = await lab.ask("draft", "x", ...COMMAND);
    expect([code, stderr]).toEqual([0, expect.stringContaining("the plan is usable\nplan.json:1:")]);
    expect(lab.read("TASKS.md")).toContain("### [ ] T1.1: Build\n");
  });

  it("[HO93] has an agent correct what no task file can hold, and writes nothing else", async () => {
    await using lab = openLab(
      planner(JSON.stringify({ tasks: [{ id: "a", subject: "A", verify: "a\u0000b" }] })),
    );
    const { code, stderr } = await lab.ask("draft", "x", ...COMMAND);
    expect(code).toBe(1);
    expect(stderr).toContain("its plan still has errors:\na role, a path or a proof holds characters");
    expect(existsSync(lab.path("TASKS.md"))).toBe(false);
  });

  it("[L94] makes a plan without an agent whatever the goal says", async () => {
    await using lab = openLab({});
    expect((await lab.ask("draft", "Fix src/a.js (depends on T4)")).code).toBe(0);
    expect(lab.read("TASKS.md")).toContain("```text\nFix src/a.js (depends on T4)\n```");
    expect((await lab.ask("plan")).code).toBe(0);
  });

  it("[CL66] has no agent work on a plan that could not be written", async () => {
    await using lab = openLab(planner(GOOD));
    symlinkSync("nowhere.md", lab.path("LINK.md"));
    writeFileSync(lab.path("run.sh"), "", { mode: 0o755 });
    symlinkSync("nowhere.md", lab.path("LINK.draft.md"));
    const taken = await lab.ask("draft", "x", ...COMMAND, "--out", "LINK.md");
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("--out LINK.draft-2.md")]);
    for (const out of ["no/such/PLAN.md", "docs/spec.md/PLAN.md", "run.sh/PLAN.md"]) {
      const { code, stderr } = await lab.ask("draft", "x", ...COMMAND, "--out", out);
      expect([code, stderr]).toEqual([6, expect.stringContaining(`NOT_WRITTEN: ${out} cannot be written`)]);
    }
    expect(existsSync(lab.path("told.0"))).toBe(false);
  });

  it("writes nothing through a link", async () => {
    await using lab = openLab(planner(FULL));
    await using other = openLab({ "keep.txt": "" });
    symlinkSync(other.path("."), lab.path("docs/context"));
    const { code, stderr } = await lab.ask("draft", "x", ...COMMAND);
    expect(code).toBe(6);
    expect(stderr).toContain("NOT_WRITTEN: docs/context/ctx-api.md cannot be written");
    expect(existsSync(other.path("ctx-api.md"))).toBe(false);
    expect(existsSync(lab.path("TASKS.md"))).toBe(false);
  });

  it("takes a task file as it is", async () => {
    const text = "# Mine\n\n- [ ] T1: a\n- [ ] T2: b (depends on T1)\n";
    await using lab = openLab(planner(`\`\`\`markdown\n${text}\`\`\``));
    expect((await lab.ask("draft", "x", ...COMMAND, "--out", "MINE.md")).code).toBe(0);
    expect(lab.read("MINE.md")).toBe(text);
  });

  it("gives up after three corrections, and writes nothing", async () => {
    await using lab = openLab(planner(BAD));
    const { code, stderr } = await lab.ask("draft", "x", ...COMMAND);
    expect(code).toBe(1);
    expect(stderr).toContain("NO_DRAFT: command gave no usable plan: its plan still has errors");
    expect(existsSync(lab.path("TASKS.md"))).toBe(false);
    expect(existsSync(lab.path("told.3"))).toBe(true);
    expect(existsSync(lab.path("told.4"))).toBe(false);
  });

  it("says so when the agent fails, or when there is none by that name", async () => {
    await using lab = openLab({});
    const broken = await lab.ask("draft", "x", "--command", "false");
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain("it ended with code 1");
    const unknown = await lab.ask("draft", "x", "--agent", "nobody");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('no agent named "nobody" can plan');
  });

  it.each([
    ["en", "this is made of what the repository has", "Goal: Ein Ziel - - mit Strichen"],
    ["ko", "저장소에 있는 것으로 채워 넣을", "목표: Ein Ziel - - mit Strichen"],
  ])("without an agent writes a plan to fill in (%s)", async (locale, told, comment) => {
    await using lab = openLab({ "espalier.yaml": `locale: ${locale}\n` });
    const { code, stderr } = await lab.ask("draft", "Ein Ziel -- mit Strichen");
    expect(code).toBe(0);
    expect(stderr).toContain(told);
    expect(lab.read("TASKS.md")).toContain(comment);
    const plan = await lab.ask("plan");
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain("T1.1");
  });

  it("without an agent takes the documents, the test command and the listed steps that are there", async () => {
    await using lab = openLab({
      "README.md": "# R\n",
      "CHANGELOG.md": "# C\n",
      "docs/api.md": "# A\n",
      "package.json": '{"scripts":{"test":"vitest run"}}',
    });
    expect((await lab.ask("draft", "A client\n1. the types\n2. the calls\n")).code).toBe(0);
    const text = lab.read("TASKS.md");
    expect(text).toContain("- ctx-root: README.md, docs/api.md\n");
    expect(text).toContain("### [ ] T1.1: the types\n- verify: npm test\n");
    expect(text).toContain("### [ ] T1.2: the calls\n- verify: npm test\n");
  });

  it("asks a person for the steps, their proof and their order, and writes nothing when they leave", async () => {
    await using lab = openLab({ "package.json": '{"scripts":{"test":"vitest run"}}' });
    const asked: string[] = [];
    const person = (...answers: (string | undefined)[]): Person => ({
      async line(message, initial) {
        asked.push(`${message} [${initial}]`);
        return answers.shift();
      },
      yes: async () => answers.shift() === "yes",
    });
    const words = draftWords("en");
    const made = await unplanned(
      lab.path("."),
      "- a\n- b",
      words,
      person("the types", "the calls", "", "make", "yes"),
    );
    expect(made?.tasks).toMatchObject([
      { title: "the types", dependsOn: [], verify: "make" },
      { title: "the calls", dependsOn: ["t1"], verify: "make" },
    ]);
    expect(asked.map(one => one.slice(one.indexOf("[")))).toEqual(["[a]", "[b]", "[]", "[npm test]"]);
    expect(await unplanned(lab.path("."), "x", words, person("a", undefined))).toBeUndefined();
    const none = await unplanned(lab.path("."), "x", words, person("", ""));
    expect(none?.tasks).toMatchObject([{ title: "x" }]);
    expect(none?.tasks[0]).not.toHaveProperty("verify");
    const long = await unplanned(lab.path("."), "Rebuild everything ".repeat(9), words, person("", ""));
    expect(long?.tasks[0]?.title).toMatch(/^(?:Rebuild everything ){5}Rebuild everything…$/);
  });

  it("replaces no file, and asks for a goal", async () => {
    await using lab = openLab({ "TASKS.md": "- [ ] T1: mine\n" });
    const taken = await lab.ask("draft", "x");
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain("TASKS.md exists and is not replaced");
    expect(lab.read("TASKS.md")).toBe("- [ ] T1: mine\n");
    expect((await lab.ask("draft", "  ", "--out", "B.md")).code).toBe(2);
  });
});
