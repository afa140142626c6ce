import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agents } from "../../../src/cli/commands/agents.ts";
import type { Io } from "../../../src/cli/io.ts";
import { agentLines } from "../../../src/cli/views/agents-view.ts";
import { chooseAgent } from "../../../src/host/run/require-agents.ts";
import type { Agent, AgentProbe } from "../../../src/ports/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-agents-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "project"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, body: string): void {
  const file = join(folder, "bin", name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

async function list(options: { json?: boolean } = {}, env: Record<string, string> = {}): Promise<string> {
  const said: string[] = [];
  const io = {
    cwd: join(folder, "project"),
    env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, HOME: folder, ...env },
    stdout: { write: (text: string) => said.push(text) },
    stderr: { write: () => {} },
    stdin: {},
  } as unknown as Io;
  expect(await agents(io, options)).toBe(0);
  return said.join("");
}

const CLAUDE = `case "$1" in --version) echo '2.1.328 (Claude Code)';; auth) echo '{"loggedIn": '$LOGGED_IN'}';; esac`;

describe("espalier agents", () => {
  it("lists what is installed, with version, login and abilities, and how to get the rest", async () => {
    put("claude", CLAUDE.replace("$LOGGED_IN", "true"));
    put("gemini", "echo 0.61.0");
    const said = await list();
    expect(said).toMatch(
      /^claude +Claude Code 2\.1\.328 +its command line, logged in +follow-up, resume, .*budget cap/m,
    );
    expect(said).toMatch(/^gemini-acp +Gemini CLI over ACP 0\.61\.0 +ACP, no login seen/m);
    expect(said).toContain("  codex         Codex: npm install -g @openai/codex");
    expect(said).toContain("--agent auto takes claude.");
  });

  it("prefers one that is logged in, and takes none that is not", async () => {
    put("claude", CLAUDE.replace("$LOGGED_IN", "false"));
    expect(await list()).toContain("--agent auto finds none to take.");
    put("codex", `[ "$1" = login ] && echo 'Logged in using an API key' || echo codex-cli 0.169.0`);
    expect(await list()).toContain("--agent auto takes codex.");
  });

  it("says it differently of one that is missing, one that is too old and one that is not logged in", async () => {
    put("claude", CLAUDE.replace("$LOGGED_IN", "true").replace("2.1.328", "2.1.197"));
    put("codex", `[ "$1" = login ] && echo 'Not logged in' || echo codex-cli 0.169.0`);
    const said = await list();
    expect(said).toMatch(
      /^claude +Claude Code 2\.1\.197 +its command line, too old, needs 2\.1\.\d+, logged in/m,
    );
    expect(said).toMatch(/^codex +Codex 0\.169\.0 +its command line, no login seen/m);
    const [, missing = ""] = said.split("\nNot installed:\n");
    expect(missing).toContain("gemini        Gemini CLI: npm install -g @google/gemini-cli\n");
    expect(missing).not.toContain("claude-code");
    expect(said).toContain("--agent auto finds none to take.");
    const { agents: told } = JSON.parse(await list({ json: true }));
    expect(told.find((agent: { name: string }) => agent.name === "claude").probe.needs).toMatch(
      /^2\.1\.\d+$/,
    );
  });

  it("tells the same as data", async () => {
    put("claude", CLAUDE.replace("$LOGGED_IN", "true"));
    const { agents: told } = JSON.parse(await list({ json: true }));
    expect(told.find((agent: { name: string }) => agent.name === "claude")).toMatchObject({
      title: "Claude Code",
      driven: "cli",
      probe: { found: true, version: "2.1.328", login: "in", path: join(folder, "bin", "claude") },
      abilities: { followUp: true, budget: true },
      auto: true,
    });
    expect(told.find((agent: { name: string }) => agent.name === "codex").probe.found).toBe(false);
  });

  it("knows the agents of the configuration, and says why one cannot be used", async () => {
    const config =
      "locale: ko\nagents:\n  mine: { command: nowhere-at-all }\n  other: { acp: /nowhere/agent --acp }\n";
    writeFileSync(join(folder, "project", "espalier.yaml"), config);
    const said = await list();
    expect(said).toContain("mine  사용할 수 없음: 프로그램 nowhere-at-all을 찾을 수 없습니다");
    expect(said).toContain("other  사용할 수 없음: 실행할 수 없는 프로그램: /nowhere/agent (파일 없음)");
  });

  it("[AC27] claims nothing of an agent that only a command names but what its protocol asks of all", async () => {
    put("agent", "exit 1");
    writeFileSync(join(folder, "project", "espalier.yaml"), "agents:\n  other: { acp: agent --acp }\n");
    expect(await list()).toMatch(
      /^other +ACP +follow-up, MCP; not known: resume, usage, cost, sandbox, asks permission$/m,
    );
    const { agents: told } = JSON.parse(await list({ json: true }));
    const { abilities, unseen } = told.find((agent: { name: string }) => agent.name === "other");
    expect(Object.keys(abilities).filter(name => abilities[name])).toEqual(["followUp", "mcp"]);
    expect(unseen).toEqual(["resume", "usage", "cost", "sandbox", "asks"]);
  });

  it("shows what a program says of itself without its escape sequences", () => {
    const probe = { found: true, version: "1.2.3\u001b[31m", login: "unknown" } as const;
    const [line] = agentLines(
      [{ name: "x", title: "X\u001b]0;t\u0007", driven: "cli", probe }],
      undefined,
      "en",
    );
    expect(line).not.toContain("\u001b");
  });
});

describe("--agent auto", () => {
  const known = (probes: Record<string, AgentProbe>) =>
    new Map(
      Object.entries(probes).map(([name, probe]) => [
        name,
        { name, probe: async () => probe } as unknown as Agent,
      ]),
    );

  it("takes the first that is logged in, else the first of which that is not known", async () => {
    const found = { found: true } as const;
    expect(
      await chooseAgent(known({ claude: { ...found, login: "out" }, gemini: { ...found, login: "in" } })),
    ).toBe("gemini");
    expect(
      await chooseAgent(
        known({ claude: { ...found, login: "out" }, opencode: { ...found, login: "unknown" } }),
      ),
    ).toBe("opencode");
  });

  it("takes none that is too old, and says which one is", async () => {
    const old = { found: true, version: "1.0.0\u001b[2J", needs: "2.0.0", login: "in" } as const;
    expect(await chooseAgent(known({ claude: old, codex: { found: true, login: "unknown" } }))).toBe("codex");
    const only = chooseAgent(known({ claude: old }));
    await expect(only).rejects.toMatchObject({ code: "AGENT_TOO_OLD", exitCode: 6 });
    await expect(only).rejects.toThrow(
      /agent claude is too old: version 1\.0\.0\S* was found, 2\.0\.0 or later/,
    );
    await expect(only).rejects.not.toThrow("\u001b");
  });

  it("says what is missing when there is none", async () => {
    await expect(chooseAgent(known({}))).rejects.toMatchObject({ code: "NO_AGENT", exitCode: 6 });
    const out = known({ claude: { found: true, login: "out" } });
    await expect(chooseAgent(out)).rejects.toThrow("no coding agent is logged in (found claude)");
  });
});
