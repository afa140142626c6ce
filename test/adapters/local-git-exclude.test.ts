import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { excludeFromGit } from "../../src/adapters/local/git-exclude.ts";

let root: string;
const exclude = () => readFileSync(join(root, ".git", "info", "exclude"), "utf8");
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-exclude-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("excludeFromGit", () => {
  it("hides the state directory from real git, once", () => {
    git("init", "-q");
    mkdirSync(join(root, ".espalier"));
    writeFileSync(join(root, ".espalier", "espalier.db"), "x");
    expect(git("status", "--porcelain")).toContain(".espalier/");
    excludeFromGit(root, join(root, ".espalier"));
    excludeFromGit(root, join(root, ".espalier"));
    expect(git("status", "--porcelain")).toBe("");
    expect(
      exclude()
        .split("\n")
        .filter(line => line === "/.espalier/"),
    ).toHaveLength(1);
  });

  it("names the place of a project inside a larger repository", () => {
    git("init", "-q");
    const project = join(root, "packages", "app");
    mkdirSync(join(project, ".espalier"), { recursive: true });
    excludeFromGit(project, join(project, ".espalier"));
    expect(exclude()).toContain("/packages/app/.espalier/\n");
  });

  it("keeps what stands there, also without a final newline", () => {
    git("init", "-q");
    writeFileSync(join(root, ".git", "info", "exclude"), "*.log");
    excludeFromGit(root, join(root, ".espalier"));
    expect(exclude()).toBe("*.log\n.espalier-*.tmp*\n/.espalier/\n");
  });

  it("[V105] loses no line of projects that begin at once", async () => {
    git("init", "-q");
    const module = JSON.stringify(new URL("../../src/adapters/local/git-exclude.ts", import.meta.url).href);
    const names = (writer: number) => Array.from({ length: 40 }, (_, at) => `p${writer}-${at}`);
    const writers = [0, 1, 2].map(writer => {
      const code = `import { excludeFromGit } from ${module};
        process.stdin.once("data", () => {
          for (const name of ${JSON.stringify(names(writer))})
            excludeFromGit(${JSON.stringify(root)}, ${JSON.stringify(root)} + "/" + name + "/.espalier");
          process.exit();
        });
        console.log("ready");`;
      return spawn(process.execPath, ["--input-type=module", "-e", code], {
        stdio: ["pipe", "pipe", "inherit"],
      });
    });
    await Promise.all(writers.map(({ stdout }) => once(stdout, "data")));
    const ends = writers.map(writer => once(writer, "exit"));
    for (const { stdin } of writers) stdin.write("go");
    await Promise.all(ends);
    const lines = new Set(exclude().split("\n"));
    const lost = [0, 1, 2].flatMap(names).filter(name => !lines.has(`/${name}/.espalier/`));
    expect(lost).toEqual([]);
  });

  it.each(["app[1]", "a*b", "a?b", "back\\slash", "two\nlines", "!bang", "#hash", "sp ", "한글", 'q"uote'])(
    "[V106] names the folder %j, and no other",
    name => {
      git("init", "-q");
      for (const folder of [name, "app1", "axb"]) {
        mkdirSync(join(root, folder, ".espalier"), { recursive: true });
        writeFileSync(join(root, folder, ".espalier", "espalier.db"), "x");
      }
      excludeFromGit(join(root, name), join(root, name, ".espalier"));
      const seen = git("status", "--porcelain", "-z", "-uall").split("\0").filter(Boolean);
      expect(seen).toEqual(["?? app1/.espalier/espalier.db", "?? axb/.espalier/espalier.db"]);
    },
  );

  it("[V105] adds nothing to a file that has a second name", () => {
    mkdirSync(join(root, ".git", "info"), { recursive: true });
    writeFileSync(join(root, "another"), "*.log\n");
    linkSync(join(root, "another"), join(root, ".git", "info", "exclude"));
    excludeFromGit(root, join(root, ".espalier"));
    expect(exclude()).toBe("*.log\n");
  });

  it.each(["submodule", "linked worktree"])("[V48] hides it in a %s, too", kind => {
    const run = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd, encoding: "utf8" });
    const [library, outer] = [join(root, "library"), join(root, "outer")];
    for (const folder of [library, outer]) {
      mkdirSync(folder);
      run(folder, "init", "-q");
      run(folder, "commit", "-q", "--allow-empty", "-m", "start");
    }
    const top = join(outer, "inner");
    if (kind === "submodule")
      run(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "inner");
    else run(library, "worktree", "add", "-q", top);
    mkdirSync(join(top, ".espalier"));
    writeFileSync(join(top, ".espalier", "espalier.db"), "x");
    writeFileSync(join(top, ".espalier-0123.tmp"), "x");
    expect(run(top, "status", "--porcelain")).toContain(".espalier");
    excludeFromGit(top, join(top, ".espalier"));
    expect(run(top, "status", "--porcelain")).toBe("");
  });

  it("[V48] hides in a folder of another name what is Espalier's, and nothing of others", () => {
    git("init", "-q");
    const state = join(root, "state");
    const own = ["away", "copies/files", "before-20261127T074806Z.2", "rescued", "attempts"];
    const others = ["before-release", "notes"];
    for (const folder of [...own, ...others]) {
      mkdirSync(join(state, folder), { recursive: true });
      writeFileSync(join(state, folder, "x"), "x");
    }
    for (const file of ["hub.json", "phase-after.json", "espalier.db-wal"])
      writeFileSync(join(state, file), "x");
    excludeFromGit(root, state);
    expect(git("status", "--porcelain", "-uall").trim().split("\n")).toEqual(
      others.map(folder => `?? state/${folder}/x`),
    );
  });

  it("[V48] writes into no repository that knows nothing of the place", () => {
    const [theirs, mine] = [join(root, "theirs"), join(root, "mine")];
    mkdirSync(mine);
    execFileSync("git", ["init", "-q", theirs]);
    writeFileSync(join(mine, ".git"), `gitdir: ${join(theirs, ".git")}\n`);
    const list = join(theirs, ".git", "info", "exclude");
    const before = readFileSync(list, "utf8");
    excludeFromGit(mine, join(mine, ".espalier"));
    expect(readFileSync(list, "utf8")).toBe(before);
  });

  it("does nothing outside a repository, where nothing is led to, or where it may not write", () => {
    expect(() => excludeFromGit(root, join(root, ".espalier"))).not.toThrow();
    writeFileSync(join(root, ".git"), "gitdir: /nowhere\n");
    expect(() => excludeFromGit(root, join(root, ".espalier"))).not.toThrow();
    rmSync(join(root, ".git"));
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git", "info"), "a file where a folder should be");
    chmodSync(join(root, ".git"), 0o500);
    expect(() => excludeFromGit(root, join(root, ".espalier"))).not.toThrow();
    chmodSync(join(root, ".git"), 0o700);
  });
});
