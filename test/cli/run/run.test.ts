import { existsSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

/** Retries at once, agents that end quickly. */
const FAST = "backoff: { first: 0s }\nlimits: { grace: 500ms }\n";

function task(id: string, run: string, more: readonly string[] = []): string {
  return [
    `### [ ] ${id}: task ${id}`,
    ...more.map(line => `- ${line}`),
    "- run:",
    "  ```sh",
    `  ${run}`,
    "  ```",
    "",
  ].join("\n");
}

const CHAIN = `# Chain\n## Phase 1: Build\n${task("T1.1", "echo one > one.txt")}${task("T1.2", "cat one.txt > two.txt", ["depends_on: [T1.1]", "verify: grep -q one two.txt"])}`;

describe("espalier run with shell tasks", { timeout: 120_000 }, () => {
  it("runs in order, logs the documents' lines, ticks boxes, reports and exits with 0", async () => {
    await using lab = openLab({ "TASKS.md": CHAIN });
    const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const lines = stdout.split("\n");
    expect(lines.slice(0, 8)).toEqual([
      "[ULTRA-THIN] Chain: 2 tasks",
      "[ULTRA-THIN] Phase 1 started",
      "[DISPATCH] T1.1",
      "[DONE] T1.1 (unverified)",
      "[DISPATCH] T1.2",
      "[DONE] T1.2",
      "[ULTRA-THIN] Phase 1 done (2/2 succeeded)",
      "[ULTRA-THIN] All done",
    ]);
    expect(stdout).toContain("Log: .espalier/orchestrate.log");
    expect(lab.read("two.txt")).toBe("one\n");
    expect(lab.read("TASKS.md")).toBe(CHAIN.replaceAll("[ ]", "[x]"));
    for (const name of ["espalier.db", "espalier.db.bak", "orchestrate-state.json", "orchestrate.log"])
      expect({ name, mode: statSync(lab.path(`.espalier/${name}`)).mode & 0o077 }).toEqual({ name, mode: 0 });
    expect(statSync(lab.path(".espalier")).mode & 0o777).toBe(0o700);
    expect(existsSync(lab.path(".espalier/control.sock"))).toBe(false);
    expect(existsSync(lab.path(".espalier/holder.json"))).toBe(false);
    expect(lab.read(".espalier/orchestrate.log")).toMatch(
      /^\d{4}-\d\d-\d\dT\S+Z \[ULTRA-THIN\] Chain: 2 tasks\n/,
    );
    const again = await lab.cli(["run"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("[ULTRA-THIN] Chain: 2 tasks, resumed\n[ULTRA-THIN] All done\n");
    expect(again.stdout).not.toContain("[DISPATCH]");
    expect(lab.read("TASKS.md")).toBe(CHAIN.replaceAll("[ ]", "[x]"));
  });

  it("retries what fails, pauses after three equal errors, and says what to do (exit 5)", async () => {
    const text = `# P\n## Phase 1: p\n${task("T1.1", "echo broken >&2; exit 7")}${task("T1.2", "true")}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": FAST });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    for (const n of [1, 2, 3]) expect(stdout).toContain(`[FAIL] T1.1:broken (retry ${n}/10)`);
    expect(stdout).not.toContain("(retry 4/10)");
    expect(stdout).toContain(
      "[PAUSED] T1.1: broken (3 times in a row; needs a person: espalier task show T1.1)",
    );
    expect((await lab.ask("task", "show", "T1.1")).stdout).toContain(
      "3/10  (the same failure 3 times in a row)",
    );
    expect(stdout).toContain("[DONE] T1.2");
    expect(stdout).toContain("[ULTRA-THIN] waiting: paused, waiting for a person: T1.1");
    expect(stdout).toMatch(/espalier task (retry|resume) T1\.1/);
    expect(lab.read("TASKS.md")).toContain("[ ] T1.1");
  });

  it("gives up after ten attempts (exit 1) and blocks what depends on it", async () => {
    // By a number alone errors are not told apart.
    const words = 'echo "error $(echo $n | tr 0-9 a-j)" >&2';
    const fail = `n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n; ${words}; exit 1`;
    const text = `# F\n## Phase 1: p\n${task("T1.1", fail)}${task("T1.2", "true", ["depends_on: [T1.1]"])}${task("T1.3", "true", ["depends_on: [T1.2]"])}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": FAST });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(1);
    expect(stdout).toContain("[FAIL] T1.1:error j (retry 9/10)");
    expect(stdout).toContain("[FAILED] T1.1 has no attempts left: error ba");
    expect(stdout).toContain("[BLOCKED] T1.2 by T1.1");
    expect(stdout).toContain("[BLOCKED] T1.3 by T1.2");
    expect(stdout).toContain("[ULTRA-THIN] failed: failed: T1.1; blocked: T1.2, T1.3");
    expect(lab.read("n")).toBe("10\n");
    const again = await lab.ask("run");
    expect(again.code).toBe(1);
    expect(again.stdout).not.toContain("[DISPATCH]");
    expect(lab.read("n")).toBe("10\n");
  });

  it("[RR3] takes failures that differ by numbers and paths for one", async () => {
    const fail =
      "n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n; echo Timeout after $n$n ns at build/x.$n >&2; exit 1";
    const text = `# F\n## Phase 1: p\n${task("T1.1", fail)}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": FAST });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    expect(lab.read("n")).toBe("3\n");
  });

  it("asks for proof: a task whose verify fails is tried again with the failing tail", async () => {
    const verify = "test -e fixed || { echo lint: 3 problems; exit 4; }";
    const text = `# V\n## Phase 1: p\n${task("T1.1", "test ! -e once || touch fixed; touch once", [`verify: ${verify}`])}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": FAST });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("[FAIL] T1.1:verify exit 4: lint: 3 problems (retry 1/10)");
    expect(stdout).toContain("[DONE] T1.1\n");
    const shown = JSON.parse((await lab.ask("task", "show", "T1.1", "--json")).stdout);
    expect(shown.task).toMatchObject({ status: "completed", verified: true, retries: 1, attempts: 2 });
    expect(shown.attempts[0]).toMatchObject({
      outcome: "unproven",
      reason: "verify exit 4: lint: 3 problems",
    });
    expect(shown.attempts[0].feedback).toBe(`$ ${verify}\nexit 4\nlint: 3 problems`);
    expect(shown.attempts[1]).toMatchObject({ outcome: "done", evidence: `$ ${verify}\nexit 0` });
  });

  it("proves tasks without a verify of their own by the project's, and by the paths they promise", async () => {
    const text = `# E\n## Phase 1: p\n${task("T1.1", "test -e a && touch b; touch a", ["expects: b"])}${task("T1.2", "touch c")}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": `${FAST}verify: "test ! -e nothing"\n` });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("[FAIL] T1.1:missing b (retry 1/10)");
    expect(stdout).not.toContain("unverified");
  });

  it("[CL6] tells what it found in a file once, and again when the file says something else", async () => {
    const text = `# F\n## Phase 1: p\n${task("T1.1", "true", ["verfy: x"])}`;
    await using lab = openLab({ "TASKS.md": text });
    const found = /warning FIELD_NAME/;
    expect((await lab.ask("run", "--yes")).stderr).toMatch(found);
    const again = await lab.ask("run", "--yes");
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringMatching(found)]);
    lab.write("TASKS.md", `${lab.read("TASKS.md")}${task("T1.2", "true")}`);
    expect((await lab.ask("run", "--yes")).stderr).toMatch(found);
  });

  it("knows no other agent than those it knows (exit 2), and misses none silently (exit 6)", async () => {
    await using lab = openLab({ "TASKS.md": "# A\n## Phase 1: p\n### [ ] T1.1: words\n" });
    const unknown = await lab.ask("run", "--yes", "--agent", "gemmini");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('UNKNOWN_AGENT: no agent named "gemmini" (needed by T1.1)');
    expect(unknown.stderr).toContain("gemini");
    const noLine = await lab.ask("run", "--agent", "command");
    expect([noLine.code, noLine.stderr]).toEqual([
      2,
      expect.stringContaining("give its command line: --command"),
    ]);
    const missing = await lab.ask("run", "--command", "no-such-agent-here --flag");
    expect(missing.code).toBe(6);
    expect(missing.stderr).toContain("AGENT_NOT_FOUND: agent command: ");
    expect(missing.stderr).toContain("no-such-agent-here");
    expect(missing.stderr).toContain("nothing was started");
  });

  it("runs only what --only names, and what is left the next time", async () => {
    const text = `# O\n## Phase 1: p\n${task("T1.1", "touch a")}${task("T1.2", "touch b", ["depends_on: [T1.1]"])}${task("T1.3", "touch c")}`;
    await using lab = openLab({ "TASKS.md": text });
    const needs = await lab.ask("run", "--yes", "--only", "T1.2");
    expect([needs.code, needs.stderr]).toEqual([
      2,
      expect.stringContaining("ONLY_NEEDS: --only T1.2 needs T1.1 first"),
    ]);
    const unknown = await lab.ask("run", "--yes", "--only", "T9.9");
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("NO_SUCH_TASK: --only names T9.9"),
    ]);
    const some = await lab.ask("run", "--yes", "--only", "T1.1, T1.3");
    expect(some.code).toBe(0);
    expect([existsSync(lab.path("a")), existsSync(lab.path("b")), existsSync(lab.path("c"))]).toEqual([
      true,
      false,
      true,
    ]);
    const rest = await lab.ask("run", "--yes");
    expect(rest.code).toBe(0);
    expect(rest.stdout).toContain("[DISPATCH] T1.2\n");
    expect(rest.stdout).not.toContain("[DISPATCH] T1.1");
  });

  it("shows with --dry-run what would go out, of a new run and of one under way, and touches nothing", async () => {
    const text = `# D\n## Phase 0: s\n${task("T0.1", "true")}${task("T0.2", "true")}## Phase 1: p\n${task("T1.1", "touch a")}${task("T1.2", "true", ["depends_on: [T1.1]"])}${task("T1.3", "true")}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": "parallel: 5\n" });
    const first = await lab.ask("run", "--dry-run");
    expect(first).toMatchObject({
      code: 0,
      stdout: "   1  T0.1\n   2  T0.2\n   3  T1.1, T1.3\n   4  T1.2\n",
      stderr: "",
    });
    expect(existsSync(lab.path(".espalier"))).toBe(false);
    expect((await lab.ask("run", "--dry-run", "--only", "T9")).code).toBe(2);
    expect((await lab.ask("run", "--yes", "--only", "T0.1,T0.2")).code).toBe(0);
    const second = await lab.ask("run", "--dry-run", "--json");
    expect(JSON.parse(second.stdout)).toEqual({ dryRun: true, waves: [["T1.1", "T1.3"], ["T1.2"]] });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect((await lab.ask("run", "--dry-run")).stdout).toBe("nothing would be dispatched\n");
  });

  it("stops at the gate of a phase (exit 5) until a person forces the next one", async () => {
    const text = `# G\n## Phase 1: p\n${task("T1.1", "exit 1")}${task("T1.2", "true")}## Phase 2: q\n${task("T2.1", "touch later")}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": `${FAST}maxAttempts: 2\n` });
    const gated = await lab.ask("run", "--yes");
    expect(gated.code).toBe(5);
    expect(gated.stdout).toContain("[GATE] Phase 1: 1/2 completed, fewer than the gate asks for");
    expect(gated.stdout).toContain("--force-phase 2");
    const unknown = await lab.ask("run", "--force-phase", "7");
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("NO_SUCH_PHASE: --force-phase names 7"),
    ]);
    const forced = await lab.ask("run", "--force-phase", "2");
    expect(forced.code).toBe(1);
    expect(forced.stdout).toContain("[DONE] T2.1");
    expect(existsSync(lab.path("later"))).toBe(true);
  });

  it("takes unknown dependencies only with --allow-missing, and remembers that it was said", async () => {
    const text = `# M\n## Phase 1: p\n${task("T1.1", "test -e go", ["depends_on: [T0.9]"])}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": `${FAST}maxAttempts: 2\n` });
    expect((await lab.ask("run", "--yes")).code).toBe(3);
    const allowed = await lab.ask("run", "--yes", "--allow-missing");
    expect(allowed.code).toBe(1);
    expect(allowed.stderr).toContain("MISSING_DEP");
    lab.write("go", "");
    expect((await lab.ask("task", "retry", "T1.1")).stdout).toBe(
      'T1.1 starts afresh; "espalier resume" goes on\n',
    );
    expect((await lab.ask("resume")).code).toBe(0);
  });

  it("keeps to --parallel", async () => {
    const job = "ls busy | wc -l >> seen; mkdir busy/$ESPALIER_TASK; sleep 0.05; rmdir busy/$ESPALIER_TASK";
    const tasks = Array.from({ length: 6 }, (_, n) => task(`T1.${n + 1}`, job)).join("");
    await using lab = openLab({ "TASKS.md": `# P\n## Phase 1: p\n${tasks}`, "busy/.keep": "" });
    expect((await lab.ask("run", "--yes", "--parallel", "2")).code).toBe(0);
    expect(Math.max(...lab.read("seen").split("\n").map(Number))).toBeLessThan(2);
    expect((await lab.ask("run", "--parallel", "0")).code).toBe(2);
    expect((await lab.ask("run", "--parallel", "many")).stderr).toContain("a number from 1 to 1000");
  });

  it("prints with --json one object a line: events in order, and the end", async () => {
    await using lab = openLab({ "TASKS.md": CHAIN, ".espalier/orchestrate.log": "" });
    const { code, stdout } = await lab.cli(["run", "--yes", "--json"]);
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map(line => JSON.parse(line));
    const types = events.map(event => event.type);
    expect(types.filter(type => type === "completed")).toHaveLength(2);
    expect(types.indexOf("run-started")).toBe(0);
    expect(types).toContain("attempt-started");
    expect(types).toContain("verify-started");
    const seqs = events.flatMap(event => (event.seq > 0 ? [event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(events.at(-1)).toMatchObject({ outcome: "completed", reason: "", counts: { completed: 2 } });
  });

  it("speaks Korean where it is asked to", async () => {
    await using lab = openLab({ "TASKS.md": CHAIN, "espalier.yaml": "locale: ko\n" });
    const { stdout } = await lab.cli(["run", "--yes"]);
    expect(stdout).toContain("[ULTRA-THIN] Phase 1 시작");
    expect(stdout).toContain("[DONE] T1.1 (미검증)");
    expect(stdout).toContain("[ULTRA-THIN] Phase 1 완료 (2/2 성공)");
    expect(stdout).toContain("[ULTRA-THIN] 전체 완료");
  });

  it("believes boxes of a file it has never seen, unverified, and says so", async () => {
    await using lab = openLab({ "TASKS.md": CHAIN.replace("[ ] T1.1", "[x] T1.1"), "one.txt": "one\n" });
    const { code, stdout, stderr } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stderr).toContain("1 task is ticked in TASKS.md: taken as completed, unverified");
    expect(stdout).not.toContain("[DISPATCH] T1.1");
    const status = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(status.tasks.map((row: { verified: boolean }) => row.verified)).toEqual([false, true]);
  });

  it("keeps a byte-order mark and every line ending when it ticks", async () => {
    const crlf = `\ufeff${CHAIN.replaceAll("\n", "\r\n")}`;
    await using lab = openLab({ "TASKS.md": crlf });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(lab.read("TASKS.md")).toBe(crlf.replaceAll("[ ]", "[x]"));
  });

  it("gives agents an allow-list of the environment, and masks secrets everywhere", async () => {
    const text = `# S\n## Phase 1: p\n${task("T1.1", "env > env.txt; echo token $MY_TOKEN; echo failed with $MY_TOKEN >&2; exit 1")}`;
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": `${FAST}maxAttempts: 1\nenv: [MY_*]\n` });
    const secret = "hunter2-hunter2-hunter2";
    const env = { MY_TOKEN: secret, MY_NAME: "plain", OTHER: "no" };
    const refused = await lab.cli(["run"], { env });
    expect(refused.stderr).toContain("pass MY_* to agents");
    const { code, stdout } = await lab.cli(["run", "--yes"], { env });
    expect(code).toBe(1);
    expect(stdout).toContain("[FAIL] T1.1:failed with [redacted] (retry 1/1)");
    const seen = lab.read("env.txt");
    expect(seen).toContain(`MY_TOKEN=${secret}`);
    expect(seen).toContain("MY_NAME=plain");
    expect(seen).toContain("ESPALIER_TASK=T1.1");
    expect(seen).not.toContain("OTHER=");
    expect(seen).not.toContain("NODE_COMPILE_CACHE");
    const shown = await lab.ask("task", "show", "T1.1", "--json");
    expect(shown.stdout).not.toContain(secret);
    expect(shown.stdout).toContain("[redacted]");
    expect(lab.read(".espalier/orchestrate.log")).not.toContain(secret);
    const log =
      (await lab.cli(["task", "show", "T1.1"])).stdout.match(/\.espalier\/attempts\/\S+\.log/)?.[0] ?? "";
    expect(lab.read(log)).toContain("token [redacted]");
  });

  it("explains itself: help, version, mistakes (exit 2)", async () => {
    await using lab = openLab({ "TASKS.md": CHAIN });
    const help = await lab.ask("--help");
    expect(help.code).toBe(0);
    for (const name of [
      "plan",
      "run",
      "resume",
      "stop",
      "init",
      "status",
      "next",
      "start",
      "report",
      "task",
      "doctor",
    ])
      expect(help.stdout).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
    expect((await lab.ask("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const wrong = await lab.cli(["rum"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("unknown command 'rum'")]);
    expect(wrong.stderr).toContain("run");
    expect((await lab.ask("run", "--nope")).code).toBe(2);
    expect((await lab.ask("run", "--plan", "maybe")).stderr).toContain("--plan takes reconcile or frozen");
    const nothing = await lab.ask("resume");
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      expect.stringContaining("NO_RUN: there is no run in "),
    ]);
    expect((await lab.ask("status")).code).toBe(2);
    expect((await lab.ask("stop")).stdout).toBe("nothing runs here\n");
  });
});
