import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { POLICIES, PRESETS } from "../../src/adapters/agent/index.ts";
import { PRESET_FACTS } from "../../src/adapters/agent/presets.ts";
import { agentLines } from "../../src/cli/views/agents-view.ts";
import { configSchema, readConfig } from "../../src/config/index.ts";
import { messagesFor } from "../../src/text/index.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/agents.md");

describe("docs/agents.md", () => {
  it("lists the known agents as they are, in the order of `auto`", () => {
    const told = tableOf(page, "name", "driven by").map(cells => cells.map(cell => spansOf(cell)[0] ?? cell));
    expect(told.map(([name]) => name)).toEqual(PRESETS.map(({ name }) => name));
    for (const [name = "", driven = "", program = "", from = ""] of told) {
      const facts = PRESET_FACTS.find(each => each.name === name);
      expect([program, from]).toEqual([PRESETS.find(each => each.name === name)?.program, facts?.from]);
      expect(driven === "ACP").toBe(facts?.how.by === "acp");
    }
  });

  it("tells which files of a repository each heeds once they are approved", () => {
    const told = tableOf(page, "name", "driven by").map(cells => [
      spansOf(cells[0] ?? "")[0],
      spansOf(cells[5] ?? ""),
    ]);
    expect(told).toEqual(PRESET_FACTS.map(({ name, heeds = [] }) => [name, heeds]));
  });

  it("tells the policies as they are", () => {
    const told = tableOf(page, "policy", "edit").map(([policy = "", ...decisions]) => [
      spansOf(policy)[0],
      ...decisions,
    ]);
    const kinds = ["edit", "execute", "fetch", "other"] as const;
    const names = ["allow-edits", "ask", "deny", "allow"] as const;
    expect(told).toEqual(names.map(name => [name, ...kinds.map(kind => POLICIES[name][kind])]));
  });

  it("names every setting of an agent, and shows some that are valid", () => {
    const told = tableOf(page, "key", "for").map(([key = ""]) => spansOf(key)[0]);
    const known = [
      "command",
      "acp",
      "preset",
      "program",
      "model",
      "account",
      "permissions",
      "effort",
      "mode",
      "env",
      "mcp",
      "keeps",
      "budget",
      "maxTurns",
    ];
    expect(told).toEqual(known);
    expect(Object.keys(configSchema().shape)).toEqual(expect.arrayContaining(["agents", "fallback", "jail"]));
    const examples = blocksOf(page).filter(({ lang }) => lang === "yaml");
    expect(examples.length).toBe(2);
    for (const { text } of examples) expect(readConfig(text)).toMatchObject({ ok: true });
  });

  it("shows lines of `espalier agents` and of the log as they look", () => {
    const claude = PRESETS.find(({ name }) => name === "claude");
    const facts = {
      name: "claude",
      title: claude?.title ?? "",
      driven: "cli",
      install: claude?.install,
      probe: { found: true, version: "2.1.328", login: "in" },
      abilities: claude?.make({ name: "claude" }, {}, undefined).abilities,
    } as const;
    const [line = "", , last = ""] = agentLines([facts], "claude", "en");
    const shown = page.replace(/ {2,}/g, "  ");
    expect(shown).toContain(line.replace(/ {2,}/g, "  "));
    expect(page).toContain(last);
    const about = { task: "T1.3", attempt: 1, kind: "execute", title: "npm test" } as const;
    const logged = messagesFor("en").logLine({
      type: "permission",
      ...about,
      answer: "rejected",
      by: "nobody",
    });
    expect(page).toContain(`\`${logged}\``);
  });
});

describe("docs/agents-seen.md", () => {
  it("is what was kept of the agents that were tried", () => {
    const tool = fileURLToPath(new URL("../../tools/agents-page.mjs", import.meta.url));
    const page = execFileSync(process.execPath, [tool, "--print"], { encoding: "utf8" });
    expect(readPage("docs/agents-seen.md")).toBe(page);
  });
});
