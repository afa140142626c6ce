import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cell, openJail } from "../../../src/adapters/agent/index.ts";
import type { Program } from "../../../src/adapters/process/index.ts";

const opened = await openJail(process.env["PATH"]);
const CELL: Cell = { writable: [], keeps: [], network: true };
// Not below /tmp, which is another one in there.
const ROOT = "/var/tmp";

let folder: string;
let home: string;
let cwd: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(ROOT, "espalier-jail-")));
  home = join(folder, "home");
  cwd = join(folder, "work");
  for (const path of [home, cwd]) mkdirSync(path);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a shell script says in there, and its exit code. */
function inside(script: string, cell: Partial<Cell> = {}): { said: string; code: number | null } {
  if (!opened.ok) throw new Error(opened.failure);
  const program: Program = {
    file: "/bin/sh",
    args: ["-c", script],
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, GREETING: "salut" },
  };
  const { file, args, env } = opened.value.wrap(program, { ...CELL, ...cell });
  const done = spawnSync(file, [...args], { cwd, env: { ...env }, encoding: "utf8" });
  return { said: done.stdout + done.stderr, code: done.status };
}

it("says in one sentence why there is no jail", async () => {
  const none = await openJail("/nowhere");
  expect(none).toEqual({
    ok: false,
    failure: "bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)",
  });
});

describe.skipIf(!opened.ok)("the jail", () => {
  it("lets a program work in its folder, with its environment and exit code", () => {
    const { said, code } = inside("pwd; echo $GREETING; echo made > made.txt; exit 7");
    expect([said, code]).toEqual([`${cwd}\nsalut\n`, 7]);
    expect(readFileSync(join(cwd, "made.txt"), "utf8")).toBe("made\n");
  });

  it.each(["../outside", "../home/.bashrc", "/etc/espalier-jail", "/usr/local/bin/espalier-jail"])(
    "does not let it write %s",
    path => {
      expect(inside(`echo x > ${path}`).code).not.toBe(0);
      expect(existsSync(join(cwd, path))).toBe(false);
    },
  );

  it("gives it a /tmp of its own", () => {
    expect(inside("echo x > /tmp/espalier-jail-test; ls /tmp; echo $TMPDIR").said).toBe(
      "espalier-jail-test\n/tmp\n",
    );
    expect(existsSync("/tmp/espalier-jail-test")).toBe(false);
  });

  it("hides the user's keys, and lets it keep what is its own", () => {
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh", "id"), "secret");
    const { said } = inside("ls ~/.ssh; echo kept > ~/.agent/state; cat ~/.agent/state", {
      keeps: [".agent"],
    });
    expect(said).toBe("kept\n");
    expect(readFileSync(join(home, ".agent", "state"), "utf8")).toBe("kept\n");
  });

  it("lets it write its notes where it was told to", () => {
    const notes = join(folder, "notes", "T1.md");
    mkdirSync(join(folder, "notes"));
    expect(inside(`echo note > ${notes}`, { writable: [notes] }).code).toBe(0);
    expect(readFileSync(notes, "utf8")).toBe("note\n");
  });

  it("shows it no process but its own", () => {
    const { said } = inside("ls /proc | grep -c '^[0-9]'");
    expect(Number(said)).toBeLessThan(10);
  });

  it("cuts it off from the network where that is the policy", () => {
    const interfaces = "cat /proc/net/dev | tail -n +3 | grep -vc lo:";
    expect(Number(inside(interfaces, { network: false }).said)).toBe(0);
  });

  it("gives it no capability", () => {
    expect(inside("grep CapEff /proc/self/status").said).toMatch(/CapEff:\s+0000000000000000/);
  });

  it("guards hooks and configuration of the repository, in a checkout and in a worktree", () => {
    const git = (at: string, ...args: string[]) => execFileSync("git", args, { cwd: at, encoding: "utf8" });
    const identity = ["-c", "user.name=n", "-c", "user.email=e@x"];
    git(cwd, "init", "-q");
    git(cwd, ...identity, "commit", "-q", "--allow-empty", "-m", "first");
    const commit = "git -c user.name=n -c user.email=e@x commit -q --allow-empty -m inside";
    const traps = "echo x > $(git rev-parse --git-common-dir)/hooks/pre-commit; git config --local a.b c";
    const tree = join(folder, "tree");
    git(cwd, "worktree", "add", "-q", tree);
    for (const at of [cwd, tree]) {
      cwd = at;
      inside(`${commit}; ${traps}`);
      expect(git(at, "log", "-1", "--format=%s").trim()).toBe("inside");
      const common = git(at, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
      expect(existsSync(join(common, "hooks", "pre-commit"))).toBe(false);
      expect(readFileSync(join(common, "config"), "utf8")).not.toContain("[a]");
    }
  });
});
