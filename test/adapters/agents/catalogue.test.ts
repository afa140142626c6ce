import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PRESETS, presetOf } from "../../../src/adapters/agent/index.ts";
import { isOlder } from "../../../src/adapters/agent/look.ts";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import { PRESET_FACTS } from "../../../src/adapters/agent/presets.ts";
import { KNOWN_AGENTS } from "../../../src/ports/index.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";
import { program } from "./place.ts";

describe("the catalogue of agents", () => {
  it("has the names that the configuration knows, in its order", () => {
    expect(PRESETS.map(({ name }) => name)).toEqual([...KNOWN_AGENTS]);
    expect(presetOf("nobody")).toBeUndefined();
  });

  it.each(PRESETS)("$name has a title, a program and a way to get it", preset => {
    expect(preset.title.length).toBeGreaterThan(3);
    expect(preset.install).toMatch(/^npm install -g @?[a-z]/);
    expect(preset.env.every(name => !name.startsWith("*"))).toBe(true);
    const agent = preset.make({ name: "other", path: "/nowhere" }, {}, undefined);
    expect([agent.name, agent.reports, agent.abilities?.followUp]).toEqual(["other", "signal", true]);
  });

  it.each(PRESETS)("$name says what is missing where it is not installed", async preset => {
    const probe = await preset.make({ name: "x", path: "/nowhere" }, {}, undefined).probe();
    expect(probe).toMatchObject({ found: false, problem: expect.stringContaining(preset.program) });
  });

  it("gives an agent its own keys, and the task's environment wins", async () => {
    const made = program(
      "claude",
      `#!/bin/sh\nread -r prompt\necho "$ANTHROPIC_API_KEY $ANTHROPIC_MODEL $SECRET"\n`,
    );
    const extraEnv = { ANTHROPIC_API_KEY: "mine", ANTHROPIC_MODEL: "m" };
    const agent = presetOf("claude")?.make({ name: "claude", extraEnv }, {}, made.file);
    if (agent === undefined) throw new Error("no preset");
    const env = { PATH: process.env["PATH"] ?? "", ANTHROPIC_MODEL: "task's" };
    const { lines } = await oneTurn(agent, agentRequest({ env }));
    made.dispose();
    expect(lines).toEqual(["mine task's"]);
  });

  it.each(["opencode", "opencode-acp", "gemini", "gemini-acp", "copilot"])(
    "%s: what it may do and what it ignores holds whatever the person's own variables say",
    async name => {
      const made = program("agent", '#!/bin/sh\nenv > "$0.env"\n');
      const extraEnv = {
        OPENCODE_PERMISSION: "loose",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        COPILOT_ALLOW_ALL: "true",
      };
      const agent = presetOf(name)?.make({ name, extraEnv }, {}, made.file);
      if (agent === undefined) throw new Error("no preset");
      await oneTurn(agent, agentRequest({ cwd: made.folder }));
      const env = readFileSync(`${made.file}.env`, "utf8");
      made.dispose();
      const own: Readonly<Record<string, readonly string[]>> = {
        opencode: ["OPENCODE_PERMISSION={"],
        gemini: ["GEMINI_CLI_TRUST_WORKSPACE=false"],
        copilot: ["COPILOT_ALLOW_ALL=false"],
      };
      const wanted = own[name.replace("-acp", "")] ?? [];
      expect(wanted.length).toBeGreaterThan(0);
      for (const line of wanted) expect(`\n${env}`).toContain(`\n${line}`);
    },
  );

  it("says which version is needed of one that is too old", async () => {
    const made = program("codex", "#!/bin/sh\necho codex-cli 0.116.0\n");
    const probe = await presetOf("codex")?.make({ name: "codex" }, {}, made.file).probe();
    made.dispose();
    expect(probe).toMatchObject({ found: true, version: "0.116.0", needs: "0.125.0" });
  });

  it("compares versions part by part", () => {
    expect(isOlder("2.1.99", "2.1.100")).toBe(true);
    expect(isOlder("2.1.100", "2.1.100")).toBe(false);
    expect(isOlder("10.0.0", "9.9.9")).toBe(false);
    expect(isOlder("1.15.4-beta.1", "1.15.4")).toBe(false);
    // What tells no version is not held against it.
    expect(isOlder(undefined, "1.0.0")).toBe(false);
  });

  it("puts Codex over ACP into the mode that its policy asks for", () => {
    const how = PRESET_FACTS.find(({ name }) => name === "codex-acp")?.how;
    if (how?.by !== "acp") throw new Error("not over ACP");
    expect(how.more?.({}, false).mode).toBe("workspace-write");
    expect(how.more?.({ permissions: POLICIES.deny }, true).mode).toBe("read-only");
  });

  it("keeps the repository's settings from Claude over ACP, and hands its limits on", () => {
    const how = PRESET_FACTS.find(({ name }) => name === "claude-acp")?.how;
    if (how?.by !== "acp") throw new Error("not over ACP");
    expect(how.more?.({ budgetUsd: 3, maxTurns: 9 }, false).meta).toEqual({
      claudeCode: {
        options: {
          settingSources: ["user"],
          strictMcpConfig: true,
          promptSuggestions: false,
          maxBudgetUsd: 3,
          maxTurns: 9,
        },
      },
    });
  });

  it("tells a login of Gemini by its key", async () => {
    const made = program("gemini", "#!/bin/sh\necho 0.61.0\n");
    const probe = (env: Record<string, string>) =>
      presetOf("gemini")
        ?.make({ name: "gemini", env: { PATH: "/usr/bin:/bin", ...env } }, {}, made.file)
        .probe();
    expect(await probe({ GEMINI_API_KEY: "x" })).toMatchObject({
      found: true,
      version: "0.61.0",
      login: "in",
    });
    expect(await probe({ HOME: "/nonexistent" })).toMatchObject({ login: "unseen" });
    made.dispose();
  });
});
