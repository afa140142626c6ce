import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/index.ts";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab } from "../repository/lab.ts";

const TASKS = "# I\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n";
const scripts = (test: string) => JSON.stringify({ name: "x", version: "1.0.0", scripts: { test } });

/** A project with an untracked place for programs, and `npm` as a few lines of shell. */
function openWithNpm(files: Readonly<Record<string, string>>, npm: string) {
  const lab = openRepositoryLab({ "TASKS.md": TASKS, "package.json": scripts("x"), ...files });
  lab.git("rm", "-q", "--cached", "espalier.yaml");
  lab.git("commit", "-q", "-m", "without a configuration");
  const bin = join(lab.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${npm}\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  return Object.assign(lab, { run: (...args: readonly string[]) => lab.cli(args, { env }) });
}

/** Needs what `npm ci` installs, as most suites do. */
const NEEDY = [
  'echo "$PWD: npm $*" >> "$HOME/calls"',
  'if test "$1" = ci; then mkdir node_modules; exit 0; fi',
  'test -d node_modules || { echo "sh: 1: vitest: not found" >&2; exit 127; }',
].join("\n");

describe.concurrent("a check that is proposed", () => {
  it("[E95] is tried in a new worktree, with what sets it up where it needs that, and nothing of it stays", async () => {
    await using lab = openWithNpm({ "package-lock.json": "{}" }, NEEDY);
    const { unlinkSync } = await import("node:fs");
    unlinkSync(lab.path("espalier.yaml"));
    const { code, stdout } = await lab.run("init", "--yes", "--try");
    expect(code).toBe(0);
    expect(stdout).toContain("npm test exit 127: sh: 1: vitest: not found");
    const config = readConfig(lab.read("espalier.yaml"));
    expect(config.ok && [config.value.verify, config.value.worktree.setup]).toEqual(["npm test", ["npm ci"]]);
    const calls = lab.text(join(lab.home, "calls")).trim().split("\n");
    expect(calls.map(line => line.slice(line.indexOf(": ")))).toEqual([
      ": npm test",
      ": npm ci",
      ": npm test",
    ]);
    for (const call of calls) {
      const place = call.slice(0, call.indexOf(": "));
      expect(dirname(place)).toBe(dirname(lab.root));
      expect(place).not.toBe(lab.root);
      expect(lab.has(place)).toBe(false);
    }
    expect(lab.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(lab.git("branch", "--list")).toBe("* main");
    expect(lab.git("status", "--porcelain")).toBe("?? espalier.yaml");
  });

  itWhole("[E95] stays off where it fails, or was not tried, and the file says why", async () => {
    await using lab = openWithNpm({}, 'echo "Error: broken" >&2; exit 1');
    const { unlinkSync } = await import("node:fs");
    unlinkSync(lab.path("espalier.yaml"));
    const tried = await lab.run("init", "--try", "--yes");
    expect(tried.stdout).toContain("verify stays off: npm test exit 1: Error: broken");
    expect(lab.read("espalier.yaml")).toContain(
      '# package.json has a test script; tried, and off: npm test exit 1: Error: broken\n# verify: "npm test"\n',
    );
    unlinkSync(lab.path("espalier.yaml"));
    const untried = await lab.run("init", "--yes");
    expect(untried.stdout).toContain(
      "verify stays off: it was not tried (uncomment it in espalier.yaml, then espalier doctor --try)",
    );
    expect(lab.has(join(lab.home, "calls"))).toBe(false);
  });

  itWhole("[E95] doctor runs nothing without --try, and says what a new worktree lacks", async () => {
    await using lab = openWithNpm(
      { "package-lock.json": "{}", "espalier.yaml": "verify: npm test\n" },
      NEEDY,
    );
    const quiet = await lab.run("doctor");
    expect(quiet.stdout).toContain("npm test; espalier doctor --try runs it once where tasks will");
    expect(quiet.stdout).toContain('new worktrees have no packages yet: worktree: { setup: ["npm ci"] }');
    expect(lab.has(join(lab.home, "calls"))).toBe(false);
    const tried = await lab.run("doctor", "--try");
    expect(tried.code).toBe(6);
    expect(tried.stdout).toContain("✗ verify          npm test exit 127: sh: 1: vitest: not found");
    lab.write("espalier.yaml", "verify: npm test\nworktree: { setup: [npm ci] }\n");
    const ready = await lab.run("doctor", "--try");
    expect(ready.stdout).toContain("✓ verify          npm test passes in a new worktree");
    lab.write("espalier.yaml", "locale: ko\nverify: npm test\nworktree: { setup: [npm ci] }\n");
    expect((await lab.run("doctor", "--try")).stdout).toContain("npm test 통과 (새 워크트리)");
  });

  it("[E95] an agent has nothing tried", async () => {
    await using lab = openWithNpm({ "espalier.yaml": "verify: npm test\n" }, NEEDY);
    const { stdout } = await lab.cli(["doctor", "--try"], { env: { CLAUDECODE: "1" } });
    expect(stdout).toContain("only a person decides");
    expect(lab.has(join(lab.home, "calls"))).toBe(false);
  });
});
