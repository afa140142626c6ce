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
import { type Cell, createShellAgent, openJail } from "../../../src/adapters/agent/index.ts";
import type { Program } from "../../../src/adapters/process/index.ts";
import type { AgentEvent } from "../../../src/ports/index.ts";

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

it.skipIf(opened.ok)(`has no jail to try: ${opened.ok ? "" : opened.failure}`, () => {
  expect(opened.ok ? "" : opened.failure).toMatch(/bubblewrap/);
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

  it("holds the shell agent, too, where that is asked for", async () => {
    const jail = opened.ok ? { jail: opened.value, network: true, keeps: [] } : undefined;
    const session = await createShellAgent({ jail }).open({
      task: "T1",
      attempt: 1,
      token: "jailed-shell",
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: home },
      script: "echo in > in.txt; echo out > ../out.txt",
      limits: { wallMs: 20_000, idleMs: 20_000, graceMs: 2_000, logBytes: 1 << 16 },
      log: () => {},
    });
    if (!session.ok) throw new Error(session.failure.message);
    const events: AgentEvent[] = [];
    for await (const event of session.value.turn("")) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "ended", end: { exitCode: 1 } });
    await session.value.close();
    expect([existsSync(join(cwd, "in.txt")), existsSync(join(folder, "out.txt"))]).toEqual([true, false]);
  });

  describe("guards the repository", () => {
    const git = (at: string, ...args: string[]) => execFileSync("git", args, { cwd: at, encoding: "utf8" });
    const identity = ["-c", "user.name=n", "-c", "user.email=e@x"];
    const COMMIT = "git -c user.name=n -c user.email=e@x commit -q --allow-empty -m inside";
    const COMMON = "$(git rev-parse --path-format=absolute --git-common-dir)";
    let places: readonly string[];
    beforeEach(() => {
      git(cwd, "init", "-q");
      git(cwd, ...identity, "commit", "-q", "--allow-empty", "-m", "first");
      const tree = join(folder, "tree");
      git(cwd, "worktree", "add", "-q", tree);
      places = [cwd, tree];
    });

    it("and lets commits, branches and stashes be made in it, in a checkout and in a worktree", () => {
      for (const at of places) {
        cwd = at;
        const stash = "echo a > a; git add a; git stash -q; git stash list | wc -l";
        const { said } = inside(
          `export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e; ${COMMIT}; git switch -q -c b-$(basename $PWD); ${COMMIT}; ${stash}`,
        );
        expect(Number(said.trim())).toBeGreaterThan(0);
        expect(git(at, "log", "-2", "--format=%s")).toBe("inside\ninside\n");
      }
    });

    it.each([
      ["a hook", `echo x > ${COMMON}/hooks/pre-commit`, "hooks/pre-commit"],
      ["a setting", `git config --local a.b c; echo '[a]' >> ${COMMON}/config`, ""],
      ["another git folder in its place", "mv .git .git2 && git init -q && mkdir .git/evil", "evil"],
    ])("against %s", (_, trap, made) => {
      for (const at of places) {
        cwd = at;
        // Repositories made from a template of one's own may have no such folder.
        rmSync(join(places[0] ?? "", ".git", "hooks"), { recursive: true, force: true });
        inside(`mkdir -p ${COMMON}/hooks; ${trap}`);
        const common = git(at, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
        expect(common).toBe(join(places[0] ?? "", ".git"));
        expect(made !== "" && existsSync(join(common, made))).toBe(false);
        expect(readFileSync(join(common, "config"), "utf8")).not.toContain("[a]");
      }
    });

    it("against being led to another repository from its worktree", () => {
      cwd = places[1] ?? "";
      const own = "$(git rev-parse --path-format=absolute --git-dir)";
      inside(
        `git init -q evil; echo $PWD/evil/.git > ${own}/commondir; echo $PWD/evil/.git > ${COMMON}/commondir`,
      );
      expect(git(cwd, "rev-parse", "--path-format=absolute", "--git-common-dir").trim()).toBe(
        join(places[0] ?? "", ".git"),
      );
    });
  });
});
