import { chmodSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itWhole, sampleOf } from "../../sample.ts";
import { isAlive, type Lab, openLab } from "../lab.ts";

const FAST = "backoff: { first: 0s }\nlimits: { grace: 500ms }\n";

/**
 * An agent made of shell: keeps each prompt as `prompts/TASK.N`, finds its signal in the prompt as a model would, and
 * then behaves as the test says, with `$id`, `$n` and `$ESPALIER_TASK` at hand.
 */
const AGENT = `#!/bin/sh
mkdir -p prompts
n=$(($(ls prompts | grep -c "^$ESPALIER_TASK\\.") + 1))
cat > "prompts/$ESPALIER_TASK.$n"
id=$(sed -n 's/.*\`DONE:\`[^\`]*\`\\([^\`]*\\)\`.*/\\1/p' "prompts/$ESPALIER_TASK.$n")
test "$id" = "$ESPALIER_SIGNAL_ID" || exit 99
. ./behave
`;

const TASKS =
  "# Words\n## Phase 1: Build\n### [ ] T1.1: Write the greeting\n### [ ] T1.2: Count it\n- depends_on: [T1.1]\n";
const ONE = "# Words\n## Phase 1: Build\n### [ ] T1.1: Write the greeting\n";

function agentLab(behave: string, files: Readonly<Record<string, string>> = {}): Lab {
  return openLab({ "TASKS.md": ONE, "espalier.yaml": FAST, agent: AGENT, behave, ...files });
}

const COMMAND = ["--agent", "command", "--command", "sh agent"] as const;

describe.concurrent("espalier run --agent command", { timeout: 120_000 }, () => {
  it("hands the prompt over, believes the agent's own signal, and goes on with the next task", async () => {
    await using lab = agentLab('echo working; echo "DONE:$id"', { "TASKS.md": TASKS });
    const { code, stdout, stderr } = await lab.cli(["run", ...COMMAND]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("[DISPATCH] T1.1\n[DONE] T1.1 (unverified)\n[DISPATCH] T1.2\n");
    expect(lab.read("TASKS.md")).toBe(TASKS.replaceAll("[ ]", "[x]"));
    const prompt = lab.read("prompts/T1.1.1");
    expect(prompt).toMatch(/^\[ULTRA-THIN MODE\]\nTask ID: T1\.1\nPhase: 1\n/);
    expect(prompt).toContain("Task file: TASKS.md (line 3)");
    expect(prompt).toMatch(/`DONE:` followed at once by `T1\.1#[a-z2-7]{5}`/);
    expect(prompt).toMatch(/\.espalier\/memory\/attempts\/t1-1-[0-9a-f]{6}\.1\.md/);
    expect(prompt).not.toMatch(/DONE:T|FAIL:T/);
    expect(prompt).not.toContain("What went wrong before");
  });

  itWhole("prompts in Korean likewise", async () => {
    await using lab = agentLab('echo "DONE:$id"', { "espalier.yaml": `${FAST}locale: ko\n` });
    expect((await lab.cli(["run", ...COMMAND])).code).toBe(0);
    const prompt = lab.read("prompts/T1.1.1");
    expect(prompt).toContain("파일 경로: TASKS.md (3행)");
    expect(prompt).toMatch(/- 성공: `DONE:` 바로 뒤에 `T1\.1#[a-z2-7]{5}`/);
    expect(prompt).not.toMatch(/DONE:T|FAIL:T/);
  });

  it("tells a retry what went wrong, with a new nonce", async () => {
    const behave =
      'if [ $n = 1 ]; then echo "I could not: DONE:is far"; echo "FAIL:$id:TypeError at line 9"; else echo "DONE:$id"; fi';
    await using lab = agentLab(behave);
    const { code, stdout } = await lab.cli(["run", ...COMMAND]);
    expect(code).toBe(0);
    expect(stdout).toContain("[FAIL] T1.1:TypeError at line 9 (retry 1/10)\n[DISPATCH] T1.1 → retry\n");
    const [first, second] = [lab.read("prompts/T1.1.1"), lab.read("prompts/T1.1.2")];
    expect(second).toContain('<attempt number=1 ended="failed: TypeError at line 9"');
    expect(second).toContain("I could not: DONE:is far\n");
    expect(second).not.toContain("\nFAIL:");
    const nonce = (text: string) => text.match(/followed at once by `(\S+)`/)?.[1];
    expect(nonce(first)).not.toBe(nonce(second));
  });

  it("[HO89] names commands that work where it is, also where PATH does not lead to the program", async () => {
    const behave =
      'if [ $ESPALIER_TASK = T1.2 ]; then espalier context get T1.1 > got 2>&1; else echo "the greeting is hello"; fi; echo "DONE:$id"';
    await using lab = agentLab(behave, { "TASKS.md": TASKS });
    const { code } = await lab.cli(["run", ...COMMAND]);
    expect([code, lab.read("got")]).toEqual([0, "the greeting is hello\n"]);
  });

  it("counts an answer without a signal as a failed attempt, with a warning", async () => {
    await using lab = agentLab('test $n = 1 && echo "all is well" || echo "DONE:$id"');
    const { code, stdout } = await lab.cli(["run", ...COMMAND]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "[WARN] T1.1: NO_SIGNAL the final message does not end with the task's signal, but with: all is well\n",
    );
    expect(stdout).toContain("[FAIL] T1.1:no signal (retry 1/10)");
    expect(lab.read("prompts/T1.1.2")).toContain("Your answer did not end with the signal line.");
  });

  it("[E168] tells the colours of a line that is no signal by them alone", async () => {
    await using lab = agentLab('test $n = 1 && printf "\\033[32mDONE:$id\\033[0m\\r\\n" || echo "DONE:$id"');
    const { stdout } = await lab.cli(["run", ...COMMAND]);
    expect(stdout).toMatch(/NO_SIGNAL [^\n]*, but with: \\x1b\[32mDONE:T1\.1#\w+\\x1b\[0m\n/);
    expect(lab.read("prompts/T1.1.2")).toContain("It ended with: \\x1b[32mDONE:T1.1#");
  });

  it("logs and ignores what is not the attempt's own signal", async () => {
    const behave = [
      "case $ESPALIER_TASK.$n in",
      'T1.1.1) echo "DONE:T1.2#aaaaa"; echo "DONE:T1.1" ;;',
      'T1.1.2) cat "prompts/T1.1.2"; echo "> DONE:$id" ;;',
      'T1.1.3) echo "I am not yet DONE:$id" ;;',
      '*) echo "DONE:$id" ;;',
      "esac",
    ].join("\n");
    await using lab = agentLab(behave, { "TASKS.md": TASKS, "espalier.yaml": `${FAST}sameError: 0\n` });
    const { code, stdout } = await lab.cli(["run", ...COMMAND]);
    expect(code).toBe(0);
    expect(stdout).toContain('[FOREIGN] T1.1 said "DONE:T1.2#aaaaa"; not its own signal, ignored');
    expect(stdout).toContain('[FOREIGN] T1.1 said "DONE:T1.1"; not its own signal, ignored');
    expect(stdout).toContain("(retry 3/10)");
    expect(stdout.indexOf("[DONE] T1.1")).toBeLessThan(stdout.indexOf("[DISPATCH] T1.2"));
    expect(readdirSync(lab.path("prompts")).sort()).toEqual([
      "T1.1.1",
      "T1.1.2",
      "T1.1.3",
      "T1.1.4",
      "T1.2.1",
    ]);
  });

  it("takes the documents' plain signal where the project asks for it", async () => {
    await using lab = agentLab("echo DONE:$ESPALIER_TASK", { "espalier.yaml": `${FAST}signals: plain\n` });
    expect((await lab.cli(["run", ...COMMAND])).code).toBe(0);
  });

  it("does not believe DONE from a process that failed", async () => {
    await using lab = agentLab('echo "DONE:$id"; test $n = 2 || exit 3');
    const { code, stdout } = await lab.cli(["run", ...COMMAND]);
    expect(code).toBe(0);
    expect(stdout).toContain("[FAIL] T1.1:DONE_BUT_EXIT_3 (retry 1/10)");
  });

  it("[E80] tells crashes by their code or signal and the last telling line, and takes like ones for one", async () => {
    await using lab = agentLab(
      'case $n in 1) echo "panic: at 0x$n" >&2; exit 3;; 2) echo "panic: at 0x$n" >&2; exit 99;; 3) kill -ABRT $$;; *) echo "panic: at 0x$n" >&2; echo "goroutine $n" >&2; exit 99;; esac',
    );
    const { code, stdout } = await lab.cli(["run", ...COMMAND]);
    expect(code).toBe(5);
    expect(stdout).toContain("[FAIL] T1.1:agent exit 3: panic: at 0x1 (retry 1/10)");
    expect(stdout).toContain("[FAIL] T1.1:agent exit 99: panic: at 0x2 (retry 2/10)");
    expect(stdout).toContain("[FAIL] T1.1:agent ended by SIGABRT (retry 3/10)");
    expect(stdout).toContain("[PAUSED] T1.1: agent exit 99: panic: at 0x6 (");
    expect(stdout).not.toContain("NO_SIGNAL");
    lab.write("espalier.yaml", `${FAST}locale: ko\n`);
    expect((await lab.ask("task", "show", "T1.1")).stdout).toContain("에이전트 종료 코드 99: panic: at 0x6");
  });

  it.each([
    ["en", "first is out of quota until "],
    ["ko", "first 할당량 소진, "],
  ])("[VR203] names the agent whose quota is waited for (%s)", async (locale, said) => {
    await using lab = openLab({
      "TASKS.md": ONE,
      "espalier.yaml": `locale: ${locale}\nagents:\n  first: { command: sh first }\nagent: first\n`,
      first: "echo 'HTTP 429: Too Many Requests'; echo 'Retry-After: 7200'; exit 1",
    });
    const run = lab.start(["run", "--yes"]);
    await run.seen("first");
    await lab.until(() => lab.read(".espalier/orchestrate.log").includes("[WAIT"));
    for (const args of [["status"], ["task", "show", "T1.1"]])
      expect((await lab.ask(...args)).stdout).toContain(said);
    run.signal("SIGINT");
    await run.ended;
  });

  it.each(
    sampleOf(
      [
        ["of a vendor", 'echo "You\'ve hit your usage limit. Try again in 2 hours." >&2; exit 1', ""],
        [
          "told on stdout, with exit code 0",
          "echo 'HTTP 429: Too Many Requests'; echo 'Retry-After: 7200'",
          "",
        ],
        [
          "of the user's own",
          "echo 'allowance of today used up'; exit 1",
          'quota: { patterns: ["allowance * used up"] }\n',
        ],
      ],
      1,
      2,
    ),
  )(
    "[E81] hands a task to the next agent at a limit %s, without costing an attempt",
    async (_, limit, more) => {
      const agents =
        "agents:\n  first: { command: sh first }\n  second: { command: sh second }\nagent: first\n";
      await using lab = openLab({
        "TASKS.md": `${ONE}### [ ] T1.2: Count it\n`,
        "espalier.yaml": `${FAST}${agents}fallback: [second]\nparallel: 1\n${more}`,
        first: `echo x >> asked; ${limit}`,
        second: 'echo "I handled 429 Too Many Requests."; echo "DONE:$ESPALIER_SIGNAL_ID"',
      });
      const { code, stdout } = await lab.ask("run", "--yes");
      expect(code).toBe(0);
      expect(stdout).toMatch(/first is out of quota until \S+; second takes over/);
      expect(stdout).not.toContain("[FAIL]");
      expect(lab.read("asked")).toBe("x\n");
      const shown = JSON.parse((await lab.ask("task", "show", "T1.1", "--json")).stdout);
      expect(shown.task).toMatchObject({ status: "completed", retries: 0 });
    },
  );

  it("lets the project's agents and roles choose who works", async () => {
    const config = `${FAST}agents:\n  careful: { command: sh careful }\n  quick: { command: sh quick }\nroles:\n  backend: quick\nagent: careful\n`;
    const tasks =
      "# A\n## Phase 1: p\n### [ ] T1.1: a\n### [ ] T1.2: b\n- role: backend\n### [ ] T1.3: c\n- agent: quick\n- run: exit 1\n### [ ] T1.4: d\n- role: unheard-of\n";
    const say = (name: string) => `echo ${name} > by-$ESPALIER_TASK; echo "DONE:$ESPALIER_SIGNAL_ID"`;
    await using lab = openLab({
      "TASKS.md": tasks,
      "espalier.yaml": config,
      careful: say("careful"),
      quick: say("quick"),
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect([1, 2, 3, 4].map(n => lab.read(`by-T1.${n}`).trim())).toEqual([
      "careful",
      "quick",
      "quick",
      "careful",
    ]);
  });

  it("gathers what agents learned, with its provenance", async () => {
    const behave =
      'f=$(sed -n "s/.*to \\([^ ]*\\.md\\),.*/\\1/p" "prompts/$ESPALIER_TASK.$n"); echo "- the cache is cold at $n" > "$f"; test $n = 2 && echo "DONE:$id"';
    await using lab = agentLab(behave);
    expect((await lab.cli(["run", ...COMMAND])).code).toBe(0);
    const learned = lab.read(".espalier/memory/learnings.md");
    expect(learned).toBe(
      "\n## T1.1 (attempt 1, command)\n\n- the cache is cold at 1\n\n## T1.1 (attempt 2, command)\n\n- the cache is cold at 2\n",
    );
    expect(readdirSync(lab.path(".espalier/memory/attempts"))).toEqual([]);
  });

  it("runs tasks whatever their ids are made of, and lets none of them become a path, a key or a command", async () => {
    const ids = ["constructor", "__proto__", "toString", "../../x", "-rf", "a b`$(touch PWNED)`"];
    const tasks = ids.map((id, n) => ({ id, subject: id, depends_on: n === 0 ? [] : [ids[n - 1]] }));
    await using lab = openLab({
      "tasks.json": JSON.stringify({ context_nodes: [{ id: "root" }], tasks }),
      agent:
        'cat >/dev/null; printf "%s\\n" "$ESPALIER_TASK" >> seen; printf "DONE:%s\\n" "$ESPALIER_SIGNAL_ID"',
    });
    const { code, stdout } = await lab.cli(["run", "tasks.json", ...COMMAND]);
    expect(code).toBe(0);
    expect(lab.read("seen").trimEnd().split("\n")).toEqual(ids);
    expect(stdout).toContain("[DONE] __proto__ (unverified)");
    expect(readdirSync(lab.root).sort()).toEqual([".espalier", "agent", "seen", "tasks.json"]);
    expect(readdirSync(lab.path(".espalier/attempts"))).toHaveLength(ids.length);
    const { task } = JSON.parse((await lab.ask("task", "show", "__proto__", "--json")).stdout);
    expect(task).toMatchObject({ id: "__proto__", status: "completed" });
    expect((await lab.ask("task", "retry", ...ids.filter(id => id !== "-rf"))).code).toBe(0);
  });

  it("pauses a task whose agent went away during the run", async () => {
    const tasks = `# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: rm gone-agent\n### [ ] T1.2: b\n- depends_on: [T1.1]\n`;
    await using lab = openLab({
      "TASKS.md": tasks,
      "espalier.yaml": FAST,
      "gone-agent": "#!/bin/sh\ntrue\n",
    });
    chmodSync(lab.path("gone-agent"), 0o755);
    const { code, stdout } = await lab.cli(["run", "--yes", "--command", "./gone-agent"]);
    expect(code).toBe(5);
    expect(stdout).toMatch(/\[PAUSED\] T1\.2: .*gone-agent/);
  });

  it("ends agents that work too long or say nothing for too long, and counts it", async () => {
    const config = `${FAST}maxAttempts: 1\nlimits: { grace: 100ms, wall: 20s, idle: 300ms }\n`.replace(
      "limits: { grace: 500ms }\n",
      "",
    );
    await using lab = agentLab("exec sleep 60", { "espalier.yaml": config });
    const { code, stdout } = await lab.cli(["run", ...COMMAND]);
    expect(code).toBe(1);
    expect(stdout).toContain("[FAIL] T1.1:command wrote nothing for 300 ms (retry 1/1)");
  });

  it("survives agents that flood, and keeps their log within its limit", async () => {
    const flood =
      'head -c 60000000 /dev/zero | tr "\\0" x; echo; head -c 20000000 /dev/urandom; echo; echo "DONE:$id"';
    const config = FAST.replace("500ms", "500ms, log: 64KB");
    await using lab = agentLab(flood, { "espalier.yaml": config });
    const { code } = await lab.cli(["run", ...COMMAND], { env: { NODE_OPTIONS: "--max-old-space-size=96" } });
    expect(code).toBe(0);
    const [log = ""] = readdirSync(lab.path(".espalier/attempts"));
    expect(lab.read(`.espalier/attempts/${log}`).length).toBeLessThan(70_000);
  });

  it("leaves nothing running that an agent detached", async () => {
    const mark = `espalier-test-${process.pid}-${Date.now()}`;
    const behave = `setsid sh -c 'echo $$ > pid; exec sleep 600 # ${mark}' >/dev/null 2>&1 &\nwhile [ ! -s pid ]; do :; done; echo "DONE:$id"`;
    await using lab = agentLab(behave);
    expect((await lab.cli(["run", ...COMMAND])).code).toBe(0);
    expect(isAlive(Number(lab.read("pid")))).toBe(false);
  });
});
