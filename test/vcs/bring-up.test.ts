import { describe, expect, it } from "vitest";
import { itWhole } from "../sample.ts";
import { landAll, must, openGitLab, openTeam } from "./lab.ts";

describe("a branch that is brought up to its source", () => {
  it("[V60] follows it where it has nothing of its own, else joins it, and its folder with it", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n" });
    const { vcs, phase, one } = await openTeam(lab);
    expect(must(await vcs.bringUp(phase, "main"))).toEqual({ kind: "current" });
    lab.write("b.txt", "B\n");
    const mended = lab.commit("mended");
    const brought = must(await vcs.bringUp(phase, "main"));
    expect(brought).toEqual({ kind: "brought", base: mended });
    expect(lab.read(`${phase.path}/b.txt`)).toBe("B\n");
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
    lab.write(`${one.path}/a.txt`, "first\n");
    const into = { ...phase, base: mended };
    const landed = must(await landAll(vcs, one, into, { task: "T1.1" }));
    expect(landed.kind).toBe("landed");
    lab.write("c.txt", "c\n");
    const more = lab.commit("more");
    const now = { ...phase, base: lab.git("rev-parse", phase.branch) };
    const joined = must(await vcs.bringUp(now, "main"));
    expect(joined.kind).toBe("brought");
    expect(lab.git("log", "-1", "--format=%s%n%P", phase.branch)).toBe(
      `Merge main into ${phase.branch}\n${now.base} ${more}`,
    );
    expect([lab.read(`${phase.path}/a.txt`), lab.read(`${phase.path}/c.txt`)]).toEqual(["first\n", "c\n"]);
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
    expect(must(await vcs.attemptsIn(phase.branch)).map(({ task }) => task)).toEqual(["T1.1"]);
  });

  itWhole("[V60] stays as it is where both changed the same lines, and names them", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, one } = await openTeam(lab);
    lab.write(`${one.path}/a.txt`, "first\n");
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    lab.write("a.txt", "mine\n");
    lab.commit("mine");
    const tip = lab.git("rev-parse", phase.branch);
    const now = { ...phase, base: tip };
    expect(must(await vcs.bringUp(now, "main"))).toEqual({ kind: "conflict", paths: ["a.txt"], base: tip });
    expect(lab.git("rev-parse", phase.branch)).toBe(tip);
    expect(lab.read(`${phase.path}/a.txt`)).toBe("first\n");
  });

  it("[V67] joins lists as a merge does: by their history, or where they are named", async () => {
    using lab = openGitLab({ "CHANGES.md": "start\n", "routes.txt": "a\nb\n" });
    lab.write("CHANGES.md", "start\nmore\n");
    lab.write("routes.txt", "b\n");
    lab.commit("history");
    const { vcs, phase, one } = await openTeam(lab);
    lab.write(`${one.path}/CHANGES.md`, "start\nmore\nof the task\n");
    lab.write(`${one.path}/routes.txt`, "b\ntask\n");
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    const tip = lab.git("rev-parse", phase.branch);
    const now = { ...phase, base: tip };
    lab.write("CHANGES.md", "start\nmore\nmine\n");
    lab.write("routes.txt", "b\nmain\n");
    lab.commit("mine");
    expect(must(await vcs.bringUp(now, "main", () => false))).toEqual({
      kind: "conflict",
      paths: ["routes.txt"],
      base: tip,
    });
    const brought = must(await vcs.bringUp(now, "main", path => path === "routes.txt"));
    expect(brought).toMatchObject({ kind: "brought", lists: ["CHANGES.md", "routes.txt"] });
    expect(lab.read(`${phase.path}/CHANGES.md`)).toBe("start\nmore\nof the task\nmine\n");
    expect(lab.read(`${phase.path}/routes.txt`)).toBe("b\ntask\nmain\n");
    const merged = await vcs.merge({ branch: phase.branch, into: "main", message: "m" });
    expect(must(merged)).toMatchObject({ kind: "merged", already: false });
  });

  it("[V67] claimed work that is to be proved anew is joined in the same way", async () => {
    using lab = openGitLab({ "CHANGES.md": "start\n" });
    lab.write("CHANGES.md", "start\nmore\n");
    lab.commit("history");
    const vcs = await lab.vcs();
    const place = { branch: "phase/1-x", path: lab.place("p1"), from: "main" };
    const phase = must(await vcs.open(place));
    lab.write(`${phase.path}/CHANGES.md`, "start\nmore\nof the task\n");
    const { tree } = must(await vcs.snapshot(phase));
    const by = { task: "T1.1", title: "t", attempt: "a1", verified: false };
    const claim = must(await vcs.noteProved(phase, tree, by));
    lab.write("CHANGES.md", "start\nmore\nmine\n");
    lab.commit("mine");
    const source = { from: "main", holds: "main" };
    expect(must(await vcs.findProved(phase, claim, source))?.base).toBeUndefined();
    const found = must(await vcs.findProved(phase, claim, { ...source, inserts: () => false }));
    expect(found).toMatchObject({ lists: ["CHANGES.md"], snapshot: { changed: ["CHANGES.md"] } });
    expect(lab.read(`${phase.path}/CHANGES.md`)).toBe("start\nmore\nmine\nof the task\n");
  });

  itWhole("[V60] takes along what is open in its folder, where that joins", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, one } = await openTeam(lab);
    lab.write(`${one.path}/b.txt`, "first\n");
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    const now = { ...phase, base: lab.git("rev-parse", phase.branch) };
    lab.write(`${phase.path}/open.txt`, "open\n");
    lab.write(`${phase.path}/b.txt`, "second\n");
    lab.write("a.txt", "mended\n");
    lab.commit("mended");
    const brought = must(await vcs.bringUp(now, "main"));
    expect(brought.kind).toBe("brought");
    const files = ["a.txt", "b.txt", "open.txt"].map(name => lab.read(`${phase.path}/${name}`));
    expect(files).toEqual(["mended\n", "second\n", "open\n"]);
    const base = lab.git("rev-parse", phase.branch);
    const { changed } = must(await vcs.snapshot({ ...phase, base }));
    expect(changed.toSorted()).toEqual(["b.txt", "open.txt"]);
    lab.write("open.txt", "mine\n");
    lab.commit("mine");
    expect(must(await vcs.bringUp({ ...phase, base }, "main"))).toEqual({
      kind: "conflict",
      paths: ["open.txt"],
      base,
    });
    expect(lab.read(`${phase.path}/open.txt`)).toBe("open\n");
  });

  it("[V63] takes what an attempt has committed there for as open as what it left", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase } = await openTeam(lab);
    lab.write(`${phase.path}/wip.txt`, "wip\n");
    lab.gitIn(phase.path, "add", "wip.txt");
    lab.gitIn(phase.path, "commit", "-qm", "wip");
    lab.write(`${phase.path}/open.txt`, "open\n");
    lab.write("a.txt", "mended\n");
    const mended = lab.commit("mended");
    const brought = must(await vcs.bringUp({ ...phase, claimant: "T1.2" }, "main"));
    expect(brought).toEqual({ kind: "brought", base: mended });
    expect(lab.git("rev-parse", phase.branch)).toBe(mended);
    const { changed } = must(await vcs.snapshot({ ...phase, base: mended }));
    expect(changed.toSorted()).toEqual(["open.txt", "wip.txt"]);
  });

  itWhole(
    "[V63] stands on a merge of its source that a person made right on what had landed, and on no other",
    async () => {
      using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n" });
      const { vcs, phase, one } = await openTeam(lab);
      lab.write(`${one.path}/a.txt`, "first\n");
      must(await landAll(vcs, one, phase, { task: "T1.1" }));
      const base = lab.git("rev-parse", phase.branch);
      const now = { ...phase, base, claimant: "T1.2" };
      lab.write("a.txt", "mine\n");
      lab.commit("mine");
      const merge = (files: Readonly<Record<string, string>>) => {
        expect(() => lab.gitIn(phase.path, "merge", "-q", "main")).toThrow("Command failed");
        for (const [name, text] of Object.entries(files)) lab.write(`${phase.path}/${name}`, text);
        lab.gitIn(phase.path, "commit", "-qam", "by hand");
        return lab.git("rev-parse", phase.branch);
      };
      // What an attempt slips into a merge is not what was in conflict.
      merge({ "a.txt": "both\n", "b.txt": "slipped in\n" });
      expect(must(await vcs.bringUp(now, "main"))).toEqual({ kind: "conflict", paths: ["a.txt"], base });
      lab.gitIn(phase.path, "reset", "-q", "--hard", base);
      const byHand = merge({ "a.txt": "both\n" });
      lab.write(`${phase.path}/open.txt`, "open\n");
      expect(must(await vcs.bringUp(now, "main"))).toEqual({ kind: "brought", base: byHand });
      expect(lab.git("rev-parse", phase.branch)).toBe(byHand);
      const files = ["a.txt", "open.txt"].map(name => lab.read(`${phase.path}/${name}`));
      expect(files).toEqual(["both\n", "open\n"]);
      expect(must(await vcs.bringUp({ ...now, base: byHand }, "main"))).toEqual({ kind: "current" });
      lab.write("b.txt", "B\n");
      lab.commit("more");
      expect(must(await vcs.bringUp({ ...now, base: byHand }, "main")).kind).toBe("brought");
      expect(lab.read(`${phase.path}/open.txt`)).toBe("open\n");
    },
  );

  it("[V64] what is set aside leaves nothing on its branch for the next to land with", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, two } = await openTeam(lab);
    lab.write(`${phase.path}/wip.txt`, "wip\n");
    lab.gitIn(phase.path, "add", "wip.txt");
    lab.gitIn(phase.path, "commit", "-qm", "wip");
    lab.write(`${phase.path}/open.txt`, "open\n");
    const { branch = "" } = must(await vcs.setAside(phase, "task/lone"));
    expect(lab.git("ls-tree", "--name-only", branch).split("\n")).toEqual(["a.txt", "open.txt", "wip.txt"]);
    expect(lab.git("rev-parse", phase.branch)).toBe(phase.base);
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
    lab.write(`${two.path}/b.txt`, "second\n");
    must(await landAll(vcs, two, phase, { task: "T1.2" }));
    expect(lab.git("ls-tree", "--name-only", phase.branch).split("\n")).toEqual(["a.txt", "b.txt"]);
  });

  it("[V61] so does work that its agent has committed, as long as nobody has touched it since", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n" });
    const { vcs, phase, two } = await openTeam(lab);
    lab.write(`${two.path}/b.txt`, "second\n");
    lab.gitIn(two.path, "commit", "-qam", "by its agent");
    const { tree } = must(await vcs.snapshot(two));
    const by = { task: "T1.2", title: "two", attempt: "a2", verified: false };
    const commit = must(await vcs.noteProved(two, tree, by));
    lab.write("a.txt", "mended\n");
    const mended = lab.commit("mended");
    must(await vcs.bringUp(phase, "main"));
    const source = { from: phase.branch, holds: "main" };
    lab.write(`${two.path}/b.txt`, "by hand\n");
    expect(must(await vcs.findProved(two, commit, source))?.base).toBeUndefined();
    lab.write(`${two.path}/b.txt`, "second\n");
    const found = must(await vcs.findProved(two, commit, source));
    expect([found?.base, found?.snapshot.changed]).toEqual([mended, ["b.txt"]]);
    expect([lab.read(`${two.path}/a.txt`), lab.read(`${two.path}/b.txt`)]).toEqual(["mended\n", "second\n"]);
    expect(lab.git("rev-parse", two.branch)).toBe(mended);
  });

  it("[V61] work that begins or is proved anew stands on the newest of its source, where it lacks what that came up to", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n" });
    const { vcs, phase, two } = await openTeam(lab);
    lab.write(`${two.path}/b.txt`, "second\n");
    const { tree } = must(await vcs.snapshot(two));
    const by = { task: "T1.2", title: "two", attempt: "a2", verified: false };
    const commit = must(await vcs.noteProved(two, tree, by));
    const source = { from: phase.branch, holds: "main" };
    expect(must(await vcs.findProved(two, commit, source))?.base).toBeUndefined();
    lab.write("a.txt", "mended\n");
    const mended = lab.commit("mended");
    // Its source has not come up to that yet.
    expect(must(await vcs.findProved(two, commit, source))?.base).toBeUndefined();
    must(await vcs.bringUp(phase, "main"));
    expect(must(await vcs.findProved(two, commit))?.base).toBeUndefined();
    const found = must(await vcs.findProved(two, commit, source));
    expect([found?.base, found?.snapshot.changed]).toEqual([mended, ["b.txt"]]);
    expect([lab.read(`${two.path}/a.txt`), lab.read(`${two.path}/b.txt`)]).toEqual(["mended\n", "second\n"]);
    // It may be ended once more, and stands there by then.
    const moved = { ...two, base: mended };
    expect(must(await vcs.findProved(moved, commit, source))?.snapshot).toEqual(found?.snapshot);
    expect(must(await vcs.findProved(moved, commit))).toBeUndefined();
    lab.write("b.txt", "main\n");
    const newer = lab.commit("newer");
    must(await vcs.bringUp({ ...phase, base: mended }, "main"));
    // They do not join.
    expect(
      must(await vcs.findProved({ ...two, base: mended }, commit, source))?.snapshot.changed,
    ).toBeUndefined();
    const request = { branch: two.branch, path: two.path, ...source, anew: two.branch };
    const again = must(await vcs.open(request));
    expect([again.base, again.left?.kind]).toEqual([newer, "kept"]);
    expect([lab.read(`${two.path}/a.txt`), lab.read(`${two.path}/b.txt`)]).toEqual(["mended\n", "main\n"]);
    expect(lab.gitIn(two.path, "status", "--porcelain")).toBe("");
  });
});
