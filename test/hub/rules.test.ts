import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EspalierError } from "../../src/ports/index.ts";
import { reasonText } from "../../src/text/index.ts";
import { openHere } from "../../src/worker/here.ts";
import { readRules } from "../../src/worker/index.ts";
import { scratchFolder } from "../scratch.ts";

const folder = scratchFolder("espalier-rules-");
afterAll(() => rmSync(folder, { recursive: true }));

function rules(text: string, withoutJail = false) {
  writeFileSync(join(folder, "worker.yaml"), text);
  return readRules("worker.yaml", folder, withoutJail);
}

function errorOf(text: string): EspalierError {
  try {
    rules(text);
  } catch (error) {
    if (error instanceof EspalierError) return error;
  }
  throw new Error("the rules were not refused");
}

describe("what the owner of a machine lets it do", () => {
  it("[WK7] is everything, in a jail, where nothing is said", () => {
    const { only, repositories, setup, config } = readRules(undefined, folder, false);
    expect([only, repositories, setup]).toEqual([undefined, undefined, []]);
    expect(config.jail).toMatchObject({ use: "on", shell: true, network: true });
  });

  it("[WK7] is what the file says", () => {
    const root = "a".repeat(40);
    const read = rules(
      `only: [shell]\nrepositories: [${root}]\nsetup: ["npm ci"]\nenv: [API_KEY]\njail: { network: false }\n`,
    );
    expect(read).toMatchObject({ only: ["shell"], repositories: [root], setup: ["npm ci"] });
    expect(read.config.env).toEqual(["API_KEY"]);
    expect(read.config.jail).toMatchObject({ use: "on", shell: true, network: false });
  });

  it("[WK7] names agents as tasks do, its owner's own among them", () => {
    expect(rules("only: [claude-code, Codex, shell]\n").only).toEqual(["claude", "codex", "shell"]);
    expect(rules("agents: { mine: { command: m } }\nonly: [mine]\n").only).toEqual(["mine"]);
    const { reason } = errorOf("labels: [a]\nonly: [shell, cluade]\n");
    expect(reasonText(reason, "en")).toContain('worker.yaml:2:15: only.1: no agent is called "cluade" here');
    expect(reasonText(reason, "ko")).toContain("only.1: claude, codex");
  });

  it("[WK7] is without a jail only where that is said", () => {
    expect(rules("jail: { use: off }\n").config.jail).toMatchObject({ use: "off", shell: false });
    expect(rules("", true).config.jail).toMatchObject({ use: "off", shell: false });
    expect(rules("jail: { use: auto }\n").config.jail.use).toBe("auto");
  });

  it("[WK7] is what only so many tasks use at once", () => {
    expect(rules("resources: { gpu: 2, 'port:3000': 1 }\n").resources).toEqual({ gpu: 2, "port:3000": 1 });
    expect(rules("labels: [a]\n").resources).toEqual({});
  });

  it.each([
    ["resources: { gpu: 0 }\n", "resources.gpu"],
    ["resources: [gpu]\n", "resources"],
    ["onyl: [shell]\n", "onyl"],
    ["repositories: [main]\n", "repositories"],
    ["setup: npm ci\n", "setup"],
    ["agents: { x: { commnad: y } }\n", "agents"],
    ["tasks: TASKS.md\n", "tasks"],
    ["- a\n", "list of keys"],
    ["a: [\n", ""],
  ])("[WK7] refuses %j and names the key", (text, named) => {
    expect(() => rules(text)).toThrow(named);
    expect(() => rules(text)).toThrow("worker.yaml");
  });

  it("[WK7] says where a key stands that it does not know, and which it may be, in the reader's language", () => {
    const refused = errorOf("labels: [a]\nonyl: [shell]\n");
    expect(refused.message).toBe('worker.yaml:2:1: unknown key "onyl"');
    expect(refused.hint).toBe('did you mean "only"?');
    expect(reasonText(refused.reason, "ko")).toBe('worker.yaml:2:1: 모르는 키 "onyl"');
    expect(reasonText(refused.advice, "ko")).toBe('혹시 "only"인가요?');
    expect(reasonText(errorOf("- a\n").reason, "ko")).toBe("worker.yaml: 키와 값의 목록이 아닙니다");
  });

  it("[WK7] names a file that is not there", () => {
    expect(() => readRules("nothing.yaml", folder, false)).toThrow("nothing.yaml cannot be read");
  });

  it("[WK16] [WK17] offers an agent whose file comes with a repository, and none whose file should be on the machine and is not", async () => {
    const agents = {
      theirs: { command: "node tools/agent.mjs" },
      over: { acp: "node tools/agent.mjs" },
      gone: { command: `node ${join(folder, "gone.mjs")}` },
    };
    const env = { PATH: process.env["PATH"], HOME: folder };
    const missing: string[] = [];
    const here = await openHere({
      rules: rules(JSON.stringify({ agents, only: Object.keys(agents) }), true),
      folder: join(folder, "machine"),
      env,
    });
    try {
      const probes = [...here.agents.values()].map(async agent => [agent.name, (await agent.probe()).found]);
      expect(Object.fromEntries(await Promise.all(probes))).toEqual({
        theirs: true,
        over: true,
        gone: false,
      });
      const there = await here.installed((agent, { problem }) => missing.push(`${agent}: ${problem}`));
      expect([...there.keys()]).toEqual(["theirs", "over"]);
      expect(missing).toEqual([expect.stringMatching(/^gone: .*gone\.mjs/)]);
    } finally {
      await here.warden.close();
    }
  });
});
