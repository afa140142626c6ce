import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openTeam } from "./lab.ts";

const FILES = { "a.txt": "one\n" };

describe("[V86] a repository that names its objects by SHA-256", () => {
  it("has work landed side by side, a conflict solved, a phase merged and its branches cleared away", async () => {
    using lab = openGitLab(FILES, "sha256");
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(join(one.path, "a.txt"), "of one\n");
    lab.write(join(two.path, "a.txt"), "of two\n");
    expect(must(await landAll(vcs, one, phase, { task: "T1.1" })).kind).toBe("landed");
    expect(must(await landAll(vcs, two, phase, { task: "T1.2" })).kind).toBe("conflict");
    const again = must(await vcs.open({ branch: two.branch, path: two.path, from: phase.branch }));
    expect(must(await vcs.snapshot(again)).unresolved).toEqual(["a.txt"]);
    lab.write(join(two.path, "a.txt"), "of both\n");
    expect(must(await landAll(vcs, again, phase, { task: "T1.2" })).kind).toBe("landed");
    expect(lab.git("show", "phase/1-x:a.txt")).toBe("of both");
    expect(must(await vcs.attemptsIn("phase/1-x")).map(({ task }) => task)).toEqual(["T1.2", "T1.1"]);
    must(await vcs.retire({ ...two, heldBy: [phase.branch], deleteBranch: true }));
    expect(lab.git("branch", "--list", two.branch)).toBe("");
    expect(lab.git("fsck", "--strict")).not.toContain("error");
  });

  it("has a repository without a commit that an attempt made there named", async () => {
    using lab = openGitLab(FILES, "sha256");
    const { vcs, one } = await openTeam(lab);
    const inner = join(one.path, "inner");
    mkdirSync(inner);
    lab.gitIn(inner, "init", "-q");
    lab.write(join(inner, "x.txt"), "x\n");
    expect(await vcs.snapshot(one)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
  });
});
