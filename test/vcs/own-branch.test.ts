import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../sample.ts";
import { landAll, must, openGitLab, openPhase, openTask, openTeam, whyOf } from "./lab.ts";

describe("a branch of ours that an agent deleted or rewrote", () => {
  it("is put back to what has landed on it when its folder is opened again", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/done.txt`, "landed\n");
    must(await landAll(vcs, phase, phase));
    const landed = lab.git("rev-parse", "phase/1-x");
    const again = await openPhase(lab, vcs);
    lab.git("update-ref", "-d", "refs/heads/phase/1-x");
    expect(await vcs.snapshot(again)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    const back = await openPhase(lab, vcs);
    expect(back.base).toBe(landed);
    expect(lab.git("rev-parse", "phase/1-x")).toBe(landed);
    expect(must(await vcs.snapshot(back)).changed).toEqual([]);
  });

  it("loses nothing of the history that was put in place of it, and the next attempt can land", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/mine.txt`, "mine\n");
    lab.gitIn(phase.path, "add", "mine.txt");
    lab.gitIn(phase.path, "commit", "-q", "--amend", "-m", "rewritten");
    const rewritten = lab.git("rev-parse", "phase/1-x");
    expect(await vcs.snapshot(phase)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    const again = await openPhase(lab, vcs);
    expect(again.rescued).toBe(`espalier/rescue/phase-1-x-${rewritten.slice(0, 8)}`);
    expect(lab.git("rev-parse", again.rescued ?? "")).toBe(rewritten);
    expect(lab.read(`${phase.path}/mine.txt`)).toBe("mine\n");
    expect(must(await landAll(vcs, again, again)).kind).toBe("landed");
    expect(lab.git("show", "phase/1-x:mine.txt")).toBe("mine");
    expect((await openPhase(lab, vcs)).rescued).toBeUndefined();
  });

  it.each(["deleted", "moved to an older commit"])(
    "is whole again before other work lands on it: %s",
    async how => {
      using lab = openGitLab();
      const { vcs, phase, one, two } = await openTeam(lab);
      lab.write(`${one.path}/one.txt`, "1\n");
      must(await landAll(vcs, one, phase, { attempt: "first" }));
      if (how === "deleted") lab.git("update-ref", "-d", "refs/heads/phase/1-x");
      else lab.git("update-ref", "refs/heads/phase/1-x", "main");
      lab.write(`${two.path}/two.txt`, "2\n");
      must(await landAll(vcs, two, phase, { attempt: "second" }));
      expect(lab.git("ls-tree", "--name-only", "phase/1-x").split("\n")).toEqual([
        "a.txt",
        "one.txt",
        "two.txt",
      ]);
      lab.git("update-ref", "-d", "refs/heads/phase/1-x");
      must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
      expect([lab.read("one.txt"), lab.read("two.txt")]).toEqual(["1\n", "2\n"]);
      expect(must(await vcs.attemptsIn("main"))).toHaveLength(2);
    },
  );

  it("that was merged and deleted by a person begins anew at the target", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "b\n");
    must(await landAll(vcs, phase, phase));
    lab.git("merge", "-q", "--no-ff", "-m", "by hand", "phase/1-x");
    rmSync(phase.path, { recursive: true });
    lab.git("worktree", "prune");
    lab.git("branch", "-q", "-D", "phase/1-x");
    const again = await openPhase(lab, vcs);
    expect(again.base).toBe(lab.git("rev-parse", "main"));
  });
});

describe("a branch of ours whose note was deleted", () => {
  it.each(sampleOf(["rebase", "merge"] as const, 0))(
    "is known by its folder, with all that landed on it: %s",
    async how => {
      using lab = openGitLab();
      const { vcs, phase, one, two } = await openTeam(lab);
      lab.write(`${one.path}/one.txt`, "1\n");
      must(await landAll(vcs, one, phase, { attempt: "first", how }));
      lab.write(`${two.path}/two.txt`, "2\n");
      must(await landAll(vcs, two, phase, { attempt: "second", how }));
      const landed = lab.git("rev-parse", "phase/1-x");
      lab.write(`${phase.path}/stray.txt`, "an agent's\n");
      lab.gitIn(phase.path, "add", "stray.txt");
      lab.gitIn(phase.path, "commit", "-q", "-m", "by itself");
      lab.git("update-ref", "-d", "refs/espalier/base/phase/1-x");
      expect(must(await vcs.branches("main"))).toContainEqual({ branch: "phase/1-x", held: false });
      const again = await openPhase(lab, vcs);
      expect(again.base).toBe(landed);
      expect(must(await vcs.snapshot(again)).changed).toEqual(["stray.txt"]);
      must(await landAll(vcs, again, again, { attempt: "third" }));
      must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
      expect(
        must(await vcs.attemptsIn("main"))
          .map(({ attempt }) => attempt)
          .sort(),
      ).toEqual(["first", "second", "third"]);
    },
  );

  it("keeps the work of a task that has not landed", async () => {
    using lab = openGitLab();
    const { vcs, phase, one } = await openTeam(lab);
    lab.write(`${one.path}/one.txt`, "1\n");
    lab.gitIn(one.path, "add", "one.txt");
    lab.gitIn(one.path, "commit", "-q", "-m", "by itself");
    lab.git("update-ref", "-d", `refs/espalier/base/${one.branch}`);
    const again = await openTask(lab, vcs, 1);
    expect(must(await vcs.snapshot(again)).changed).toEqual(["one.txt"]);
    must(await landAll(vcs, again, phase));
    expect(lab.git("show", "phase/1-x:one.txt")).toBe("1");
  });

  it("is not ours where a person or an agent began another one in its folder", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.gitIn(phase.path, "switch", "-q", "-c", "mine");
    expect(must(await vcs.branches("main"))).toEqual([{ branch: "phase/1-x", held: true }]);
  });

  it("is nobody's of ours where a person made it", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    lab.git("worktree", "add", "-q", "-b", "phase/1-x", lab.place("phase"));
    const opened = await vcs.open({ branch: "phase/1-x", path: lab.place("phase"), from: "main" });
    expect(opened).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    expect(must(await vcs.branches("main"))).toEqual([]);
  });
});

describe("what an agent removed", () => {
  it("is told as its doing where it is its worktree", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    rmSync(task.path, { recursive: true });
    const strayed = await vcs.snapshot(task);
    expect(strayed).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    expect(must(await vcs.snapshot(await openTask(lab, vcs, 1))).changed).toEqual([]);
  });

  it("is named where it is the target", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    lab.git("update-ref", "-d", "refs/heads/main");
    const failed = await vcs.branches("main");
    expect(whyOf(failed)).toContain("there is no branch main");
  });
});

describe("a name that another branch stands in the way of", () => {
  it.each([
    ["phase", "phase/1-x"],
    ["phase/1-x/y", "phase/1-x"],
  ])("%s and %s", async (there, wanted) => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    lab.git("branch", there);
    const refused = await vcs.open({ branch: wanted, path: lab.place("p1"), from: "HEAD" });
    expect(refused).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    expect(whyOf(refused)).toContain(`branch ${there} stands in the way`);
    expect(lab.has(lab.place("p1"))).toBe(false);
  });
});
