import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changedDoors, lookAtDoors } from "../../src/adapters/vcs/git/doors.ts";

let common: string;
beforeEach(() => {
  common = mkdtempSync(join(tmpdir(), "espalier-links-"));
  for (const name of [
    "logs/refs/heads/main",
    "logs/HEAD",
    "worktrees/one/HEAD",
    "worktrees/one/logs/HEAD",
    "config",
  ]) {
    mkdirSync(dirname(join(common, name)), { recursive: true });
    writeFileSync(join(common, name), "");
  }
});
afterEach(() => rmSync(common, { recursive: true }));

it.each([
  "logs/HEAD",
  "logs/refs/heads/phase/1-x",
  "worktrees/one/index",
  "worktrees/one/COMMIT_EDITMSG",
  "worktrees/one/logs/HEAD",
])("a link that git would follow when it writes is a door: %s", name => {
  const before = lookAtDoors(common, ["one"]);
  rmSync(join(common, name), { force: true });
  mkdirSync(dirname(join(common, name)), { recursive: true });
  symlinkSync("/nowhere/.bashrc", join(common, name));
  expect(changedDoors(before, lookAtDoors(common, ["one"]))).toEqual([name]);
});

it("what git itself writes there is none, nor what lies in other people's worktrees", () => {
  const before = lookAtDoors(common, ["one"]);
  writeFileSync(join(common, "logs", "refs", "heads", "new"), "x");
  writeFileSync(join(common, "worktrees", "one", "index"), "x");
  mkdirSync(join(common, "worktrees", "two"));
  symlinkSync("/nowhere", join(common, "worktrees", "two", "index"));
  expect(changedDoors(before, lookAtDoors(common, ["one"]))).toEqual([]);
});
