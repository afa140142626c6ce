import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PRESETS } from "../../../src/adapters/agent/index.ts";
import { PRESET_FACTS } from "../../../src/adapters/agent/presets.ts";
import { foldersUp, repositoryFiles, unapproved } from "../../../src/adapters/agent/repository-files.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";
import { program } from "./place.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-files-"));
  mkdirSync(join(root, ".git"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = "{}"): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const pathsOf = (folder: string, places?: string[]) =>
  repositoryFiles(folder, places).map(({ path }) => path);

describe("what of a repository configures agents", () => {
  it("is found in the folder and in those above it, as far as the repository reaches", () => {
    write("deep/er/.gemini/settings.json");
    write(".codex/config.toml");
    write(".qwen/settings.json");
    write("src/.codex/config.toml");
    const folder = join(root, "deep", "er");
    expect(foldersUp(folder)).toEqual([folder, join(root, "deep"), root]);
    expect(pathsOf(folder)).toEqual([
      ".gemini/settings.json",
      "../../.codex/config.toml",
      "../../.qwen/settings.json",
    ]);
    expect(pathsOf(folder, [".codex"])).toEqual(["../../.codex/config.toml"]);
  });

  it("lies in the folder alone where there is no repository", () => {
    rmSync(join(root, ".git"), { recursive: true });
    const folders = foldersUp(join(root, "deep"));
    // Unless the whole folder for temporary files is one.
    expect(existsSync(join(tmpdir(), ".git")) ? folders.length > 1 : folders.length === 1).toBe(true);
  });

  it("leaves out what package managers bring, and our own state", () => {
    write(".opencode/node_modules/x/index.js");
    write(".opencode/plugin/a.js");
    write(".claude/espalier.db");
    write(".claude/memory/notes.md");
    write(".opencode/cache/b.js");
    expect(pathsOf(root)).toEqual([".opencode/cache/b.js", ".opencode/plugin/a.js"]);
  });

  it("has no text to approve where it is a link, too large, too deep or too much", () => {
    write("other/evil.json");
    mkdirSync(join(root, ".gemini"));
    symlinkSync(join(root, "other"), join(root, ".codex"));
    symlinkSync(join(root, "other", "evil.json"), join(root, ".gemini", "settings.json"));
    write(".qwen/large.json", "x".repeat(2 ** 20 + 1));
    write(".cursor/1/2/3/4/5/6/7/deep.json");
    const found = repositoryFiles(root);
    expect(found.map(({ path }) => path)).toEqual([
      ".codex",
      ".gemini/settings.json",
      ".qwen/large.json",
      ".cursor/1/2/3/4/5/6",
    ]);
    expect(found.every(({ text }) => text === undefined)).toBe(true);
    for (let at = 0; at < 520; at++) write(`.claude/commands/${at}.md`, "x");
    expect(repositoryFiles(root).length).toBe(501);
    expect(repositoryFiles(root).at(-1)?.text).toBeUndefined();
  });
});

describe("an agent that heeds them", () => {
  it("is refused until a person has approved each by its content and its place", () => {
    write(".codex/config.toml", "a = 1\n");
    const texts = new Set<string>();
    const guard = { places: [".codex"], approves: (text: string) => texts.has(text) };
    expect(unapproved(root, guard)).toEqual({
      kind: "unsuitable",
      message: "unapproved agent configuration .codex/config.toml; espalier resume asks",
      reason: { code: "file-unapproved", args: { path: ".codex/config.toml" } },
      retryable: false,
    });
    expect(unapproved(root, { ...guard, approves: undefined })).toBeDefined();
    expect(unapproved(root, undefined)).toBeUndefined();
    texts.add(repositoryFiles(root)[0]?.text ?? "");
    expect(unapproved(root, guard)).toBeUndefined();
    write(".codex/config.toml", "a = 2\n");
    expect(unapproved(root, guard)).toBeDefined();
  });

  it("has a reason short enough to be kept whole in the state of its task", () => {
    write(".github/extensions/x/extension.mjs", "");
    const message = unapproved(root, { places: [".github/extensions"], approves: undefined })?.message ?? "";
    expect(message.length).toBeLessThanOrEqual(100);
  });

  const heeding = PRESET_FACTS.filter(({ heeds }) => heeds !== undefined).map(({ name }) => name);

  it("is each that cannot be told to leave them alone", () => {
    expect(heeding).toEqual([
      "gemini",
      "opencode",
      "codex-acp",
      "gemini-acp",
      "opencode-acp",
      "copilot",
      "qwen",
    ]);
  });

  it.each(heeding)("%s: not one process is started, neither at first nor for a later message", async name => {
    const [place = ""] = PRESET_FACTS.find(facts => facts.name === name)?.heeds ?? [];
    const made = program("agent", `#!/bin/sh\ntouch '${root}/started'\n`);
    const preset = PRESETS.find(each => each.name === name);
    const agent = preset?.make({ name }, {}, made.file);
    if (agent === undefined) throw new Error("no preset");
    write(place.endsWith(".json") ? place : `${place}/planted`, "x");
    const { end, events } = await oneTurn(agent, agentRequest({ cwd: root }));
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "unsuitable", retryable: false } });
    expect(events.filter(event => event.type !== "usage")).toHaveLength(1);
    expect(existsSync(join(root, "started"))).toBe(false);
    made.dispose();
  });

  it("is asked about before each process: what a turn wrote does not take effect in the next", async () => {
    const made = program(
      "gemini",
      `#!/bin/sh\ncat > /dev/null\nmkdir -p .gemini; echo x > .gemini/settings.json\n`,
    );
    const agent = PRESETS.find(({ name }) => name === "gemini")?.make({ name: "gemini" }, {}, made.file);
    if (agent === undefined) throw new Error("no preset");
    const opened = await agent.open(agentRequest({ cwd: root }));
    if (!opened.ok) throw new Error(opened.failure.message);
    const kinds: string[] = [];
    for (const message of ["first", "second"]) {
      for await (const event of opened.value.turn(message)) {
        if (event.type === "ended" && event.end.kind === "failed") kinds.push(event.end.failure.kind);
      }
    }
    await opened.value.close();
    made.dispose();
    expect(kinds).toEqual(["protocol", "unsuitable"]);
  });
});
