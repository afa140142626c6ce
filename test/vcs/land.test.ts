import { describe, expect, it } from "vitest";
import { createSeal } from "../../src/adapters/store/index.ts";
import { createGitVcs } from "../../src/adapters/vcs/git/index.ts";
import { agentSaid } from "../reasons.ts";
import { sampleOf } from "../sample.ts";
import { landAll, must, openGitLab, openPhase, openTask, openTeam } from "./lab.ts";

describe("landing", () => {
  it("brings a lone task's work onto its branch as one commit with trailers", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "TASKS.md": "- [ ] T1.1\n" });
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/new.txt`, "new\n");
    lab.write(`${phase.path}/TASKS.md`, "- [x] T1.1\n");
    lab.gitIn(phase.path, "add", "-A");
    lab.gitIn(phase.path, "commit", "-q", "-m", "the agent's own");
    lab.write(`${phase.path}/later.txt`, "later\n");
    const landed = must(await landAll(vcs, phase, phase, { attempt: "abc" }));
    expect(landed.kind).toBe("landed");
    expect(lab.git("log", "--format=%s", "main..phase/1-x")).toBe("T1.1: title of T1.1");
    expect(lab.git("log", "-1", "--format=%b", "phase/1-x").split("\n").slice(0, 3)).toEqual([
      "Espalier-Task: T1.1",
      "Espalier-Attempt: abc",
      "Espalier-Verified: true",
    ]);
    expect(lab.git("show", "--name-only", "--format=", "phase/1-x").split("\n")).toEqual([
      "later.txt",
      "new.txt",
    ]);
    expect(must(await vcs.attemptsIn("phase/1-x"))).toMatchObject([
      { task: "T1.1", attempt: "abc", verified: true },
    ]);
  });

  it("[V35] proves an attempt by a commit under our seal, of that very tree, task and proof, and by no other", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { of: seal } = createSeal(new Uint8Array(32));
    const vcs = createGitVcs({ ...(await lab.open()), seal });
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/new.txt`, "new\n");
    must(await landAll(vcs, phase, phase, { attempt: "abc" }));
    const words = lab.git("log", "-1", "--format=%B", "phase/1-x");
    expect(words).toMatch(/^Espalier-Seal: [\w-]{22}$/m);
    const forged = [
      words.replace(/^Espalier-Seal: .*$/m, ""),
      words.replace("Espalier-Task: T1.1", "Espalier-Task: T1.2"),
      words.replace("Espalier-Attempt: abc", "Espalier-Attempt: abd"),
      words.replace("Espalier-Verified: true", "Espalier-Verified: false"),
    ];
    for (const message of forged) lab.gitIn(phase.path, "commit", "-q", "--allow-empty", "-m", message);
    // All of it as it was, over another tree.
    lab.write(`${phase.path}/more.txt`, "more\n");
    lab.gitIn(phase.path, "add", "-A");
    lab.gitIn(phase.path, "commit", "-q", "-m", words);
    const proved = must(await vcs.attemptsIn("phase/1-x"));
    expect(proved).toMatchObject([{ task: "T1.1", attempt: "abc", verified: true }]);
    expect(lab.git("log", "-1", "--format=%s %T", proved[0]!.commit)).toContain("T1.1: title of T1.1");
    const elsewhere = { ...(await lab.open()), seal: createSeal(new Uint8Array(32).fill(1)).of };
    expect(must(await createGitVcs(elsewhere).attemptsIn("phase/1-x"))).toEqual([]);
  });

  it("joins the work of two tasks that worked at once and proves it again", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/one.txt`, "1\n");
    lab.write(`${two.path}/two.txt`, "2\n");
    const proved: string[] = [];
    const verify = async (path: string) => {
      proved.push(`${lab.has(`${path}/one.txt`)} ${lab.has(`${path}/two.txt`)}`);
      lab.write(`${path}/left-by-the-check.txt`, "x");
      return undefined;
    };
    expect(must(await landAll(vcs, one, phase, { verify })).kind).toBe("landed");
    expect(proved).toEqual([]);
    expect(must(await landAll(vcs, two, phase, { verify, task: "T1.2" })).kind).toBe("landed");
    expect(proved).toEqual(["true true"]);
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
    expect(lab.git("ls-tree", "--name-only", "phase/1-x").split("\n")).toEqual([
      "a.txt",
      "one.txt",
      "two.txt",
    ]);
    expect(lab.git("rev-list", "--merges", "phase/1-x")).toBe("");
  });

  it("reports a conflict with both sides and gives the task's folder the joined files", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/a.txt`, "first\n");
    lab.write(`${two.path}/a.txt`, "second\n");
    lab.write(`${two.path}/b.txt`, "kept\n");
    must(await landAll(vcs, one, phase));
    const conflict = must(await landAll(vcs, two, phase, { task: "T1.2" }));
    if (conflict.kind !== "conflict") throw new Error(conflict.kind);
    expect(conflict.files).toMatchObject([{ path: "a.txt", others: ["T1.1"] }]);
    expect(conflict.files[0]?.sides).toContain("first");
    expect(conflict.files[0]?.sides).toContain("second");
    const again = await openTask(lab, vcs, 2);
    expect(lab.read(`${again.path}/a.txt`)).toContain("<<<<<<< ");
    expect(must(await vcs.snapshot(again))).toMatchObject({
      changed: ["a.txt", "b.txt"],
      unresolved: ["a.txt"],
    });
    lab.write(`${again.path}/a.txt`, "both\n");
    expect(must(await vcs.snapshot(again)).unresolved).toEqual([]);
    expect(must(await landAll(vcs, again, phase, { task: "T1.2" })).kind).toBe("landed");
    expect(lab.read(`${phase.path}/a.txt`)).toBe("both\n");
    expect(lab.read(`${phase.path}/b.txt`)).toBe("kept\n");
  });

  const BOTH = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> side\n";

  it.each(
    sampleOf(
      [
        ["left open", []],
        ["committed", ["commit", "-qam", "merged"]],
      ] as const,
      1,
    ),
  )("[V68] finds git's own marks in what a merge of an attempt has %s", async (_, then) => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "one\n" });
    const { vcs, one } = await openTeam(lab);
    lab.gitIn(one.path, "branch", "side");
    lab.write(`${one.path}/a.txt`, "mine\n");
    lab.gitIn(one.path, "commit", "-qam", "mine");
    const mine = lab.gitIn(one.path, "rev-parse", "HEAD");
    lab.gitIn(one.path, "checkout", "-q", "--detach", "side");
    lab.write(`${one.path}/a.txt`, "theirs\n");
    lab.gitIn(one.path, "commit", "-qam", "theirs");
    lab.gitIn(one.path, "branch", "-f", "side");
    lab.gitIn(one.path, "checkout", "-q", one.branch);
    expect(lab.gitIn(one.path, "rev-parse", "HEAD")).toBe(mine);
    expect(() => lab.gitIn(one.path, "merge", "-q", "side")).toThrow("merge");
    expect(lab.read(`${one.path}/a.txt`)).toBe(BOTH);
    if (then.length > 0) lab.gitIn(one.path, ...then);
    expect(must(await vcs.snapshot(one)).unresolved).toEqual(["a.txt"]);
    lab.write(`${one.path}/a.txt`, "both\n");
    expect(must(await vcs.snapshot(one)).unresolved).toEqual([]);
  });

  it("[V68] leaves marks alone that no join has made, and those that stood there before", async () => {
    using lab = openGitLab({ "guide.md": `# Conflicts\n\n${BOTH}`, "a.txt": "one\n" });
    const { vcs, one } = await openTeam(lab);
    lab.gitIn(one.path, "branch", "side");
    lab.gitIn(one.path, "commit", "-q", "--allow-empty", "-m", "mine");
    lab.gitIn(one.path, "checkout", "-q", "--detach", "side");
    lab.gitIn(one.path, "commit", "-q", "--allow-empty", "-m", "theirs");
    lab.gitIn(one.path, "branch", "-f", "side");
    lab.gitIn(one.path, "checkout", "-q", one.branch);
    lab.write(`${one.path}/sample.txt`, BOTH);
    lab.write(`${one.path}/heading.md`, "<<<<<<< HEAD\n========\n>>>>>>> side\n");
    expect(must(await vcs.snapshot(one)).unresolved).toEqual([]);
    lab.gitIn(one.path, "merge", "-q", "--no-edit", "side");
    lab.write(`${one.path}/guide.md`, `# All conflicts\n\n${BOTH}`);
    // Beside a merge of its own a new file with both sides is taken for what that has left.
    expect(must(await vcs.snapshot(one)).unresolved).toEqual(["sample.txt"]);
  });

  it("names every task whose work is on the other side", async () => {
    using lab = openGitLab({ "a.txt": "one\ntwo\nthree\nfour\nfive\n" });
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const late = await openTask(lab, vcs, 3);
    for (const [n, text] of [
      [1, "ONE\ntwo\nthree\nfour\nfive\n"],
      [2, "ONE\ntwo\nthree\nfour\nFIVE\n"],
    ] as const) {
      const into = await openPhase(lab, vcs);
      const folder = await openTask(lab, vcs, n);
      lab.write(`${folder.path}/a.txt`, text);
      expect(must(await landAll(vcs, folder, into, { task: `T1.${n}` })).kind).toBe("landed");
    }
    lab.write(`${late.path}/a.txt`, "eins\ntwo\nthree\nfour\nfive\n");
    const conflict = must(await landAll(vcs, late, phase, { task: "T1.3" }));
    expect(conflict).toMatchObject({ kind: "conflict", files: [{ others: ["T1.2", "T1.1"] }] });
  });

  it("moves work aside that is to be done afresh, and leaves no marks in its folder", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/a.txt`, "first\n");
    lab.write(`${two.path}/a.txt`, "second\n");
    lab.write(`${two.path}/b.txt`, "loose\n");
    must(await landAll(vcs, one, phase));
    const conflict = must(await landAll(vcs, two, phase, { task: "T1.2", afresh: true }));
    if (conflict.kind !== "conflict") throw new Error(conflict.kind);
    const again = await openTask(lab, vcs, 2);
    expect(lab.read(`${again.path}/a.txt`)).toBe("first\n");
    expect(lab.has(`${again.path}/b.txt`)).toBe(false);
    expect(must(await vcs.snapshot(again))).toMatchObject({ changed: [], unresolved: [] });
    expect(lab.git("show", `${conflict.rescued}:a.txt`)).toBe("second");
    expect(lab.git("show", `${conflict.rescued}:b.txt`)).toBe("loose");
  });

  it("moves work aside that is refused after joining, when it is to be done afresh", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/one.txt`, "1\n");
    lab.write(`${two.path}/two.txt`, "2\n");
    must(await landAll(vcs, one, phase));
    const landed = must(
      await landAll(vcs, two, phase, { afresh: true, verify: async () => agentSaid("broken") }),
    );
    if (landed.kind !== "unproven") throw new Error(landed.kind);
    expect(lab.has(`${two.path}/two.txt`)).toBe(false);
    expect(lab.read(`${two.path}/one.txt`)).toBe("1\n");
    expect(lab.git("show", `${landed.rescued}:two.txt`)).toBe("2");
    expect(lab.git("log", "--format=%s", "phase/1-x")).not.toContain("two");
  });

  it("lands one attempt once, however often it is asked", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const one = await openTask(lab, vcs, 1);
    lab.write(`${one.path}/one.txt`, "1\n");
    const first = must(await landAll(vcs, one, phase, { attempt: "same" }));
    const second = must(await landAll(vcs, one, phase, { attempt: "same" }));
    expect(second).toEqual(first);
    expect(lab.git("rev-list", "--count", "main..phase/1-x")).toBe("1");
  });

  it("puts the branch's folder back when the joined work is refused", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/one.txt`, "1\n");
    lab.write(`${two.path}/two.txt`, "2\n");
    must(await landAll(vcs, one, phase));
    const before = lab.git("rev-parse", "phase/1-x");
    const refused = must(await landAll(vcs, two, phase, { verify: async () => agentSaid("red") }));
    expect(refused).toEqual({ kind: "unproven", reason: agentSaid("red") });
    expect(lab.git("rev-parse", "phase/1-x")).toBe(before);
    expect(lab.has(`${phase.path}/two.txt`)).toBe(false);
    expect(lab.read(`${two.path}/one.txt`)).toBe("1\n");
    const again = await openTask(lab, vcs, 2);
    expect(must(await vcs.snapshot(again)).changed).toEqual(["two.txt"]);
  });

  it("merges with a merge commit where that is asked for", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const folders = [];
    for (const n of [1, 2]) {
      const folder = await openTask(lab, vcs, n);
      lab.write(`${folder.path}/${n}.txt`, `${n}\n`);
      folders.push(folder);
    }
    for (const folder of folders)
      must(await landAll(vcs, folder, phase, { how: "merge", attempt: folder.branch }));
    expect(lab.git("rev-list", "--merges", "--count", "phase/1-x")).toBe("1");
    expect(
      must(await vcs.attemptsIn("phase/1-x"))
        .map(one => one.attempt)
        .sort(),
    ).toEqual(["task/1", "task/2"]);
  });
});
