import { chmodSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";

const CLAUDE = "case \"$1\" in --version) echo '2.1.328';; auth) echo '{\"loggedIn\": true}';; esac";
const NEW_AGENT = "agents: { new: { acp: new-agent acp } }\nfallback: [codex]\n";

/** What `espalier doctor` says of agents, where these programs are on PATH. */
async function told(programs: Readonly<Record<string, string>>, config: string) {
  await using lab = openLab({ "TASKS.md": "### [ ] T1: a\n", "espalier.yaml": config });
  mkdirSync(lab.path("bin"));
  for (const [name, body] of Object.entries(programs)) {
    lab.write(`bin/${name}`, `#!/bin/sh\n${body}\n`);
    chmodSync(lab.path(`bin/${name}`), 0o755);
  }
  const env = { PATH: `${lab.path("bin")}:/usr/bin:/bin`, HOME: lab.home };
  const { code, stdout } = await lab.cli(["doctor"], { env });
  const bin = lab.path("bin");
  const at = stdout.split("\n");
  const of = (name: string) => at.findIndex(line => line.includes(` agent ${name} `));
  const says = (name: string) =>
    of(name) < 0 ? "" : [at[of(name)], at[of(name) + 1]].join("\n").replaceAll(bin, "BIN");
  return { code, says };
}

/** What the first lines of a run say, where these programs are on PATH. */
async function begun(programs: Readonly<Record<string, string>>, config: string, env = {}) {
  await using lab = openLab({ "TASKS.md": "### [ ] T1: a\n", "espalier.yaml": config });
  mkdirSync(lab.path("bin"));
  for (const [name, body] of Object.entries(programs)) {
    lab.write(`bin/${name}`, `#!/bin/sh\n${body}\n`);
    chmodSync(lab.path(`bin/${name}`), 0o755);
  }
  const path = { PATH: `${lab.path("bin")}:${process.env["PATH"]}`, ...env };
  return await lab.cli(["run", "--yes"], { env: path });
}

describe("the agents of a run", () => {
  it("[AC17] are told before anything starts: version, login, model, permissions, jail", async () => {
    const settings = "permissions: { execute: [npm test*] }, model: opus, effort: high";
    const config = `agent: claude\nmaxAttempts: 1\nagents: { claude: { ${settings} } }\n`;
    const { stdout } = await begun({ claude: CLAUDE }, config);
    expect(stdout).toMatch(
      /^\[AGENT\] claude 2\.1\.328: logged in, model opus, effort high, permissions edit: allow; execute: allow npm test\*, else ask; fetch: ask; other: ask, no jail\n\[ULTRA-THIN\]/,
    );
    const korean = await begun({ claude: CLAUDE }, `locale: ko\n${config}`);
    expect(korean.stdout).toContain("[AGENT] claude 2.1.328: 로그인됨, 모델 opus, 추론 강도 high, 권한 ");
  });

  itWhole("[BT9] are told where a limit in money does not see what one costs", async () => {
    const limited = (more: string) =>
      begun({ codex: "echo 0.169.0" }, `agent: codex\nmaxAttempts: 1\nbudget: { maxCost: 5 }\n${more}`);
    expect((await limited("")).stdout).toContain("[WARN] NO_PRICE codex tells no cost and has no price: ");
    const known = await limited("agents: { codex: { model: gpt-5.6-terra } }\n");
    expect(known.stdout).not.toContain("NO_PRICE");
  });

  it("[AC17] are refused where one is certainly not logged in, and nothing has started", async () => {
    const out = { claude: CLAUDE.replace("true", "false") };
    const { code, stdout, stderr } = await begun(out, "agent: claude\n");
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toContain("NOT_LOGGED_IN: agent claude is not logged in\n  start claude once and log in");
    const codex = await begun({ codex: "echo 'Not logged in'; exit 1" }, "agent: codex\n");
    expect(codex.stderr).not.toContain("NOT_LOGGED_IN");
  });
});

describe("agents in espalier doctor", () => {
  it("[AC16] are those of the configuration and those that are there, each with its version and login", async () => {
    const { says } = await told({ claude: CLAUDE, "new-agent": "exit 1", codex: "echo 0.169.0" }, NEW_AGENT);
    expect(says("claude")).toContain("✓ agent claude    BIN/claude, 2.1.328, logged in");
    expect(says("new")).toContain("✓ agent new       BIN/new-agent");
    expect(says("codex")).toContain("✓ agent codex     BIN/codex, 0.169.0");
    expect(says("gemini")).toBe("");
  });

  it("[AC16] that a run would need and that are not there, broken, old or logged out are problems", async () => {
    const broken = { codex: "echo 'no binary for this platform' >&2; exit 1" };
    const missing = await told(broken, NEW_AGENT);
    expect(missing.code).toBe(6);
    expect(missing.says("new")).toMatch(/✗ agent new {7}.*new-agent not found/);
    expect(missing.says("codex")).toMatch(
      /✗ agent codex {5}BIN\/codex is there and does not start: no binary for this platform\n.*npm install -g @openai\/codex/,
    );
    const old = await told(
      { gemini: "echo 0.35.0", claude: CLAUDE.replace("true", "false") },
      "agent: gemini\n",
    );
    expect(old.says("gemini")).toMatch(
      /✗ agent gemini {4}0\.35\.0 is too old, needs 0\.39\.1\n.*npm install/,
    );
    expect(old.says("claude")).toContain("· agent claude    not logged in");
  });

  it("[AC16] whose file the set-up of a worktree may make are not missed before there is one", async () => {
    const config = "agent: mine\nagents: { mine: { command: sh tools/agent.sh } }\n";
    expect((await told({}, config)).says("mine")).toMatch(/✗ agent mine .*tools\/agent\.sh/);
    expect((await told({}, `${config}worktree: { setup: [make] }\n`)).says("mine")).toContain("✓ agent mine");
  });

  it("[CL234] that the configuration names and nobody knows are problems, with what was meant", async () => {
    const config = "fallback: [claud]\nroles: { backend: codex, tester: ghost }\n";
    const { code, says } = await told({ claude: CLAUDE, codex: "echo 0.169.0" }, config);
    expect(code).toBe(6);
    expect(says("claud")).toMatch(/✗ agent claud .*no agent named "claud"\n.*claude/);
    expect(says("ghost")).toContain('no agent named "ghost"');
    expect(says("codex")).toContain("✓ agent codex");
    expect((await told({}, "agent: command\n")).says("command")).not.toContain("✗");
  });

  it("[CL236] that are not there are told in Korean, by doctor, agents and a run", async () => {
    const agents = "agents: { mine: { command: no-such-agent -p }, other: { acp: no-such-acp } }";
    await using lab = openLab({
      "TASKS.md": "### [ ] T1: a\n",
      "espalier.yaml": `agent: mine\nlocale: ko\n${agents}\n`,
    });
    const env = { PATH: "/usr/bin:/bin" };
    const missing = (name: string) => `프로그램 ${name}를 찾을 수 없습니다: 찾은 곳 /usr/bin, /bin`;
    const { stdout } = await lab.cli(["doctor"], { env });
    expect(stdout).toContain(`✗ 에이전트 mine   ${missing("no-such-agent")}`);
    expect(stdout).toContain(`✗ 에이전트 other  ${missing("no-such-acp")}`);
    expect((await lab.cli(["agents"], { env })).stdout).toContain(
      `mine  사용할 수 없음: ${missing("no-such-agent")}`,
    );
    expect((await lab.cli(["run", "--yes"], { env })).stderr).toContain(
      `에이전트 mine: ${missing("no-such-agent")}`,
    );
  });

  it("[AC16] that auto means is told, or that there is none", async () => {
    expect((await told({ claude: CLAUDE }, "agent: auto\n")).says("auto")).toContain(
      "✓ agent auto      claude",
    );
    const none = await told({}, "agent: auto\nlocale: ko\n");
    expect(none.code).toBe(6);
  });

  it("[CL255] are not all that is looked at: errors of the task file that keep a run from starting are told, in the project's language", async () => {
    for (const [locale, name] of [
      ["en", "tasks"],
      ["ko", "태스크 파일"],
    ]) {
      const tasks = "### [ ] T1: a\n\n### [ ] T2: b\n\n- Depends: T9\n\n### [ ] T1: c\n";
      await using lab = openLab({ "TASKS.md": tasks, "espalier.yaml": `locale: ${locale}\n` });
      const { code, stdout } = await lab.cli(["doctor"]);
      expect(code).toBe(6);
      expect(stdout).toContain(`✗ ${name} `);
      expect(stdout).toMatch(/DUPLICATE_ID: T1/);
      expect(stdout).toContain("espalier plan TASKS.md");
    }
  });

  it("[CL355] are not all that is looked at: a task file that cannot be read is told", async () => {
    await using lab = openLab({ "TASKS.md/notes.md": "# Notes\n", "espalier.yaml": "locale: ko\n" });
    const { code, stdout } = await lab.cli(["doctor"]);
    expect([code, stdout]).toEqual([
      6,
      expect.stringMatching(/✗ 태스크 파일 +TASKS\.md: 일반 파일이 아닙니다/),
    ]);
  });
});
