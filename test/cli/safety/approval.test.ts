import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itWhole, sampleOf } from "../../sample.ts";
import { openLab } from "../lab.ts";
import { answered, HAS_TERMINAL } from "../terminal.ts";

const TEXT = "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: echo one >> out\n- verify: test -s out\n";

describe.concurrent("approval", { timeout: 120_000 }, () => {
  it.skipIf(!HAS_TERMINAL).each([
    ["yes", "y", 0, "Approved for this content; a change is asked for again."],
    ["no", "n", 5, "APPROVAL_REFUSED: not approved; nothing was started"],
    ["nothing but Enter", "\\r", 5, "APPROVAL_REFUSED: not approved; nothing was started"],
    ["Ctrl+C", "\\x03", 5, "APPROVAL_REFUSED: not approved; nothing was started"],
  ])("asks on a terminal, and takes %s for an answer", async (_, keys, code, told) => {
    await using lab = openLab({ "TASKS.md": TEXT });
    const ended = await answered(lab, ["run"], ["when their tasks are due?", "No"], keys);
    const { shown } = ended;
    expect(ended).toEqual({ shown, code });
    expect(shown).toContain("echo one >> out");
    expect(shown).toContain(told);
    expect(existsSync(lab.path("out"))).toBe(code === 0);
  });

  it.skipIf(!HAS_TERMINAL)("[CL55] is left by Ctrl+D as by Ctrl+C", async () => {
    await using lab = openLab({ "TASKS.md": TEXT });
    const { shown, code } = await answered(lab, ["run"], ["when their tasks are due?", "No"], "\\x04");
    expect([code, shown]).toEqual([5, expect.stringContaining("APPROVAL_REFUSED")]);
    expect(shown).not.toContain("Warning");
    expect(existsSync(lab.path("out"))).toBe(false);
  });

  it.skipIf(!HAS_TERMINAL)("[E52] asks an attempt nothing, whatever terminal it opens", async () => {
    await using lab = openLab({ "TASKS.md": TEXT });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    lab.write("TASKS.md", `${TEXT}### [ ] T1.2: b\n- run: echo two >> two\n`);
    const within = { ...lab, env: { ...lab.env, ESPALIER_ATTEMPT: "token" } };
    const { shown, code } = await answered(within, ["run"], ["when their tasks are due?", "No"], "y");
    expect([code, shown]).toEqual([5, expect.stringContaining("NOT_A_PERSON")]);
    expect(shown).not.toContain("when their tasks are due?");
    expect(existsSync(lab.path("two"))).toBe(false);
    expect((await lab.cli(["run"])).stderr).toContain("APPROVAL_NEEDED");
  });

  it("[E52] takes another agent, command or budget, and a checkpoint, from a person only", async () => {
    await using lab = openLab({ "TASKS.md": TEXT });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const env = { ESPALIER_ATTEMPT: "token" };
    for (const flags of [
      ["--agent", "shell"],
      ["--command", "true"],
      ["--max-tokens", "9"],
      ["--on", "http://127.0.0.1:1"],
      ["--from", "chk-001"],
    ]) {
      const { code, stderr } = await lab.cli(["resume", ...flags], { env });
      expect([code, stderr]).toEqual([5, expect.stringContaining("NOT_A_PERSON")]);
    }
    expect((await lab.cli(["resume"], { env })).code).toBe(0);
  });

  it("shows what the repository wants executed and starts nothing without a word (exit 5)", async () => {
    await using lab = openLab({
      "TASKS.md": TEXT,
      "espalier.yaml": 'verify: "test -d ."\nenv: [SOME_KEY]\n',
    });
    const { code, stdout, stderr } = await lab.cli(["run"]);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain("  T1.1 run:\n    echo one >> out\n  T1.1 verify:\n    test -s out\n");
    expect(stderr).toContain("  espalier.yaml verify:\n    test -d .\n");
    expect(stderr).toContain("  espalier.yaml env:\n    pass SOME_KEY to agents\n");
    expect(stderr).toContain("APPROVAL_NEEDED: 4 commands named by the repository are not approved");
    expect(existsSync(lab.path("out"))).toBe(false);
  });

  it("remembers by content, outside the repository, and asks again for what changed", async () => {
    await using lab = openLab({ "TASKS.md": TEXT });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect((await lab.cli(["run"])).code).toBe(0);
    const kept = readFileSync(join(lab.home, "state/espalier/approvals.json"), "utf8");
    expect(Object.keys(JSON.parse(kept))).toEqual([lab.root]);
    lab.write("TASKS.md", lab.read("TASKS.md").replace("echo one", "echo two"));
    const { code, stderr } = await lab.cli(["run"]);
    expect(code).toBe(5);
    expect(stderr).toContain("  T1.1 run:\n    echo two >> out\n");
    expect(stderr).toContain("APPROVAL_NEEDED: 1 command");
    expect(stderr).not.toContain("verify:");
    const other = openLab({ "TASKS.md": TEXT });
    await using _ = other;
    expect((await other.cli(["run"], { env: { XDG_STATE_HOME: join(lab.home, "state") } })).code).toBe(5);
  });

  it.each(sampleOf(["en", "ko"], 1))(
    "of a setting approves no command that reads like it: %s",
    async locale => {
      const setting = `locale: ${locale}\nworktree: { copy: ["x || echo evil > evil; echo"] }\n`;
      await using lab = openLab({ "TASKS.md": TEXT, "espalier.yaml": setting });
      expect((await lab.cli(["run", "--yes"])).code).toBe(0);
      const command = "copy x || echo evil > evil; echo into worktrees";
      lab.write("TASKS.md", `${lab.read("TASKS.md")}### [ ] T1.2: b\n- run: ${command}\n`);
      const { code, stderr } = await lab.cli(["run"]);
      expect([code, stderr]).toEqual([5, expect.stringContaining(`  T1.2 run:\n    ${command}\n`)]);
      expect(existsSync(lab.path("evil"))).toBe(false);
      // Both at once are two.
      await using other = openLab({ "TASKS.md": lab.read("TASKS.md"), "espalier.yaml": setting });
      const both = (await other.cli(["run"])).stderr;
      expect(both).toContain(`  T1.2 run:\n    ${command}\n`);
      expect(both).toContain("espalier.yaml worktree.copy:\n");
    },
  );

  it("[AC15] is for what the settings of an agent start, set and let be written, piece by piece", async () => {
    const settings = `agents:
  new:
    acp: /bin/new-agent
    mode: yolo
    env: [NEW_KEY, LD_PRELOAD=/tmp/x.so]
    mcp: { db: { command: /bin/db-mcp, env: { URL: "http://x" } } }
    keeps: [.new]
`;
    await using lab = openLab({ "TASKS.md": TEXT, "espalier.yaml": settings });
    const { code, stderr } = await lab.cli(["run"]);
    expect(code).toBe(5);
    for (const asked of [
      "agents.new:\n    /bin/new-agent\n",
      "agents.new:\n    begin in its mode yolo\n",
      "agents.new.env:\n    pass NEW_KEY to agents\n",
      "agents.new.env:\n    set LD_PRELOAD=/tmp/x.so\n",
      "agents.new.mcp.db:\n    /bin/db-mcp\n",
      "agents.new.mcp.db.env:\n    set URL=http://x\n",
      `agents.new.keeps:\n    let it write ${join(lab.home, ".new")} in the jail\n`,
    ])
      expect(stderr).toContain(`  espalier.yaml ${asked}`);
  });

  it("of a setting counts where it stands", async () => {
    const settings = (agent: string) =>
      `agents: { claude: { model: m }, codex: { model: m } }\n`.replace(
        `${agent}: { model: m }`,
        `${agent}: { permissions: { execute: allow } }`,
      );
    await using lab = openLab({ "TASKS.md": TEXT, "espalier.yaml": settings("claude") });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    lab.write("espalier.yaml", settings("codex"));
    const { code, stderr } = await lab.cli(["run"]);
    expect([code, stderr]).toEqual([5, expect.stringContaining("  espalier.yaml agents.codex:\n")]);
  });

  it("takes names of variables for what agents may see, and nothing else", async () => {
    await using lab = openLab({ "TASKS.md": TEXT, "espalier.yaml": 'env: ["HOME || id"]\n' });
    const { code, stderr } = await lab.cli(["run", "--yes"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("expected the name of a variable");
  });

  it("does not take the repository's own word for it", async () => {
    await using lab = openLab({ "TASKS.md": TEXT });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const kept = readFileSync(join(lab.home, "state/espalier/approvals.json"));
    rmSync(join(lab.home, "state"), { recursive: true });
    for (const name of ["approvals.json", ".espalier/approvals.json"]) writeFileSync(lab.path(name), kept);
    expect((await lab.cli(["run"])).code).toBe(5);
    expect((await lab.cli(["run"], { env: { XDG_STATE_HOME: "." } })).code).toBe(5);
  });

  it("asks about a command line that only the state knows: it may have come with the repository", async () => {
    await using lab = openLab({
      "TASKS.md": "# A\n## Phase 1: p\n### [ ] T1.1: a\n",
      "espalier.yaml": "maxAttempts: 1\n",
    });
    expect((await lab.cli(["run", "--command", "sh -c false"])).code).toBe(1);
    expect((await lab.ask("task", "retry", "T1.1")).code).toBe(0);
    expect((await lab.cli(["resume"])).code).toBe(1);
    const stranger = { XDG_STATE_HOME: join(lab.home, "elsewhere") };
    const { code, stderr } = await lab.cli(["resume", "--trust-state"], { env: stranger });
    expect(code).toBe(5);
    expect(stderr).toContain("  --command of the run so far:\n    sh -c false\n");
    expect(
      (await lab.cli(["resume", "--trust-state", "--command", "sh -c false"], { env: stranger })).code,
    ).toBe(1);
  });

  it("works where nothing can be remembered, and says so", async () => {
    await using lab = openLab({ "TASKS.md": TEXT });
    writeFileSync(join(lab.home, "file"), "");
    const { code, stderr } = await lab.cli(["run", "--yes"], {
      env: { XDG_STATE_HOME: join(lab.home, "file") },
    });
    expect(code).toBe(0);
    expect(stderr).toContain("the approval counts for this run only: ");
  });

  it("shows long and hostile blocks safely", async () => {
    const block = [
      "  ```sh",
      ...Array.from({ length: 60 }, (_, n) => `  echo ${n} \u001b[31m\u202e`),
      "  ```",
    ];
    await using lab = openLab({
      "TASKS.md": `# A\n## Phase 1: p\n### [ ] T1.1: a\n- run:\n${block.join("\n")}\n`,
    });
    const { code, stderr } = await lab.cli(["run"]);
    expect(code).toBe(5);
    expect(stderr).toContain("    … 20 more lines in the file\n");
    expect(stderr).toContain("echo 39 \\x1b[31m\\u{202e}");
    expect(stderr).not.toMatch(/[\u001b\u202e]/);
  });

  const GUARDED = `# A
## Phase 1: p
### [ ] T1.1: a
- run: sh edit
### [ ] T1.2: b
- depends_on: [T1.1]
- run: echo made > out
- verify: test -e proved
`;

  it("[E55] pauses a task whose proof another one takes away, and goes on once a person has seen it", async () => {
    const edit = `sed -i '/verify:/d' TASKS.md
while ! grep -q PLAN .espalier/orchestrate.log; do sleep 0.02; done
`;
    await using lab = openLab({ "TASKS.md": GUARDED, edit });
    const first = await lab.cli(["run", "--yes"]);
    expect([first.code, first.stdout]).toEqual([5, expect.any(String)]);
    const reason = "the task file asks less of it than before (verify); espalier resume asks";
    expect(first.stdout).toContain(`[PAUSED] T1.2: ${reason}`);
    expect(existsSync(lab.path("out"))).toBe(false);
    const asked = await lab.cli(["resume"]);
    expect([asked.code, asked.stderr]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED: 1 command")]);
    expect(asked.stderr).toContain(
      "  T1.2:\n    goes on although the file asks less of it than before:\n    ### [ ] T1.2: b\n",
    );
    const approved = await lab.cli(["resume", "--yes"]);
    expect(approved.stdout).toContain("[DONE] T1.2");
    expect(lab.read("out")).toBe("made\n");
  });

  it.each(sampleOf(["resume", "done", "retry"], 1))(
    "[E55] lets no %s be decided of a text that asks less and was shown to nobody",
    async action => {
      await using lab = openLab({ "TASKS.md": GUARDED, edit: "true" });
      await lab.cli(["run", "--yes", "--only", "T1.1"]);
      expect((await lab.cli(["task", "pause", "T1.2"])).code).toBe(0);
      lab.write("TASKS.md", GUARDED.replace("- verify: test -e proved\n", ""));
      const first = await lab.cli(["task", action, "T1.2"]);
      expect(first.stdout).toContain("not done: the task file asks less of T1.2 than before (verify)");
      expect(first.code).toBe(2);
      expect((await lab.ask("task", "show", "T1.2")).stdout).toContain("asks less of it than before");
      expect((await lab.cli(["task", action, "T1.2"])).code).toBe(0);
    },
  );

  itWhole("[E55] asks about a proof that was taken away and the run killed", async () => {
    const edit = `test -e over && exit 0
touch over
sed -i '/verify:/d' TASKS.md
kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .espalier/holder.json); sleep 60
`;
    await using lab = openLab({ "TASKS.md": GUARDED, edit, "espalier.yaml": "plan: frozen\n" });
    expect((await lab.cli(["run", "--yes"])).signal).toBe("SIGKILL");
    const asked = await lab.cli(["resume", "--plan", "reconcile"]);
    expect([asked.code, asked.stderr]).toEqual([
      5,
      expect.stringContaining("asks less of it than before (verify):"),
    ]);
    // It is asked again until somebody answers, or the proof is back.
    expect((await lab.cli(["resume", "--plan", "reconcile"])).code).toBe(5);
    lab.write("TASKS.md", GUARDED);
    lab.write("proved", "");
    const ended = await lab.cli(["resume"]);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("[DONE] T1.2")]);
    expect(ended.stdout).not.toContain("[DONE] T1.2 (unverified)");
  });

  it("pauses a task whose block changes under the run, and goes on once a person has seen it", async () => {
    const edit = `sed -i s/harmless/changed/ TASKS.md
while ! grep -q PLAN .espalier/orchestrate.log; do sleep 0.02; done
`;
    const text =
      "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: sh edit\n### [ ] T1.2: b\n- depends_on: [T1.1]\n- run: echo harmless > out\n";
    await using lab = openLab({ "TASKS.md": text, edit });
    const first = await lab.cli(["run", "--yes"]);
    expect(first.code).toBe(5);
    expect(first.stdout).toContain("[PLAN] task file changed: 0 added, 0 removed, 1 changed");
    expect(first.stdout).toContain("[PAUSED] T1.2: its run: block is not approved yet; espalier resume asks");
    expect(existsSync(lab.path("out"))).toBe(false);
    const asked = await lab.cli(["resume"]);
    expect(asked.code).toBe(5);
    expect(asked.stderr).toContain("echo changed > out");
    const approved = await lab.cli(["resume", "--yes"]);
    expect(approved.code).toBe(0);
    expect(lab.read("out")).toBe("changed\n");
  });
});
