import { describe, expect, it } from "vitest";
import { keepLeft } from "../../src/adapters/vcs/git/history/left.ts";
import { createGitVcs } from "../../src/adapters/vcs/git/index.ts";
import { leftShown } from "../../src/text/index.ts";
import { dyingAt, landAll, must, openGitLab, openTask, openTeam } from "./lab.ts";

const OWN = { branch: "task/1", from: "HEAD" };

describe("a worktree that is opened anew", () => {
  it("[V44] stands on its base, also where the agent has committed, moved and staged", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n" });
    const vcs = await lab.vcs();
    const request = { ...OWN, path: lab.place("t1") };
    const first = must(await vcs.open(request));
    lab.gitIn(first.path, "mv", "a.txt", "moved.txt");
    lab.gitIn(first.path, "commit", "-q", "-m", "the agent's own");
    lab.write(`${first.path}/b.txt`, "B\n");
    lab.gitIn(first.path, "rm", "-q", "--cached", "b.txt");
    const again = must(await vcs.open({ ...request, anew: "task/1" }));
    expect(again.base).toBe(first.base);
    expect(lab.gitIn(first.path, "status", "--porcelain")).toBe("");
    expect(lab.gitIn(first.path, "rev-parse", "HEAD")).toBe(first.base);
    const ref = again.left?.kind === "kept" ? again.left.ref : "";
    expect(lab.git("show", `${ref}:b.txt`)).toBe("B");
    expect(lab.git("show", `${ref}:moved.txt`)).toBe("one");
    expect(lab.git("log", "--format=%s", ref)).toContain("the agent's own");
    expect(lab.git("for-each-ref", "--format=%(refname)", "refs/heads/espalier")).toBe("");
  });

  it.each([
    ["all", true],
    ["some", false],
  ])(
    "[V108] shows by the command that is named what was left, also where the agent has committed %s of it",
    async (_, all) => {
      using lab = openGitLab({ "a.txt": "one\n" });
      const vcs = await lab.vcs();
      const request = { ...OWN, path: lab.place("t1") };
      const first = must(await vcs.open(request));
      lab.write(`${first.path}/a.txt`, "spoilt\n");
      lab.gitIn(first.path, "commit", "-q", "-a", "-m", "the agent's own");
      if (!all) lab.write(`${first.path}/half.txt`, "half\n");
      const again = must(await vcs.open({ ...request, anew: "task/1" }));
      const [program, ...shown] = leftShown(again.left?.kind === "kept" ? again.left.ref : "").split(" ");
      expect(program).toBe("git");
      const told = lab.git(...shown);
      expect(told).toContain("-one\n+spoilt");
      expect(told.includes("+half")).toBe(!all);
    },
  );

  it("[V44] keeps what was brought there for it to be fit to work in", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const request = { ...OWN, path: lab.place("t1") };
    const first = must(await vcs.open(request));
    // The lab leaves this path out of every work, as copies of the main checkout are.
    lab.write(`${first.path}/TASKS.md`, "brought\n");
    expect(must(await vcs.open({ ...request, anew: "task/1" })).left).toBeUndefined();
    lab.write(`${first.path}/half.txt`, "half\n");
    expect(must(await vcs.open({ ...request, anew: "task/1" })).left?.kind).toBe("kept");
    expect(lab.read(`${first.path}/TASKS.md`)).toBe("brought\n");
    expect(lab.has(`${first.path}/half.txt`)).toBe(false);
  });

  it("[V45] keeps both sides of a conflict, whatever was done about it", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/a.txt`, "first\n");
    lab.write(`${two.path}/a.txt`, "second\n");
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    expect(must(await landAll(vcs, two, phase, { task: "T1.2" })).kind).toBe("conflict");
    const given = lab.git("rev-parse", "refs/espalier/given/task/2");
    const anew = { branch: "task/2", path: lab.place("t2"), from: "phase/1-x", anew: "task/2" };
    const again = must(await vcs.open(anew));
    expect(again.left).toEqual({ kind: "given" });
    expect(lab.read(`${again.path}/a.txt`)).toContain("<<<<<<<");
    lab.write(`${again.path}/a.txt`, "first\nsecond\n");
    expect(must(await vcs.open(anew)).left).toEqual({ kind: "given" });
    expect(lab.read(`${again.path}/a.txt`)).toBe("first\nsecond\n");
    expect(lab.git("rev-parse", "refs/espalier/given/task/2")).toBe(given);
  });

  it.each([
    ["before anything moves", "update-ref", 1],
    ["before its branch moves", "update-ref", 2],
    ["before its files go", "read-tree", 1],
  ])("[V44] is so also where the process dies %s", async (_, kind, nth) => {
    using lab = openGitLab();
    const { phase, one } = await openTeam(lab);
    lab.write(`${one.path}/a.txt`, "spoilt\n");
    lab.write(`${one.path}/half.txt`, "half\n");
    const dying = createGitVcs(dyingAt(await lab.open(), kind, nth));
    const anew = { branch: "task/1", path: one.path, from: phase.branch, anew: "task/1" };
    expect((await dying.open(anew)).ok).toBe(false);
    const next = await lab.vcs();
    const again = must(await next.open(anew));
    expect(must(await next.snapshot(again)).changed).toEqual([]);
    expect(lab.gitIn(one.path, "status", "--porcelain")).toBe("");
    const refs = lab.git("for-each-ref", "--format=%(refname)", "refs/espalier/left", "refs/heads/espalier");
    expect(refs).toMatch(/^refs\/espalier\/left\/task\/1\/[0-9a-f]{8}$/);
    expect(lab.git("show", `${refs}:half.txt`)).toBe("half");
  });
});

describe("the main checkout", () => {
  const open = (claimant: string) => ({ branch: "main", from: "main", claimant, anew: `task/${claimant}` });

  it("[V46] loses what changed since the work began, and keeps a person's edits and commits", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
    const vcs = await lab.vcs();
    lab.write("b.txt", "a person's\n");
    lab.write("mine.txt", "a person's\n");
    const folder = must(await vcs.open({ ...open("one"), path: lab.root }));
    lab.git("mv", "a.txt", "moved.txt");
    lab.write("b.txt", "a person's\nand the attempt's\n");
    lab.write("half.txt", "half\n");
    lab.write("c.txt", "committed\n");
    lab.git("commit", "-q", "-m", "a person's", "c.txt");
    const { branch = "" } = must(await vcs.setAside(folder, "task/one"));
    expect(lab.git("status", "--porcelain")).toBe(" M b.txt\n?? mine.txt");
    expect([lab.read("a.txt"), lab.read("b.txt"), lab.read("c.txt")]).toEqual([
      "one\n",
      "a person's\n",
      "committed\n",
    ]);
    expect(branch).toMatch(/^refs\/espalier\/left\/task\/one\/[0-9a-f]{8}$/);
    // What is kept is what the attempt has made, and nothing else.
    expect(lab.git("diff", "--name-only", "--no-renames", "HEAD", branch).split("\n")).toEqual([
      "a.txt",
      "b.txt",
      "half.txt",
      "moved.txt",
    ]);
    expect(must(await vcs.setAside(folder, "task/one"))).toEqual({});
    // It is as the attempt found it: what it tried first works again.
    lab.git("mv", "a.txt", "moved.txt");
  });

  it("[V46] commits no edit of a person that stood there before, unless the work has changed that file as well", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" });
    const vcs = await lab.vcs();
    lab.write("b.txt", "a person's\n");
    lab.write("mine.txt", "a person's\n");
    lab.write("d.txt", "a person's\n");
    lab.git("rm", "-q", "c.txt");
    const folder = must(await vcs.open({ ...open("one"), path: lab.root }));
    lab.write("a.txt", "done\n");
    lab.write("d.txt", "a person's\nand the attempt's\n");
    expect(must(await vcs.snapshot(folder)).changed).toEqual(["a.txt", "d.txt"]);
    must(await landAll(vcs, folder, folder, { task: "one" }));
    expect(lab.git("show", "--format=", "--name-only", "HEAD").split("\n")).toEqual(["a.txt", "d.txt"]);
    expect(lab.git("status", "--porcelain")).toBe(" M b.txt\n D c.txt\n?? mine.txt");
    expect([lab.read("b.txt"), lab.read("mine.txt")]).toEqual(["a person's\n", "a person's\n"]);
  });

  it("[V46] loses what a process left that died, to whoever works there next", async () => {
    using lab = openGitLab();
    must(await (await lab.vcs()).open({ ...open("one"), path: lab.root }));
    lab.write("half.txt", "half\n");
    const next = await lab.vcs();
    const folder = must(await next.open({ ...open("two"), path: lab.root }));
    expect(folder.left?.kind).toBe("kept");
    expect(lab.has("half.txt")).toBe(false);
    lab.write("done.txt", "done\n");
    must(await landAll(next, folder, folder, { task: "two" }));
    expect(lab.git("status", "--porcelain")).toBe("");
    expect(lab.git("for-each-ref", "refs/espalier/begun")).toBe("");
    expect(lab.git("show", "--format=", "--name-only", "HEAD")).toBe("done.txt");
  });

  it("[V46] keeps what the same work left where that goes on, and nobody ends what another process has begun", async () => {
    using lab = openGitLab();
    const first = await lab.vcs();
    const old = must(await first.open({ ...open("one"), path: lab.root }));
    lab.write("half.txt", "half\n");
    const next = await lab.vcs();
    const { anew: _, ...goesOn } = open("one");
    expect(must(await next.open({ ...goesOn, path: lab.root })).left).toBeUndefined();
    expect(lab.read("half.txt")).toBe("half\n");
    must(await next.open({ ...open("two"), path: lab.root }));
    lab.write("new.txt", "of two\n");
    expect(must(await first.setAside(old, "task/one"))).toEqual({});
    expect([lab.has("half.txt"), lab.has("new.txt")]).toEqual([false, true]);
  });

  it("[V95] keeps what other projects of the repository have kept when a run begins", async () => {
    using lab = openGitLab();
    const keptBy = async (prefix: string) => {
      const repository = await lab.open();
      const own = { ...repository, facts: { ...repository.facts, prefix }, rescueDir: lab.place(prefix) };
      const tree = lab.git("rev-parse", "HEAD^{tree}").trim();
      const head = lab.git("rev-parse", "HEAD").trim();
      must(await keepLeft(own, "task/1-x/t1-1", tree, head));
      return createGitVcs(own);
    };
    const [top, api, web] = [await keptBy(""), await keptBy("api"), await keptBy("web")];
    const count = () =>
      lab.git("for-each-ref", "--format=%(refname)", "refs/espalier/left").trim().split("\n").length;
    expect(count()).toBe(3);
    must(await top.forgetLeft());
    expect(count()).toBe(2);
    must(await api.forgetLeft());
    must(await api.forgetLeft());
    expect(count()).toBe(1);
    must(await web.forgetLeft());
    expect(lab.git("for-each-ref", "refs/espalier/left")).toBe("");
  });

  it("[V44] lets go of what was kept when another run begins", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const { one } = await openTeam(lab);
    lab.write(`${one.path}/half.txt`, "half\n");
    await openTask(lab, vcs, 1);
    must(await vcs.open({ branch: "task/1", path: one.path, from: "phase/1-x", anew: "task/1" }));
    expect(lab.git("for-each-ref", "refs/espalier/left")).not.toBe("");
    must(await vcs.forgetLeft());
    expect(lab.git("for-each-ref", "refs/espalier/left")).toBe("");
  });
});
