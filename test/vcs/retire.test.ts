import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openTask, openTeam } from "./lab.ts";

describe("what git ignores in a worktree", () => {
  it("[V99] is named where it is new and may be work; products, and what was brought, are not", async () => {
    using lab = openGitLab({ ".gitignore": "lib/\n*.log\n/.env\nnode_modules/\ndist/\n.cache/\n" });
    const { vcs, one, two } = await openTeam(lab);
    expect(must((await vcs.ignored?.(one))!)).toEqual([]);
    const products = [
      "a.log",
      "node_modules/m/lib/x.js",
      "dist/lib/x.js",
      ".cache/lib/x",
      "src/lib/dist/x.js",
    ];
    for (const path of ["src/lib/x y.js", "src/lib/é.js", ".env", "src/a.js", ...products])
      lab.write(`${one.path}/${path}`, "x\n");
    expect(must((await vcs.ignored?.(one))!)).toEqual([".env", "src/lib/x y.js", "src/lib/é.js"]);
    expect(must(await vcs.snapshot(one)).changed).toEqual(["src/a.js"]);
    const bring: Parameters<typeof vcs.open>[0]["bring"] = path => {
      lab.write(`${path}/.env`, "KEY=1\n");
      return { ok: true, value: [".env"] };
    };
    const again = must(await vcs.open({ ...two, from: "phase/1-x", bring }));
    expect(must((await vcs.ignored?.(again))!)).toEqual([]);
    lab.write(".env", "x\n");
    expect(must((await vcs.ignored?.({ ...one, path: lab.root }))!)).toEqual([]);
  });

  it("[V99] is named by its folder where it is many files, and what was told is not named again by anybody", async () => {
    using lab = openGitLab({ ".gitignore": "/data/\n/few/\n*.cfg\nvenv/\n" });
    const { vcs, one } = await openTeam(lab);
    for (let n = 0; n < 21; n++)
      for (const path of [`data/${n}/a.txt`, `venv/${n}.py`]) lab.write(`${one.path}/${path}`, "x\n");
    for (const path of ["few/b.txt", "z.cfg", ":(top)[1]*.cfg"]) lab.write(`${one.path}/${path}`, "x\n");
    const named = must((await vcs.ignored?.(one))!);
    expect(named).toEqual([":(top)[1]*.cfg", "few/b.txt", "z.cfg", "data/"]);
    // As long as nobody was told they are named.
    expect(must((await vcs.ignored?.(one))!)).toEqual(named);
    must((await vcs.noteIgnored?.(one, ["data/", "z.cfg"]))!);
    must((await vcs.noteIgnored?.(one, ["few/b.txt"]))!);
    for (const path of ["data/0/more.txt", "few/c.txt"]) lab.write(`${one.path}/${path}`, "x\n");
    const another = await lab.vcs();
    expect(must((await another.ignored?.(one))!)).toEqual([":(top)[1]*.cfg", "few/c.txt"]);
  });
});

describe("retiring a folder", () => {
  it("removes folder and branch once another branch holds the work", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    for (const folder of [one, two]) {
      lab.write(`${folder.path}/${folder.branch.slice(5)}.txt`, "x\n");
      must(await landAll(vcs, folder, phase));
    }
    for (const folder of [one, two]) {
      const gone = await vcs.retire({ ...folder, heldBy: ["phase/1-x"], deleteBranch: true });
      expect(must(gone)).toEqual({});
      expect(lab.has(folder.path)).toBe(false);
    }
    expect(lab.git("for-each-ref", "--format=%(refname)").split("\n")).toEqual([
      "refs/espalier/base/phase/1-x",
      "refs/heads/main",
      "refs/heads/phase/1-x",
    ]);
    expect(lab.git("worktree", "list").split("\n")).toHaveLength(2);
  });

  it("saves uncommitted, untracked and ignored work before it removes anything", async () => {
    using lab = openGitLab({ "a.txt": "one\n", ".gitignore": "*.log\nnode_modules/\n" });
    const vcs = await lab.vcs();
    const prepare = async (path: string) => {
      lab.write(`${path}/setup.log`, "made by the setup");
      return undefined;
    };
    const task = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD", prepare }));
    lab.write(`${task.path}/a.txt`, "changed\n");
    lab.write(`${task.path}/new.txt`, "untracked\n");
    lab.write(`${task.path}/notes.log`, "ignored but new\n");
    lab.write(`${task.path}/node_modules/x/y.log`, "made again by anybody");
    const gone = must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
    expect(lab.has(task.path)).toBe(false);
    expect(lab.git("show", `${gone.branch}:a.txt`)).toBe("changed");
    expect(lab.git("show", `${gone.branch}:new.txt`)).toBe("untracked");
    expect(lab.read(`${gone.files}/notes.log`)).toBe("ignored but new\n");
    expect(lab.has(`${gone.files}/setup.log`)).toBe(false);
    expect(lab.has(`${gone.files}/node_modules`)).toBe(false);
  });

  it("keeps a branch whose work is nowhere else", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const task = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.write(`${task.path}/new.txt`, "x\n");
    lab.gitIn(task.path, "add", "-A");
    lab.gitIn(task.path, "commit", "-q", "-m", "unmerged");
    const gone = must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
    expect(gone).toEqual({ unmerged: "task/1" });
    expect(lab.git("show", "task/1:new.txt")).toBe("x");
  });

  it("leaves a locked folder alone, and the main checkout", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const task = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.git("worktree", "lock", "--reason", "on a stick", task.path);
    const request = { heldBy: ["main"], deleteBranch: true };
    expect(must(await vcs.retire({ ...task, ...request }))).toEqual({ kept: "locked: on a stick" });
    expect(lab.has(task.path)).toBe(true);
    const main = must(await vcs.retire({ branch: "main", path: lab.root, ...request }));
    expect(main.kept).toBeDefined();
    expect(lab.has("a.txt")).toBe(true);
  });

  it("is content with a folder that is gone already", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const task = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.gitIn("/", "-C", lab.root, "worktree", "remove", "--force", task.path);
    expect(must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }))).toEqual({});
    expect(must(await vcs.branches("main"))).toEqual([]);
  });
});

describe("setting work aside", () => {
  it("moves unlanded work to the task's own branch and leaves the shared folder clean", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = must(
      await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD", claimant: "T1" }),
    );
    lab.write(`${phase.path}/half.txt`, "half\n");
    const again = must(
      await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD", claimant: "T2" }),
    );
    expect(again.claimant).toBe("T1");
    expect(must(await vcs.setAside(again, "task/1"))).toEqual({ branch: "task/1" });
    expect(lab.has(`${phase.path}/half.txt`)).toBe(false);
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
    const own = await openTask(lab, vcs, 1);
    expect(lab.read(`${own.path}/half.txt`)).toBe("half\n");
    expect(must(await vcs.snapshot(own)).changed).toEqual(["half.txt"]);
    expect(must(await vcs.setAside(again, "task/1"))).toEqual({});
  });
});
