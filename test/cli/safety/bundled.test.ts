import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentFiles } from "../../../src/host/approval/agent-files.ts";
import { planCommands } from "../../../src/host/approval/approvable.ts";
import { BUNDLED } from "../../../src/host/approval/bundled.ts";
import { readPlan } from "../../../src/plan/index.ts";

describe("what needs no question", () => {
  it("[CL5] is exactly the commands of the bundled example, in both languages", () => {
    const hashes = ["examples/quickstart/TASKS.md", "examples/quickstart/ko/TASKS.md"].flatMap(path => {
      const { plan } = readPlan(readFileSync(path), { path: "TASKS.md", allowMissing: false });
      const commands = planCommands(plan);
      expect(commands.length).toBeGreaterThan(5);
      return commands.map(({ text }) => createHash("sha256").update(text).digest("hex"));
    });
    expect(new Set(hashes)).toEqual(new Set(BUNDLED));
  });
});

describe("configuration of agents in a repository", () => {
  it("is found in every place, file by file, without our own state", () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-agent-files-"));
    const write = (path: string, text: string) => {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    mkdirSync(join(folder, ".git"));
    write(".mcp.json", "{}");
    write(".claude/settings.json", "{}");
    write(".claude/hooks/deep/run.sh", "evil");
    write(".claude/espalier.db", "ours");
    write(".claude/attempts/x.log", "ours");
    write(".codex/config.toml", "x".repeat(5000));
    write("opencode.json", "{}");
    try {
      const found = agentFiles(folder);
      expect(found.map(({ where }) => where.replace("agent configuration ", ""))).toEqual([
        ".claude/hooks/deep/run.sh",
        ".claude/settings.json",
        ".mcp.json",
        ".codex/config.toml",
        "opencode.json",
      ]);
      expect(found[3]?.text).toMatch(/^\.codex\/config\.toml\nsha256 [0-9a-f]{64}$/);
      // Equal content in two places is approved twice.
      expect(found[1]?.text).not.toBe(found[2]?.text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
