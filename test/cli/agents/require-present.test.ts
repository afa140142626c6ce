import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const WORDS = "# W\n## Phase 1: p\n### [ ] T1.1: only words\n- verify: touch ran\n";
const MIXED = `${WORDS}### [ ] T1.2: a command\n- run: touch ran\n`;

/** A program that says its version, and of a login what it is given. */
function install(lab: Lab, name: string, login = "exit 0"): void {
  mkdirSync(lab.path("bin"), { recursive: true });
  lab.write(`bin/${name}`, `#!/bin/sh\ncase "$*" in --version) echo 9.9.9;; *) ${login};; esac\n`);
  chmodSync(lab.path(`bin/${name}`), 0o755);
}

function call(lab: Lab, ...args: readonly string[]) {
  return lab.cli(args, { env: { PATH: `${lab.path("bin")}:/usr/bin:/bin` } });
}

describe.concurrent("what a run cannot begin with", () => {
  it("[HO40] [HO41] is a task of the shell without a run: block, and an agent that is there is proposed", async () => {
    await using lab = openLab({ "TASKS.md": MIXED });
    install(lab, "opencode");
    const { code, stdout, stderr } = await call(lab, "run");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      "NO_RUN_BLOCK: the shell agent executes a task's run: block; 1 task has none: T1.1\n  give them a run: block, or an agent: espalier run --agent auto takes opencode\n",
    );
    expect(existsSync(lab.path("ran"))).toBe(false);
  });

  it("[HO41] and where none is logged in, that is what to do", async () => {
    await using lab = openLab({ "TASKS.md": WORDS });
    install(lab, "codex", "echo Not logged in; exit 1");
    const { code, stderr } = await call(lab, "run");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("log in to codex (start it once), then: espalier run --agent auto\n"),
    ]);
  });

  it("[HO41] and where none is there, how people get one, what else works, and the demo", async () => {
    await using lab = openLab({ "TASKS.md": WORDS });
    for (const args of [["run"], ["run", "--agent", "auto"]]) {
      const { stderr } = await call(lab, ...args);
      expect(stderr).toContain("\n    npm install -g @anthropic-ai/claude-code  # Claude Code\n");
      expect(stderr).toContain("espalier run --command 'my-agent --flags'");
      expect(stderr).toContain("\n  espalier demo shows a whole run without one\n");
    }
    const korean = await call(lab, "run", "--locale", "ko");
    expect(korean.stderr).toContain("에이전트 없이 실행 전체를 보려면: espalier demo\n");
  });

  it.each(
    sampleOf(
      [
        [["run", "--agent", "auto"], 6, "NO_AGENT"],
        [["run", "--agent", "claude"], 6, "AGENT_NOT_FOUND"],
        [["run", "--agent", "gemmini"], 2, "UNKNOWN_AGENT"],
        [["run", "--agent", "command"], 2, "UNKNOWN_AGENT"],
      ] as const,
      0,
      2,
    ),
  )("[HO40] is told before anybody is asked about commands: %j", async (args, exit, error) => {
    await using lab = openLab({ "TASKS.md": WORDS });
    const { code, stderr } = await call(lab, ...args);
    expect([code, stderr]).toEqual([exit, expect.stringMatching(new RegExp(`^${error}: `))]);
    expect(stderr).not.toContain("approved");
  });

  it("[HO40] is told by draft before it asks, and starts nothing that the repository names", async () => {
    const config = "agents:\n  claude: { program: ./evil }\n  other: { command: ./evil }\n";
    await using lab = openLab({ "TASKS.md": WORDS, "espalier.yaml": config });
    lab.write("evil", "#!/bin/sh\ntouch started\n");
    chmodSync(lab.path("evil"), 0o755);
    const draft = await call(lab, "draft", "a goal", "--agent", "gemini", "--out", "NEW.md");
    expect([draft.code, draft.stderr]).toEqual([6, expect.stringMatching(/^AGENT_NOT_FOUND: agent gemini/)]);
    for (const agent of ["claude", "other"]) {
      const asked = await call(lab, "run", "--agent", agent);
      expect([asked.code, asked.stderr]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED")]);
    }
    expect(existsSync(lab.path("started"))).toBe(false);
  });
});
