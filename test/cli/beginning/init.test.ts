import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultConfig, readConfig } from "../../../src/config/index.ts";
import { openLab } from "../lab.ts";
import { openRepositoryLab } from "../repository/lab.ts";
import { program, TASKS } from "./init-lab.ts";

describe.concurrent("espalier init", { timeout: 120_000 }, () => {
  it("finds the task file, agents and the test command, and writes a file that our own reader takes", async () => {
    await using lab = openLab({
      "docs/planning/TASKS.md": TASKS,
      "TASKS.md": TASKS,
      "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
    });
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    for (const name of ["claude", "codex"]) program(bin, name, "");
    program(bin, "bwrap", "exit 1");
    const { code, stdout } = await lab.cli(["init"], { env: { PATH: `${bin}:${process.env["PATH"]}` } });
    expect(code).toBe(0);
    expect(stdout).toContain("task file     docs/planning/TASKS.md\n              also there: TASKS.md\n");
    expect(stdout).toContain("agents        shell, command, claude, codex\n");
    expect(stdout).toContain("test command  npm test (package.json has a test script)\n");
    expect(stdout).toContain(
      "wrote espalier.yaml\nclaude may run npm test* unasked, and no other command (agents in espalier.yaml)\nverify stays off: it was not tried (uncomment it in espalier.yaml, then espalier doctor --try)\nnext: espalier plan docs/planning/TASKS.md\n",
    );
    expect(stdout).toContain(
      "to lead from claude: espalier mcp --setup claude --write\nto lead from codex: ",
    );
    const text = lab.read("espalier.yaml");
    expect(text).toContain(join(bin, "claude"));
    expect(readConfig(text)).toEqual({
      ok: true,
      value: {
        ...defaultConfig(),
        context: { ...defaultConfig().context, maxGap: "any" },
        tasks: "docs/planning/TASKS.md",
        agents: { claude: { permissions: { execute: ["npm test*"] } } },
      },
    });
    const uncommented = text
      .split("\n")
      .map(line => (/^# [a-z][a-zA-Z]*:( |$)|^# {3,}/.test(line) ? line.slice(2) : line));
    const values = readConfig(uncommented.join("\n"));
    expect(values.ok ? values.value.verify : values.failure).toBe("npm test");
    // [CL47]
    expect(values.ok && values.value.agents).toMatchObject({
      careful: { command: "my-agent --model large" },
      newest: { acp: "new-agent acp", permissions: "deny" },
    });
  });

  it("[CL51] comments what it writes in the person's language, and writes the same", async () => {
    const files = { "TASKS.md": TASKS, "package-lock.json": "{}", "Cargo.toml": "[package]\n" };
    const written = async (language: string) => {
      await using lab = openLab(files);
      await lab.ask("init", "--yes", "--locale", language);
      return lab.read("espalier.yaml");
    };
    const [english, korean] = await Promise.all([written("en"), written("ko")]);
    const settings = (text: string) =>
      text.match(/^(?:# )?[a-z]\w*: .*$/gm)?.filter(line => !/^(?:# )?(?:locale:|.*[.다]$)/.test(line));
    expect(settings(korean)).toEqual(settings(english));
    expect(readConfig(korean)).toMatchObject({ ok: true, value: { locale: "ko" } });
    const comments = korean.split("\n\n").map(block => block.split("\n")[0]);
    expect(comments.filter(line => !/^# .*[\uac00-\ud7a3]/.test(line ?? ""))).toEqual([]);
    expect(comments.length).toBeGreaterThan(10);
    for (const text of [english, korean]) expect(text).toContain("espalier help configuration");
  });

  it("leaves lock files to their tools", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "package-lock.json": "{}", "Cargo.lock": "" });
    await lab.ask("init", "--yes");
    const config = readConfig(lab.read("espalier.yaml"));
    expect(config.ok && config.value.git.generated).toEqual({
      "package-lock.json": "npm install --package-lock-only --ignore-scripts",
      "Cargo.lock": "cargo update --workspace",
    });
    const { code, stderr } = await lab.ask("run");
    expect([code, stderr]).toEqual([5, expect.stringContaining("git.generated Cargo.lock")]);
  });

  it("looks for every known agent that has a program of its name, and leads only from those it can connect", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    for (const name of ["qwen", "gemini", "codex-acp"]) program(bin, name, "");
    program(bin, "bwrap", "exit 1");
    const { stdout } = await lab.cli(["init"], { env: { PATH: `${bin}:/usr/bin:/bin` } });
    expect(stdout).toContain("agents        shell, command, gemini, codex-acp, qwen\n");
    expect(stdout.match(/to lead from \S+/g)).toEqual(["to lead from gemini:"]);
  });

  it("never overwrites, and says so", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "# mine\n" });
    const { code, stdout } = await lab.ask("init", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("espalier.yaml is there already and stays as it is");
    expect(lab.read("espalier.yaml")).toBe("# mine\n");
  });

  it.each([
    ["works", "echo bubblewrap 9.8.7", "jail          bubblewrap 9.8.7\n", "auto"],
    [
      "does not work",
      'test "$1" = --version || { echo "no user namespaces" >&2; exit 1; }',
      "jail          none: bubblewrap does not work here: no user namespaces\n",
      "off",
    ],
  ])("proposes the jail where bubblewrap %s", async (_, script, line, use) => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    program(bin, "bwrap", script);
    const { code, stdout } = await lab.cli(["init"], { env: { PATH: `${bin}:${process.env["PATH"]}` } });
    expect(code).toBe(0);
    expect(stdout).toContain(line);
    const config = readConfig(lab.read("espalier.yaml"));
    expect(config.ok && config.value.jail.use).toBe(use);
  });

  it.each([
    ["Cargo.toml", "[package]\n", "cargo test"],
    ["go.mod", "module x\n", "go test ./..."],
    ["pom.xml", "<project/>\n", "mvn test"],
    ["build.gradle.kts", "", "gradle test"],
    ["Makefile", "all:\n\ntest:\n\techo\n", "make test"],
    ["GNUmakefile", "build test : all\r\n\techo\r\n", "make test"],
    ["makefile", "test:=1\ntest ::= 2\ntest = a:b\n.PHONY: test\n\techo test: x\n", undefined],
    ["package.json", '\ufeff{"scripts":{"test":"node --test"}}', "npm test"],
    ["package.json", '{"scripts":{"test":" "}}', undefined],
    ["package.json", '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}', undefined],
    ["package.json", "{ not json", undefined],
    ["Makefile", "# To test: make check\ncheck: # test:\n\techo\n", undefined],
  ])("[CL61] [CL72] knows how a project with %s is tested: %j", async (name, text, command) => {
    await using lab = openLab({ [name]: text });
    const { code, stdout } = await lab.ask("init");
    expect(code).toBe(0);
    expect(stdout).toContain(
      command === undefined ? "test command  none found" : `test command  ${command} (`,
    );
    expect(stdout).toContain("task file     none found");
    const config = readConfig(lab.read("espalier.yaml"));
    expect(config.ok && config.value.verify).toBe(undefined);
    const told =
      command === undefined ? '\n# verify: "npm test"\n' : `\n# verify: ${JSON.stringify(command)}\n`;
    expect(lab.read("espalier.yaml")).toContain(told);
  });
});

describe.concurrent("where espalier init is called", { timeout: 120_000 }, () => {
  it("[CL61] takes a wrapper of the project, and the name that Python has here", async () => {
    await using java = openLab({ mvnw: "", "pom.xml": "" });
    expect((await java.ask("init", "--yes")).stdout).toContain(
      "test command  ./mvnw test (there is a pom.xml)\n",
    );
    await using lab = openLab({ "tox.ini": "[tox]\n" });
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    const found = async () => (await lab.cli(["init", "--yes"], { env: { PATH: bin } })).stdout;
    program(bin, "python3", "");
    expect(await found()).toContain("test command  python3 -m pytest -q (");
    program(bin, "python", "");
    expect(await found()).toContain("test command  python -m pytest -q (");
  });

  it("[CL62] names the project where that is another folder than one stands in", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "below/a.txt": "" });
    lab.git("worktree", "add", "-q", "-b", "side", "../beside");
    const at = async (cwd: string) => (await lab.cli(["init", "--yes"], { cwd })).stdout.split("\n")[0];
    expect(await at(".")).toBe("task file     TASKS.md");
    expect(await at("below")).toBe(`project       ${lab.root}`);
    expect(await at("../beside")).toBe(
      `project       ${lab.root} (the main checkout of this linked worktree)`,
    );
  });

  it.each([
    ["init", 130, "espalier.yaml is not written"],
    ["doctor", 130, "· verify"],
  ])(
    "[HO94] ends %s while it tries the tests, and takes their worktree away",
    async (command, exit, words) => {
      await using lab = openRepositoryLab({ "TASKS.md": TASKS });
      const test = `touch ${lab.beside("begun")}; sleep 600`;
      lab.write("package.json", JSON.stringify({ scripts: { test } }));
      if (command === "init") lab.git("rm", "-q", "espalier.yaml");
      else lab.write("espalier.yaml", `verify: "${test}"\n`);
      lab.git("add", "-A");
      lab.git("commit", "-qm", "tests");
      const one = lab.start([command, "--try", ...(command === "init" ? ["--yes"] : [])]);
      await expect.poll(() => existsSync(lab.beside("begun")), { timeout: 60_000 }).toBe(true);
      one.signal("SIGINT");
      const { code, stdout, stderr } = await one.ended;
      expect([code, stdout + stderr]).toEqual([exit, expect.stringContaining(words)]);
      expect(lab.git("worktree", "list").split("\n")).toHaveLength(1);
      expect(existsSync(lab.path("espalier.yaml"))).toBe(command === "doctor");
    },
  );

  it("[CL71] tries no further check once one was ended with Ctrl+C", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const test = `touch ${lab.path("begun")}; sleep 600`;
    lab.write("espalier.yaml", `verify: "${test}"\ntest: "touch ${lab.path("next")}"\n`);
    const one = lab.start(["doctor", "--try"]);
    await expect.poll(() => existsSync(lab.path("begun")), { timeout: 60_000 }).toBe(true);
    one.signal("SIGINT");
    const { code, stdout } = await one.ended;
    expect([code, stdout]).toEqual([
      130,
      expect.stringMatching(/^· verify .*stopped before it was through/m),
    ]);
    expect(stdout).toContain("· test            touch ");
    expect(existsSync(lab.path("next"))).toBe(false);
  });

  it("[CL65] writes what it found where the tests cannot be tried, with the reason", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "go.mod": "module x\n" });
    lab.git("rm", "-q", "espalier.yaml");
    lab.git("commit", "-qm", "none");
    lab.write(".git/MERGE_HEAD", `${lab.git("rev-parse", "HEAD")}\n`);
    const { code, stdout } = await lab.ask("init", "--yes", "--try");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        "verify stays off: a merge is under way in the main checkout; finish or abort it",
      ),
    ]);
    expect(lab.read("espalier.yaml")).toContain("tried, and off: a merge is under way");
    expect(readConfig(lab.read("espalier.yaml")).ok).toBe(true);
  });

  it("writes nothing through a link that leads nowhere, and says that it is there", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    symlinkSync("nowhere.yaml", lab.path("espalier.yaml"));
    const { stdout } = await lab.ask("init", "--yes");
    expect(stdout).toContain("espalier.yaml is there already and stays as it is");
    expect(stdout).not.toContain("what espalier.yaml will set");
  });
});

describe.concurrent("espalier doctor", { timeout: 120_000 }, () => {
  it("looks at git, Node, agents, lock, state and disk", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const { code, stdout } = await lab.ask("doctor");
    expect(code).toBe(0);
    for (const line of [
      "✓ node",
      "✓ git",
      "✓ project",
      "✓ agent shell",
      "✓ lock            free",
      "✓ state           sound",
      "✓ disk",
    ])
      expect(stdout).toContain(line);
    const { checks } = JSON.parse((await lab.ask("doctor", "--json")).stdout);
    expect(checks.map((check: { name: string }) => check.name)).toEqual(
      expect.arrayContaining(["node", "git", "project", "lock", "state", "disk"]),
    );
  });

  it("[CL63] tries the checks before there is a task file, as init says one may", async () => {
    await using lab = openLab({ "espalier.yaml": 'verify: "true"\n' });
    const { code, stdout } = await lab.ask("doctor", "--try");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("✓ verify          true passes in the checkout"),
    ]);
    lab.write("espalier.yaml", 'verify: "false"\n');
    expect((await lab.ask("doctor", "--try")).stdout).toContain("✗ verify          false exit 1");
  });

  it("says what must be mended: an invalid configuration, a missing shell", async () => {
    await using lab = openLab({ "espalier.yaml": "paralel: 3\n" });
    const { code, stdout } = await lab.ask("doctor");
    expect(code).toBe(6);
    expect(stdout).toContain('✗ project         espalier.yaml:1:1: unknown key "paralel"');
    expect(stdout).toContain('did you mean "parallel"?');
    lab.write("espalier.yaml", "");
    const bare = await lab.cli(["doctor"], { env: { PATH: "/nowhere" } });
    expect(bare.code).toBe(6);
    expect(bare.stdout).toContain("✗ agent shell");
    expect(bare.stdout).toContain("· git             not found");
  });
});

describe.concurrent("espalier.yaml", { timeout: 120_000 }, () => {
  it.each([
    ["locale: en\nparalel: 3\n", 'espalier.yaml:2:1: unknown key "paralel"', 'did you mean "parallel"?'],
    ["limits:\n  wal: 3s\n", 'espalier.yaml:2:3: limits: unknown key "wal"', 'did you mean "wall"?'],
    [
      "parallel: many\n",
      "espalier.yaml:1:11: parallel: expected a number from 1 to 1000",
      "espalier help configuration",
    ],
    ["locale: [en\n", "espalier.yaml:", "close the bracket"],
    ["a: &x [1, 2]\nb: [*x, *x]\n", "YAML aliases are not allowed", "write the value out"],
    [`a: ${"[".repeat(5000)}`, "nested too deeply", "a few levels"],
  ])("is refused with its place: %j", async (text, message, hint) => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": text });
    const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("CONFIG_INVALID: ");
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("may be a link, but not a folder", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    mkdirSync(lab.path("espalier.yaml"));
    const { code, stderr } = await lab.cli(["plan"]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("CONFIG_UNREADABLE")]);
    expect(readFileSync(lab.path("TASKS.md"), "utf8")).toBe(TASKS);
  });

  it("speaks the language of the task file, and proposes it, where nobody has said one", async () => {
    await using lab = openLab({
      "TASKS.md":
        "# 상점\n## Phase 1: 결제\n### [ ] T1.1: 결제 승인\n- run: echo approved > one.txt\n- verify: test -s one.txt\n",
    });
    const { code, stdout } = await lab.ask("init", "--yes");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("태스크 파일  TASKS.md\n에이전트     shell, command"),
    ]);
    expect(stdout).toContain("저장소 없음: 태스크를 하나씩 실행합니다");
    expect(stdout).toContain("espalier.yaml을 썼습니다\n다음: espalier plan TASKS.md\n");
    expect(lab.read("espalier.yaml")).toMatch(/\nlocale: ko\n$/);
  });
});
