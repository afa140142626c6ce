import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { jailLab, opened } from "./jail-fixtures.ts";

const lab = jailLab();
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Says from inside what a socket of the host answers. */
const knock = (path: string) =>
  `"${process.execPath}" -e 'require("net").connect(process.argv[1]).on("data",d=>console.log(String(d))).on("error",e=>console.log(e.code))' '${path}'`;

const servers: Server[] = [];
const listen = (path: string) =>
  new Promise<void>(resolve => {
    const server = createServer(socket => socket.end("HOST"));
    servers.push(server);
    server.listen(path, resolve);
  });
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve));
});

describe.skipIf(!opened.ok)("out of its jail a program does not come", () => {
  it("by the kernel's settings, not even as root", async () => {
    const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    // What stands there already: should it come through, nothing is changed.
    const { code } = await lab.inside("cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern");
    expect(code).not.toBe(0);
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
  });

  it("by mounting, unmounting, or a user namespace of its own", async () => {
    const { said } = await lab.inside(
      "mount -o remount,rw / && echo OUT; umount /tmp && echo OUT; unshare -Urm sh -c 'mount -o remount,rw,bind / && touch /etc/espalier-jail && echo OUT'",
    );
    expect(said).not.toContain("OUT");
    expect(existsSync("/etc/espalier-jail")).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)("by a socket of the user's session below /run", async () => {
    const folder = mkdtempSync("/run/espalier-jail-");
    try {
      const path = join(folder, "session.sock");
      await listen(path);
      expect((await lab.inside(knock(path))).said).toBe("ENOENT\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("and still finds names on the network", async () => {
    const { said } = await lab.inside("cat /etc/resolv.conf");
    expect(said).toBe(readFileSync("/etc/resolv.conf", "utf8"));
  });

  it("by signals to processes outside", async () => {
    const { said } = await lab.inside(
      `kill -0 ${process.pid} && echo OUT; kill -0 ${process.ppid} && echo OUT`,
    );
    expect(said).not.toContain("OUT");
  });
});

describe.skipIf(!opened.ok)("of the user's home it sees", () => {
  it("no keys, neither folders nor files, nor those that a link leads to", async () => {
    for (const name of [".aws/credentials", ".config/gh/hosts.yml", ".netrc", ".git-credentials", ".npmrc"])
      put(join(lab.home, name), "SECRET");
    put(join(lab.folder, "vault", "config"), "SECRET");
    symlinkSync(join(lab.folder, "vault"), join(lab.home, ".kube"));
    const { said } = await lab.inside(
      "cd; cat .aws/credentials .config/gh/hosts.yml .netrc .git-credentials .npmrc .kube/config; true",
    );
    expect(said).not.toContain("SECRET");
  });

  it("those that the project shows", async () => {
    put(join(lab.home, ".aws", "credentials"), "FOR BEDROCK");
    const { said } = await lab.inside("cat ~/.aws/credentials", { show: [".aws"] });
    expect(said).toBe("FOR BEDROCK");
  });

  it("the settings of its own program, and changes none: they start commands outside", async () => {
    put(join(lab.home, ".claude", "settings.json"), '{"model":"opus"}');
    put(join(lab.home, ".claude.json"), '{"mcpServers":{}}');
    await lab.inside(
      "cd; echo evil > .claude/settings.json; echo evil > .claude.json; echo evil > .claude/hooks/x; mv .claude/commands .claude/c2; echo ok > .claude/session; mv .claude/settings.json .claude/s2",
      { keeps: [".claude", ".claude.json", ".cache"] },
    );
    const read = (name: string) => readFileSync(join(lab.home, name), "utf8");
    expect(read(".claude/settings.json")).toBe('{"model":"opus"}');
    expect(read(".claude.json")).toBe('{"mcpServers":{}}');
    expect(read(".claude/session")).toBe("ok\n");
    expect(readdirSync(join(lab.home, ".claude", "hooks"))).toEqual([]);
    expect(existsSync(join(lab.home, ".claude", "c2"))).toBe(false);
  });

  it("guards settings that are not there yet, with what means nothing", async () => {
    await lab.inside("echo evil > ~/.codex/config.toml; echo evil > ~/.gemini/settings.json", {
      keeps: [".codex", ".gemini"],
    });
    expect(readFileSync(join(lab.home, ".codex", "config.toml"), "utf8")).toBe("");
    expect(readFileSync(join(lab.home, ".gemini", "settings.json"), "utf8")).toBe("{}\n");
  });

  it("a cache of the project's own: programs in the user's are not exchanged", async () => {
    put(join(lab.home, ".cache", "tool", "run"), "theirs");
    put(join(lab.home, ".cache", "ms-playwright", "chrome"), "browser");
    const state = join(lab.cwd, ".espalier");
    mkdirSync(state);
    const keeps = { keeps: [".cache"], state };
    await lab.inside(
      "mkdir -p ~/.cache/tool; echo mine > ~/.cache/tool/run; echo x > ~/.cache/ms-playwright/chrome",
      keeps,
    );
    expect(readFileSync(join(lab.home, ".cache", "tool", "run"), "utf8")).toBe("theirs");
    const { said } = await lab.inside("cat ~/.cache/tool/run ~/.cache/ms-playwright/chrome", keeps);
    expect(said).toBe("mine\nbrowser");
  });
});

describe.skipIf(!opened.ok)("a program that lies where the jail is empty", () => {
  it("is there with its package: below /tmp, in a cache, and the server it is given", async () => {
    const server = mkdtempSync("/tmp/espalier-jail-server-");
    try {
      put(join(server, "package.json"), "{}");
      put(join(server, "lib", "words"), "server's words");
      put(join(server, "bin", "serve"), "");
      put(join(lab.home, ".cache", "tools", "bin", "tool"), "");
      put(join(lab.home, ".cache", "tools", "package.json"), "tool's package");
      put(join(lab.home, ".cache", "other", "secret"), "SECRET");
      const { said } = await lab.inside(
        `cat ${server}/lib/words ~/.cache/tools/package.json ~/.cache/other/secret 2>/dev/null; true`,
        {
          keeps: [".cache"],
          programs: [join(server, "bin", "serve"), join(lab.home, ".cache/tools/bin/tool")],
        },
      );
      expect(said).toBe("server's wordstool's package");
    } finally {
      rmSync(server, { recursive: true });
    }
  });
});

describe.skipIf(!opened.ok)("of the project's state it", () => {
  const state = () => join(lab.cwd, ".espalier");
  const lay = () => {
    put(join(state(), "espalier.db"), "rows");
    put(join(state(), "orchestrate-state.json"), "{}");
    put(join(state(), "attempts", "t1.context.md"), "prompt");
    mkdirSync(join(state(), "memory", "attempts"), { recursive: true });
  };

  it("reads its prompt and writes its lessons, and neither sees nor makes what runs the project", async () => {
    lay();
    const notes = join(state(), "memory", "attempts", "t1.md");
    const { said } = await lab.inside(
      `cat .espalier/attempts/t1.context.md; echo note > ${notes}; cat .espalier/espalier.db; echo evil > .espalier/espalier.db; echo evil > .espalier/holder.json; echo evil > .espalier/attempts/t2.context.md; mv .espalier/memory .espalier/m2; mv .espalier e2`,
      { state: state(), writable: [notes] },
    );
    expect(said).toContain("prompt");
    expect(said).not.toContain("rows");
    expect(readFileSync(notes, "utf8")).toBe("note\n");
    expect(readFileSync(join(state(), "espalier.db"), "utf8")).toBe("rows");
    expect(readdirSync(state()).sort()).toEqual([
      "attempts",
      "espalier.db",
      "memory",
      "orchestrate-state.json",
    ]);
    expect(readdirSync(join(state(), "attempts"))).toEqual(["t1.context.md"]);
  });

  it("reaches the socket that serves it, and not the one that steers the run", async () => {
    lay();
    const [control, workers] = [join(state(), "control.sock"), join(state(), "workers.sock")];
    for (const path of [control, workers]) await listen(path);
    const { said } = await lab.inside(`${knock(workers)}; ${knock(control)}`, {
      state: state(),
      sockets: [workers],
    });
    expect(said).toBe("HOST\nENOENT\n");
  });
});

describe.skipIf(!opened.ok)("a folder that is no repository", () => {
  it("is not made one that opens another folder for the next attempt", async () => {
    const prey = join(lab.folder, "prey");
    put(join(prey, "file"), "untouched");
    symlinkSync(prey, join(lab.cwd, ".git"));
    await lab.inside(`echo evil > ${prey}/file`);
    rmSync(join(lab.cwd, ".git"));
    // As a linked worktree's, with everything in reach: only the other side does not say so.
    put(join(lab.cwd, ".git"), "gitdir: git/worktrees/x\n");
    put(join(lab.cwd, "git", "worktrees", "x", "commondir"), `${prey}\n`);
    put(join(lab.cwd, "git", "worktrees", "x", "gitdir"), `${lab.cwd}/.git\n`);
    for (const name of ["logs", "objects"]) mkdirSync(join(prey, name));
    await lab.inside(`echo evil > ${prey}/logs/x; echo evil > ${prey}/objects/x`);
    expect(readFileSync(join(prey, "file"), "utf8")).toBe("untouched");
    expect([readdirSync(join(prey, "logs")), readdirSync(join(prey, "objects"))]).toEqual([[], []]);
  });
});

describe.skipIf(!opened.ok)("the main checkout", () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: lab.cwd, encoding: "utf8" });

  it("shows its history and takes no commit, no hook and no other folder for its own", async () => {
    git("init", "-q");
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "first");
    const before = readdirSync(join(lab.cwd, ".git")).sort();
    const { said } = await lab.inside(
      "git log --format=%s; echo a > a; git status --short; git add a; git init -q evil; for f in commondir config.worktree hooks/pre-commit; do echo $PWD/evil/.git > .git/$f; done; mv .git g2",
    );
    expect(said.split("\n").slice(0, 2)).toEqual(["first", "?? a"]);
    expect(readdirSync(join(lab.cwd, ".git")).sort()).toEqual(before);
    expect(git("rev-parse", "--git-common-dir").trim()).toBe(".git");
  });

  it("has worktrees that get no configuration of their own from in there", async () => {
    git("init", "-q");
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "first");
    git("config", "extensions.worktreeConfig", "true");
    const tree = join(lab.folder, "tree");
    git("worktree", "add", "-q", tree);
    lab.cwd = tree;
    await lab.inside(
      "git config --worktree core.fsmonitor /evil; echo '[core]fsmonitor=/evil' > $(git rev-parse --git-dir)/config.worktree; true",
    );
    expect(() => git("config", "core.fsmonitor")).toThrow("Command failed");
    expect(git("status", "--short")).toBe("");
  });

  it("is read as well where the project is one of its folders", async () => {
    git("init", "-q");
    const top = lab.cwd;
    lab.cwd = join(top, "packages", "one");
    mkdirSync(lab.cwd, { recursive: true });
    chmodSync(lab.cwd, 0o755);
    await lab.inside(`echo evil > ${top}/.git/commondir; echo evil > ${top}/x; echo ok > here`);
    expect([existsSync(join(top, ".git", "commondir")), existsSync(join(top, "x"))]).toEqual([false, false]);
    expect(lstatSync(join(lab.cwd, "here")).isFile()).toBe(true);
  });
});
