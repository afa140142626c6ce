import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fail, ok } from "../../src/ports/index.ts";
import { saidBy } from "../reasons.ts";
import { landAll, must, openGitLab } from "./lab.ts";

describe("opening folders", () => {
  it("makes forty at once from one queue", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const all = Array.from({ length: 40 }, (_, n) => n);
    const opened = await Promise.all(
      all.map(n => vcs.open({ branch: `task/${n}`, path: lab.place(`t${n}`), from: "HEAD" })),
    );
    expect(opened.filter(one => !one.ok)).toEqual([]);
    expect(lab.git("worktree", "list").split("\n")).toHaveLength(41);
  }, 30_000);

  it("prepares a new one once, and again after that failed", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    let calls = 0;
    const prepare = async () => (++calls === 1 ? saidBy("command", "no disk") : undefined);
    const request = { branch: "task/1", path: lab.place("t1"), from: "HEAD", prepare };
    expect(await vcs.open(request)).toEqual({
      ok: false,
      failure: { kind: "unprepared", reason: saidBy("command", "no disk") },
    });
    must(await vcs.open(request));
    must(await vcs.open(request));
    expect(calls).toBe(2);
  });

  it("[V62] prepares again what was made fit by something else", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const calls: string[] = [];
    const open = async (by: string) => {
      const prepare = async () => {
        calls.push(by);
        return undefined;
      };
      const made = by === "" ? {} : { prepare, preparedBy: by };
      must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD", ...made }));
    };
    for (const by of ["", "one", "one", "two", "two", "", "two"]) await open(by);
    expect(calls).toEqual(["one", "two"]);
  });

  it("takes nothing for its own that it did not make", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    lab.git("branch", "task/1");
    const branch = await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" });
    expect(branch).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    mkdirSync(lab.place("t2"));
    const folder = await vcs.open({ branch: "task/2", path: lab.place("t2"), from: "HEAD" });
    expect(folder).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    symlinkSync(lab.root, lab.place("link"));
    const link = await vcs.open({ branch: "task/3", path: lab.place("link/t3"), from: "HEAD" });
    expect(link).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    must(await vcs.open({ branch: "task/4", path: lab.place("t4"), from: "HEAD" }));
    const twice = await vcs.open({ branch: "task/4", path: lab.place("t5"), from: "HEAD" });
    expect(twice).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    expect(lab.has(lab.place("t5"))).toBe(false);
  });

  it("[V59] moves a worktree aside whose repository is gone, whole, as often as there is one", async () => {
    using lab = openGitLab();
    const request = { branch: "task/1", path: lab.place("t1"), from: "HEAD" };
    const { branch } = request;
    for (const [n, aside] of [lab.place("t1.aside"), lab.place("t1.aside-2")].entries()) {
      must(await (await lab.vcs()).open(request));
      lab.write(`${request.path}/mine.txt`, `mine ${n}\n`);
      rmSync(join(lab.root, ".git"), { recursive: true });
      lab.git("init", "-q", "-b", "main");
      lab.commit("cloned again");
      expect(must(await (await lab.vcs()).open(request))).toMatchObject({ branch, aside });
      expect(lab.read(`${aside}/mine.txt`)).toBe(`mine ${n}\n`);
      expect(lab.has(`${request.path}/mine.txt`)).toBe(false);
    }
    expect(must(await (await lab.vcs()).open(request)).aside).toBeUndefined();
  });

  it.each([
    ["a repository has a record of", "../elsewhere/.git/worktrees/t1"],
    ["belongs to a submodule", "../elsewhere/.git/modules/gone"],
    ["names a repository of its own", "../gone/.git"],
  ])("[V59] leaves a folder where it is that %s", async (_, record) => {
    using lab = openGitLab();
    lab.write(`${lab.place("elsewhere")}/.git/worktrees/t1/gitdir`, `${lab.place("t1")}/.git\n`);
    lab.write(`${lab.place("t1")}/.git`, `gitdir: ${record}\n`);
    const opened = await (await lab.vcs()).open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" });
    expect(opened).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    expect(lab.has(lab.place("t1.aside"))).toBe(false);
  });

  it("makes one again that somebody removed, and puts back a branch the agent left", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const request = { branch: "task/1", path: lab.place("t1"), from: "HEAD" };
    const first = must(await vcs.open(request));
    rmSync(first.path, { recursive: true });
    const again = must(await vcs.open(request));
    expect(lab.read(`${again.path}/a.txt`)).toBe("one\n");
    lab.gitIn(again.path, "checkout", "-q", "-b", "other");
    lab.write(`${again.path}/kept.txt`, "kept\n");
    const back = must(await vcs.open(request));
    expect(lab.gitIn(back.path, "branch", "--show-current")).toBe("task/1");
    expect(must(await vcs.snapshot(back)).changed).toEqual(["kept.txt"]);
  });

  it("says so when the place where a branch should begin is not there", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    expect(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "nowhere" })).toMatchObject({
      ok: false,
    });
    expect(lab.has(lab.place("t1"))).toBe(false);
  });

  it("names paths that hold anything: newlines, quotes, dashes, other scripts", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    const names = ["-dash", "a\nb", 'a"b', "나무", "x".repeat(255), "sp ace", ":(top)x"];
    for (const name of names) lab.write(`${own.path}/${name}`, name);
    expect(must(await vcs.snapshot(own)).changed.toSorted()).toEqual(names.toSorted());
    const phase = must(await vcs.open({ branch: "phase/1", path: lab.place("p1"), from: "HEAD" }));
    must(await landAll(vcs, own, phase));
    for (const name of names) expect(lab.read(`${phase.path}/${name}`)).toBe(name);
  });

  it("puts a folder back to a snapshot, and leaves ignored files alone", async () => {
    using lab = openGitLab({ "a.txt": "one\n", ".gitignore": "*.log\n" });
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.write(`${own.path}/work.txt`, "work\n");
    const { tree } = must(await vcs.snapshot(own));
    lab.write(`${own.path}/deep/report.txt`, "made by a check\n");
    lab.write(`${own.path}/a.txt`, "spoilt\n");
    lab.write(`${own.path}/x.log`, "log\n");
    rmSync(`${own.path}/work.txt`);
    must(await vcs.restore(own, tree));
    expect(lab.read(`${own.path}/a.txt`)).toBe("one\n");
    expect(lab.read(`${own.path}/work.txt`)).toBe("work\n");
    expect(lab.has(`${own.path}/deep`)).toBe(false);
    expect(lab.read(`${own.path}/x.log`)).toBe("log\n");
  });

  it("[V66] puts a folder back with what was brought there, which git need not ignore", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    lab.git("rm", "-q", "--cached", "--ignore-unmatch", "TASKS.md");
    const vcs = await lab.vcs();
    const bring = (path: string) => {
      if (!lab.has(`${path}/TASKS.md/file`)) lab.write(`${path}/TASKS.md/file`, "brought\n");
      return ok(["TASKS.md/file"]);
    };
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD", bring }));
    lab.write(`${own.path}/work.txt`, "work\n");
    const { tree, changed } = must(await vcs.snapshot(own));
    lab.write(`${own.path}/report.txt`, "made by a check\n");
    must(await vcs.restore(own, tree));
    expect(changed).toEqual(["work.txt"]);
    expect(lab.read(`${own.path}/TASKS.md/file`)).toBe("brought\n");
    expect(lab.has(`${own.path}/report.txt`)).toBe(false);
    expect(must(await vcs.snapshot(own)).tree).toBe(tree);
    must(await vcs.restore(own, tree));
    expect(lab.gitIn(own.path, "status", "--porcelain")).toBe("A  work.txt\n?? TASKS.md/");
  });

  it("[V65] brings again whenever it opens, and what is brought is no file that came while somebody worked", async () => {
    using lab = openGitLab({ "a.txt": "one\n", ".gitignore": ".env\nkept\n" });
    const vcs = await lab.vcs();
    let text = "one";
    const bring = (path: string, notes: string) => {
      lab.write(notes, text);
      lab.write(`${path}/.env`, text);
      return ok([".env"]);
    };
    const place = { branch: "task/1", path: lab.place("t1") };
    const own = must(await vcs.open({ ...place, from: "HEAD", bring }));
    lab.write(`${own.path}/kept`, "made by the work\n");
    text = "another";
    must(await vcs.open({ ...place, from: "HEAD", bring }));
    expect(lab.read(`${own.path}/.env`)).toBe("another");
    const gone = must(await vcs.retire({ ...place, heldBy: ["main"], deleteBranch: true }));
    expect(readdirSync(gone.files ?? "")).toEqual(["kept"]);
  });

  it("[V65] is not open where something could not be brought", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const bring = () => fail(saidBy("system", "no room"));
    expect(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD", bring })).toEqual({
      ok: false,
      failure: { kind: "unprepared", reason: saidBy("system", "no room") },
    });
  });
});
