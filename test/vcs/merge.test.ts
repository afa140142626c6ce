import { describe, expect, it } from "vitest";
import { because, few } from "../../src/ports/index.ts";
import { landAll, must, openGitLab, openPhase, whyOf } from "./lab.ts";

describe("merging a phase", () => {
  it("joins with a merge commit and moves the main checkout, leaving a person's changes alone", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "mine.txt": "mine\n" });
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/a.txt`, "two\n");
    must(await landAll(vcs, phase, phase));
    lab.write("mine.txt", "changed by a person\n");
    lab.write("staged.txt", "staged by a person\n");
    lab.git("add", "staged.txt");
    const merged = must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "Merge phase 1" }));
    if (merged.kind !== "merged") throw new Error(merged.kind);
    expect(lab.git("rev-parse", "main")).toBe(merged.commit);
    expect(lab.git("log", "-1", "--format=%s %P", "main").split(" ")).toHaveLength(5);
    expect(lab.read("a.txt")).toBe("two\n");
    expect(lab.read("mine.txt")).toBe("changed by a person\n");
    expect(lab.git("status", "--porcelain").split("\n")).toEqual([" M mine.txt", "A  staged.txt"]);
    const again = must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "Merge phase 1" }));
    expect(again).toEqual({ kind: "merged", commit: merged.commit, already: true });
  });

  it("refuses where it would overwrite what a person changed, and changes nothing", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/a.txt`, "two\n");
    lab.write(`${phase.path}/b.txt`, "new\n");
    must(await landAll(vcs, phase, phase));
    const before = lab.git("rev-parse", "main");
    lab.write("a.txt", "a person's\n");
    const refused = await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" });
    expect(refused).toMatchObject({
      ok: false,
      failure: { kind: "failed", reason: because("checkout-has-changes", { paths: few(["a.txt"]) }) },
    });
    lab.git("add", "a.txt");
    lab.write("a.txt", "one\n");
    expect(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" })).toEqual(refused);
    lab.git("checkout", "-q", "HEAD", "--", "a.txt");
    lab.write("a.txt", "a person's\n");
    expect(lab.git("rev-parse", "main")).toBe(before);
    expect(lab.read("a.txt")).toBe("a person's\n");
    expect(lab.has("b.txt")).toBe(false);
  });

  it("takes what a person has staged already for what it brings", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/a.txt`, "two\n");
    must(await landAll(vcs, phase, phase));
    lab.write("a.txt", "two\n");
    lab.git("add", "a.txt");
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("never writes over ignored files of a person's checkout, nor over a folder of them", async () => {
    using lab = openGitLab({ "a.txt": "one\n", ".gitignore": "data/\n*.log\n" });
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write("data/big", "all there is\n");
    lab.write("x.log", "mine\n");
    for (const [name, text] of [
      ["data", "a file now\n"],
      ["x.log", "tracked now\n"],
    ] as const) {
      lab.write(`${phase.path}/${name}`, text);
      lab.gitIn(phase.path, "add", "-f", name);
      const now = await openPhase(lab, vcs);
      must(await landAll(vcs, now, now, { attempt: name }));
      lab.gitIn(phase.path, "rm", "-q", "--cached", "--ignore-unmatch", name);
    }
    const refused = await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" });
    expect(refused.ok).toBe(false);
    expect(lab.read("data/big")).toBe("all there is\n");
    expect(lab.read("x.log")).toBe("mine\n");
  });

  it("reports a conflict with the target", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/a.txt`, "two\n");
    must(await landAll(vcs, phase, phase));
    lab.write("a.txt", "three\n");
    const before = lab.commit("meanwhile");
    const merged = must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(merged).toMatchObject({ kind: "conflict", files: [{ path: "a.txt" }] });
    expect(lab.git("rev-parse", "main")).toBe(before);
  });

  it("[V58] joins what both appended to a list, and nothing else", async () => {
    using lab = openGitLab({ "list.md": "- one\n", "a.txt": "a\n" });
    lab.write("list.md", "- one\n- two\n");
    lab.commit("grows");
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/list.md`, "- one\n- two\n- theirs\n");
    lab.write(`${phase.path}/a.txt`, "a\ntheirs\n");
    must(await landAll(vcs, phase, phase));
    lab.write("list.md", "- one\n- two\n- ours\n");
    lab.commit("meanwhile");
    const request = { branch: "phase/1-x", into: "main", message: "m" };
    expect(must(await vcs.merge(request))).toMatchObject({ kind: "conflict", files: [{ path: "list.md" }] });
    expect(must(await vcs.merge({ ...request, inserts: () => false }))).toMatchObject({
      kind: "merged",
      joined: ["list.md"],
    });
    expect(lab.read("list.md")).toBe("- one\n- two\n- ours\n- theirs\n");
    expect(lab.read("a.txt")).toBe("a\ntheirs\n");
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("[V58] leaves a file that is no list by its history or the settings in conflict", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    lab.write("a.txt", "two\n");
    lab.commit("rewritten");
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/a.txt`, "two\ntheirs\n");
    must(await landAll(vcs, phase, phase));
    lab.write("a.txt", "two\nours\n");
    lab.commit("meanwhile");
    const request = { branch: "phase/1-x", into: "main", message: "m" };
    const refused = must(await vcs.merge({ ...request, inserts: () => false }));
    expect(refused).toMatchObject({ kind: "conflict", files: [{ path: "a.txt" }] });
    const named = must(await vcs.merge({ ...request, inserts: path => path === "a.txt" }));
    expect(named).toMatchObject({ kind: "merged", joined: ["a.txt"] });
    expect(lab.read("a.txt")).toBe("two\nours\ntheirs\n");
  });

  it("moves only the branch when it is checked out nowhere", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "new\n");
    must(await landAll(vcs, phase, phase));
    lab.git("switch", "-q", "-c", "elsewhere");
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(lab.has("b.txt")).toBe(false);
    expect(lab.git("show", "main:b.txt")).toBe("new");
    lab.git("worktree", "add", "-q", lab.place("other"), "main");
    lab.write(`${phase.path}/c.txt`, "new\n");
    const now = await openPhase(lab, vcs);
    must(await landAll(vcs, now, now));
    expect(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" })).toMatchObject({ ok: false });
  });

  it("tells which of its branches the target holds", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const one = await openPhase(lab, vcs);
    must(await vcs.open({ branch: "phase/2-x", path: lab.place("p2"), from: "HEAD" }));
    lab.git("branch", "somebody");
    lab.write(`${one.path}/b.txt`, "new\n");
    must(await landAll(vcs, one, one));
    const standing = must(await vcs.branches("main"));
    expect(standing.toSorted((a, b) => a.branch.localeCompare(b.branch))).toEqual([
      { branch: "phase/1-x", held: false },
      { branch: "phase/2-x", held: true },
    ]);
  });

  it("[V89] says why it cannot be joined with a branch whose first commit was amended, and what helps", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "b\n");
    must(await landAll(vcs, phase, phase));
    lab.git("commit", "-q", "--amend", "-m", "begun anew");
    const request = { branch: "phase/1-x", into: "main", message: "Merge phase 1" };
    const refused = await vcs.merge(request);
    if (refused.ok) throw new Error(refused.value.kind);
    const message = whyOf(refused);
    expect(message).toContain("have no commit in common: the first one was made anew since");
    const [command = ""] = /git merge --allow-unrelated-histories -s ours [0-9a-f]+/.exec(message) ?? [];
    lab.git(...command.split(" ").slice(1));
    expect(must(await vcs.merge(request)).kind).toBe("merged");
    expect(lab.git("ls-tree", "--name-only", "main")).toBe("a.txt\nb.txt");
    expect(lab.git("status", "--porcelain")).toBe("");
  });
});
