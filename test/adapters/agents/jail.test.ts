import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createShellAgent, openJail } from "../../../src/adapters/agent/index.ts";
import type { AgentEvent } from "../../../src/ports/index.ts";
import { inEnglish, told } from "../../reasons.ts";
import { jailLab, opened } from "./jail-fixtures.ts";

const lab = jailLab();

it("says in one sentence why there is no jail", async () => {
  const none = await openJail("/nowhere");
  expect(none).toEqual({
    ok: false,
    failure: told("bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)"),
  });
});

it.skipIf(opened.ok)(`has no jail to try: ${opened.ok ? "" : inEnglish(opened.failure)}`, () => {
  expect(opened.ok ? "" : inEnglish(opened.failure)).toMatch(/bubblewrap/);
});

describe.skipIf(!opened.ok)("the jail", () => {
  it("lets a program work in its folder, with its environment and exit code", async () => {
    const { said, code } = await lab.inside("pwd; echo $GREETING; echo made > made.txt; exit 7");
    expect([said, code]).toEqual([`${lab.cwd}\nsalut\n`, 7]);
    expect(readFileSync(join(lab.cwd, "made.txt"), "utf8")).toBe("made\n");
  });

  it.each(["../outside", "../home/.bashrc", "/etc/espalier-jail", "/usr/local/bin/espalier-jail"])(
    "does not let it write %s",
    async path => {
      expect((await lab.inside(`echo x > ${path}`)).code).not.toBe(0);
      expect(existsSync(join(lab.cwd, path))).toBe(false);
    },
  );

  it("gives it a /tmp of its own", async () => {
    const outside = mkdtempSync("/tmp/espalier-outside-");
    const { said } = await lab.inside("echo x > /tmp/espalier-jail-test; ls /tmp; echo $TMPDIR");
    rmSync(outside, { recursive: true });
    const seen = said.trimEnd().split("\n");
    expect(seen.at(-1)).toBe("/tmp");
    expect(seen).toContain("espalier-jail-test");
    expect(seen).not.toContain(basename(outside));
    expect(existsSync("/tmp/espalier-jail-test")).toBe(false);
  });

  it("hides the user's keys, and lets it keep what is its own", async () => {
    mkdirSync(join(lab.home, ".ssh"));
    writeFileSync(join(lab.home, ".ssh", "id"), "secret");
    const { said } = await lab.inside("ls ~/.ssh; echo kept > ~/.agent/state; cat ~/.agent/state", {
      keeps: [".agent"],
    });
    expect(said).toBe("kept\n");
    expect(readFileSync(join(lab.home, ".agent", "state"), "utf8")).toBe("kept\n");
  });

  it("lets it write its notes where it was told to", async () => {
    const notes = join(lab.folder, "notes", "T1.md");
    mkdirSync(join(lab.folder, "notes"));
    expect((await lab.inside(`echo note > ${notes}`, { writable: [notes] })).code).toBe(0);
    expect(readFileSync(notes, "utf8")).toBe("note\n");
  });

  it("shows it no process but its own", async () => {
    const { said } = await lab.inside("ls /proc | grep -c '^[0-9]'");
    expect(Number(said)).toBeLessThan(10);
  });

  it("cuts it off from the network where that is the policy", async () => {
    const interfaces = "cat /proc/net/dev | tail -n +3 | grep -vc lo:";
    expect(Number((await lab.inside(interfaces, { network: false })).said)).toBe(0);
  });

  it("gives it no capability", async () => {
    expect((await lab.inside("grep CapEff /proc/self/status")).said).toMatch(/CapEff:\s+0000000000000000/);
  });

  it("holds the shell agent, too, where that is asked for", async () => {
    const jail = opened.ok ? { jail: opened.value, network: true, keeps: [] } : undefined;
    const session = await createShellAgent({ jail }).open({
      task: "T1",
      attempt: 1,
      token: "jailed-shell",
      cwd: lab.cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: lab.home },
      script: "echo in > in.txt; echo out > ../out.txt",
      limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 2_000, logBytes: 1 << 16 },
      log: () => {},
    });
    if (!session.ok) throw new Error(session.failure.message);
    const events: AgentEvent[] = [];
    for await (const event of session.value.turn("")) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "ended", end: { exitCode: 1 } });
    await session.value.close();
    expect([existsSync(join(lab.cwd, "in.txt")), existsSync(join(lab.folder, "out.txt"))]).toEqual([
      true,
      false,
    ]);
  });

  describe("guards the repository", () => {
    const git = (at: string, ...args: string[]) => execFileSync("git", args, { cwd: at, encoding: "utf8" });
    const identity = ["-c", "user.name=n", "-c", "user.email=e@x"];
    const COMMIT = "git -c user.name=n -c user.email=e@x commit -q --allow-empty -m inside";
    const COMMON = "$(git rev-parse --path-format=absolute --git-common-dir)";
    let places: readonly string[];
    beforeEach(() => {
      git(lab.cwd, "init", "-q");
      git(lab.cwd, ...identity, "commit", "-q", "--allow-empty", "-m", "first");
      const tree = join(lab.folder, "tree");
      git(lab.cwd, "worktree", "add", "-q", tree);
      places = [lab.cwd, tree];
    });

    it("and lets commits, branches and stashes be made in it from a worktree", async () => {
      lab.cwd = places[1] ?? "";
      const stash = "echo a > a; git add a; git stash -q; git stash list | wc -l";
      const { said } = await lab.inside(
        `export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e; ${COMMIT}; git switch -q -c other; ${COMMIT}; ${stash}`,
      );
      expect(Number(said.trim())).toBeGreaterThan(0);
      expect(git(lab.cwd, "log", "-2", "--format=%s")).toBe("inside\ninside\n");
    });

    it("[AC32] and lets all of a worktree be written from a folder of it, which in the main checkout is read", async () => {
      const written = [];
      for (const at of places) {
        lab.cwd = join(at, "api");
        for (const folder of ["api", "shared"]) mkdirSync(join(at, folder));
        const { said } = await lab.inside("echo a > ../shared/new; echo b > ../top; echo c > own; ls ..");
        expect(said).toContain("shared");
        written.push(["shared/new", "top", "api/own"].filter(path => existsSync(join(at, path))));
      }
      expect(written).toEqual([["api/own"], ["shared/new", "top", "api/own"]]);
    });

    it("[AC32] and keeps a person's own worktree, in which the state of projects lies, to the project's folder", async () => {
      const tree = places[1] ?? "";
      lab.cwd = join(tree, "api");
      const state = join(lab.cwd, ".espalier");
      mkdirSync(state, { recursive: true });
      await lab.inside("echo a > ../top; echo c > own", { state });
      expect([existsSync(join(tree, "top")), existsSync(join(lab.cwd, "own"))]).toEqual([false, true]);
    });

    it.each([
      ["a hook", `echo x > ${COMMON}/hooks/pre-commit`, "hooks/pre-commit"],
      ["a setting", `git config --local a.b c; echo '[a]' >> ${COMMON}/config`, ""],
      ["another git folder in its place", "mv .git .git2 && git init -q && mkdir .git/evil", "evil"],
    ])("against %s", async (_, trap, made) => {
      for (const at of places) {
        lab.cwd = at;
        // Repositories made from a template of one's own may have no such folder.
        rmSync(join(places[0] ?? "", ".git", "hooks"), { recursive: true, force: true });
        await lab.inside(`mkdir -p ${COMMON}/hooks; ${trap}`);
        const common = git(at, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
        expect(common).toBe(join(places[0] ?? "", ".git"));
        expect(made !== "" && existsSync(join(common, made))).toBe(false);
        expect(readFileSync(join(common, "config"), "utf8")).not.toContain("[a]");
      }
    });

    it("against being led to another repository from its worktree", async () => {
      lab.cwd = places[1] ?? "";
      const own = "$(git rev-parse --path-format=absolute --git-dir)";
      await lab.inside(
        `git init -q evil; echo $PWD/evil/.git > ${own}/commondir; echo $PWD/evil/.git > ${COMMON}/commondir`,
      );
      expect(git(lab.cwd, "rev-parse", "--path-format=absolute", "--git-common-dir").trim()).toBe(
        join(places[0] ?? "", ".git"),
      );
    });
  });
});
