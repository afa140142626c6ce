import { describe, expect, it } from "vitest";
import { createGitVcs } from "../../src/adapters/vcs/git/index.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { dyingAt, landAll, must, openGitLab, openTask, openTeam } from "./lab.ts";

describe("work that is given back", () => {
  it.each(
    sampleOf(
      [
        ["before its branch moves", "update-ref", 2, false],
        ["before its files come", "read-tree", 1, false],
        ["before its files come, to be done afresh", "read-tree", 1, true],
      ],
      0,
      2,
    ),
  )("[V43] takes nothing back of what landed when the process dies %s", async (_, kind, nth, afresh) => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n" });
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/a.txt`, "first\n");
    lab.write(`${one.path}/b.txt`, "B\n");
    lab.write(`${two.path}/a.txt`, "second\n");
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    const dying = createGitVcs(dyingAt(await lab.open(), kind, nth));
    expect(await landAll(dying, two, phase, { task: "T1.2", afresh })).toMatchObject({ ok: false });
    const next = await lab.vcs();
    const again = await openTask(lab, next, 2);
    expect(lab.read(`${again.path}/a.txt`).includes("second")).toBe(!afresh);
    const { changed } = must(await next.snapshot(again));
    expect(changed.filter(path => path !== "a.txt")).toEqual([]);
    const landed = must(await landAll(next, again, phase, { task: "T1.2", attempt: "later" }));
    if (landed.kind === "conflict") {
      const given = await openTask(lab, next, 2);
      lab.write(`${given.path}/a.txt`, "first\nsecond\n");
      must(await landAll(next, given, phase, { task: "T1.2" }));
    }
    expect(lab.git("show", "phase/1-x:b.txt")).toBe("B");
    expect(lab.git("show", "phase/1-x:a.txt")).toContain("first");
  });

  itWhole(
    "[V43] is joined with what landed since when its folder is opened again, as long as nobody touched it",
    async () => {
      using lab = openGitLab({ "a.txt": "one\n" });
      const { vcs, phase, one, two } = await openTeam(lab);
      const three = await openTask(lab, vcs, 3);
      lab.write(`${one.path}/a.txt`, "first\n");
      lab.write(`${two.path}/a.txt`, "second\n");
      lab.write(`${three.path}/a.txt`, "third\n");
      must(await landAll(vcs, one, phase, { task: "T1.1" }));
      expect(must(await landAll(vcs, two, phase, { task: "T1.2" })).kind).toBe("conflict");
      expect(must(await landAll(vcs, three, phase, { task: "T1.3" })).kind).toBe("conflict");
      const first = await openTask(lab, vcs, 2);
      lab.write(`${first.path}/a.txt`, "first\nsecond\n");
      expect(must(await landAll(vcs, first, phase, { task: "T1.2" })).kind).toBe("landed");
      const later = await openTask(lab, vcs, 3);
      expect(later.base).toBe(lab.git("rev-parse", "phase/1-x"));
      expect(lab.read(`${later.path}/a.txt`)).toContain("first\nsecond\n=======\nthird\n");
      // It has begun to solve it: what it wrote stays.
      lab.write(`${later.path}/a.txt`, "begun\n");
      const four = await openTask(lab, vcs, 4);
      lab.write(`${four.path}/c.txt`, "c\n");
      must(await landAll(vcs, four, phase, { task: "T1.4" }));
      const touched = await openTask(lab, await lab.vcs(), 3);
      expect(lab.read(`${touched.path}/a.txt`)).toBe("begun\n");
      lab.write(`${touched.path}/a.txt`, "first\nsecond\nthird\n");
      expect(must(await landAll(vcs, touched, phase, { task: "T1.3" })).kind).toBe("landed");
      expect(lab.git("show", "phase/1-x:a.txt")).toBe("first\nsecond\nthird");
      expect(lab.git("show", "phase/1-x:c.txt")).toBe("c");
      must(await vcs.retire({ ...touched, heldBy: ["phase/1-x"], deleteBranch: true }));
      expect(lab.git("for-each-ref", "refs/espalier/given/task/3")).toBe("");
    },
  );
});
