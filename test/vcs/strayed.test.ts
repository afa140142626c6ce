import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mend } from "../../src/adapters/vcs/git/index.ts";
import { because } from "../../src/ports/index.ts";
import { sampleOf } from "../sample.ts";
import { type GitLab, landAll, must, openGitLab, openPhase } from "./lab.ts";

const trailers = "T1.1: x\n\nEspalier-Task: T1.1\nEspalier-Attempt: abc\nEspalier-Verified: true\n";

describe("a target that somebody rewrote", () => {
  async function landed() {
    const lab = openGitLab({ "a.txt": "one\n" });
    lab.commit("a person's");
    const vcs = await lab.vcs();
    const at = { branch: "main", path: lab.root, from: "main" };
    const folder = must(await vcs.open({ ...at, claimant: "T0.1", anew: "task/one" }));
    lab.write("b.txt", "b\n");
    const before = must(await landAll(vcs, folder, folder, { task: "T0.1" }));
    if (before.kind !== "landed") throw new Error(before.kind);
    const redo = (back: string, path: string) => {
      lab.git("reset", "-q", "--hard", back);
      lab.write(path, "else\n");
      return lab.commit("redone");
    };
    return { lab, vcs, before: before.commit, redo };
  }

  it("[V100] holds again what landed, by a merge, and nothing is left behind", async () => {
    const { lab: opened, vcs, before, redo } = await landed();
    using lab = opened;
    expect(must((await vcs.rejoin?.("main", before))!)).toBeUndefined();
    const redone = redo("HEAD~1", "c.txt");
    expect(must((await vcs.rejoin?.("main", before))!)).toEqual({ tasks: ["T0.1"] });
    expect(lab.git("log", "-1", "--format=%P")).toBe(`${redone} ${before}`);
    expect([lab.git("status", "--porcelain"), lab.read("b.txt"), lab.read("c.txt")]).toEqual([
      "",
      "b\n",
      "else\n",
    ]);
    expect(lab.git("branch", "--format=%(refname:short)")).toBe("main");
    lab.git("commit", "-q", "--amend", "--allow-empty", "-m", "amended");
    const amended = lab.git("rev-parse", "HEAD");
    expect(must((await vcs.rejoin?.("main", before))!)).toBeUndefined();
    expect(lab.git("rev-parse", "HEAD")).toBe(amended);
  });

  it.each(
    sampleOf(
      [
        ["a person's commit is gone, too", "HEAD~2", "c.txt", ["T0.1"]],
        ["the two do not join", "HEAD~1", "b.txt", ["T0.1"]],
      ],
      1,
    ),
  )("[V100] stays, and what it held is kept, where %s", async (_, back, path, tasks) => {
    const { lab: opened, vcs, before, redo } = await landed();
    using lab = opened;
    const redone = redo(back, path);
    const found = must((await vcs.rejoin?.("main", before))!);
    expect(found?.tasks).toEqual(tasks);
    expect(lab.git("rev-parse", found?.kept ?? "")).toBe(before);
    expect([lab.git("rev-parse", "main"), lab.git("status", "--porcelain")]).toEqual([redone, ""]);
  });

  it.each([
    ["amends what landed", (lab: GitLab) => lab.git("commit", "-q", "--amend", "-m", "by a person")],
    [
      "adds to what landed",
      (lab: GitLab) => {
        lab.write("c.txt", "more\n");
        lab.git("add", "c.txt");
        lab.git("commit", "-q", "--amend", "-m", "by a person");
      },
    ],
    [
      "rebases it onto an amended commit",
      (lab: GitLab) => {
        lab.git("reset", "-q", "--hard", "HEAD~1");
        lab.git("commit", "-q", "--amend", "--allow-empty", "-m", "said otherwise");
        lab.git("cherry-pick", "ORIG_HEAD");
      },
    ],
  ])("[V421] has lost nothing where who rewrote it %s", async (_, rewrite) => {
    const { lab: opened, vcs, before } = await landed();
    using lab = opened;
    rewrite(lab);
    const tip = lab.git("rev-parse", "HEAD");
    expect(tip).not.toBe(before);
    expect(must((await vcs.rejoin?.("main", before))!)).toBeUndefined();
    expect(lab.git("branch", "--format=%(objectname)")).toBe(tip);
  });

  it("[V102] is known by another process while work in the checkout has not ended, unless another commit has what landed", async () => {
    const { lab: opened, vcs, before, redo } = await landed();
    using lab = opened;
    const at = { branch: "main", path: lab.root, from: "main" };
    const folder = must(await vcs.open({ ...at, claimant: "T0.2", anew: "task/two" }));
    const another = await lab.vcs();
    const known = async (branch = "main") => must((await another.begunOn?.(branch))!);
    expect(await known()).toBeUndefined();
    redo("HEAD~1", "c.txt");
    expect([await known(), await known("theirs")]).toEqual([before, undefined]);
    lab.git("cherry-pick", before);
    expect(await known()).toBeUndefined();
    lab.git("reset", "-q", "--hard", "HEAD~1");
    expect(await known()).toBe(before);
    must(await vcs.setAside(folder, "task/two"));
    expect(await known()).toBeUndefined();
  });

  it("[V100] is left alone where nothing had landed, or it is not checked out", async () => {
    const { lab: opened, vcs, before, redo } = await landed();
    using lab = opened;
    const start = lab.git("rev-parse", "HEAD~1");
    redo("HEAD~2", "c.txt");
    expect(must((await vcs.rejoin?.("main", start))!)).toMatchObject({ tasks: [] });
    lab.git("switch", "-q", "-c", "theirs");
    lab.git("branch", "-q", "-f", "main", start);
    const found = must((await vcs.rejoin?.("main", before))!);
    expect([found?.tasks, lab.git("rev-parse", "main")]).toEqual([["T0.1"], start]);
    expect(lab.git("rev-parse", found?.kept ?? "")).toBe(before);
  });
});

describe("a target that somebody deleted", () => {
  it("[V107] stands where it stood again where it is checked out, and no file is touched", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const vcs = await lab.vcs();
    const [at, head] = [lab.git("rev-parse", "HEAD"), "refs/heads/main"];
    must(await vcs.strayed("main"));
    expect(must((await vcs.putBack?.("main", at))!)).toBe(false);
    lab.write("a.txt", "two\n");
    lab.git("update-ref", "-d", head);
    expect(must((await vcs.putBack?.("main", at))!)).toBe(true);
    expect([lab.git("rev-parse", "main"), lab.git("status", "--porcelain"), lab.read("a.txt")]).toEqual([
      at,
      " M a.txt",
      "two\n",
    ]);
    expect(must(await vcs.strayed("main"))).toBeUndefined();
    lab.git("switch", "-q", "-c", "theirs");
    lab.git("update-ref", "-d", head);
    expect(must((await vcs.putBack?.("main", at))!)).toBe(false);
    expect(lab.git("branch", "--format=%(refname:short)")).toBe("theirs");
  });
});

describe("what somebody else brings to a branch", () => {
  it("[V33] is told once, and what we bring is not", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    expect(must(await vcs.strayed("main"))).toBeUndefined();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "b\n");
    must(await landAll(vcs, phase, phase));
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(must(await vcs.strayed("main"))).toBeUndefined();
    const from = lab.git("rev-parse", "main");
    const to = lab.commit("somebody's");
    expect(must(await vcs.strayed("main"))).toEqual({ from, to });
    expect(must(await vcs.strayed("main"))).toBeUndefined();
  });

  it("[V33] is told also where we have brought work on top of it since", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    must(await vcs.strayed("main"));
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "b\n");
    must(await landAll(vcs, phase, phase));
    const from = lab.git("rev-parse", "main");
    lab.git("commit", "-q", "--allow-empty", "-m", "somebody's");
    const to = lab.git("rev-parse", "main");
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(must(await vcs.strayed("main"))).toEqual({ from, to });
    expect(must(await vcs.strayed("main"))).toBeUndefined();
  });

  it("[V33] is not taken for an attempt's landed work by its name: the work itself lands", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    must(await vcs.strayed("main"));
    const folder = must(await vcs.open({ branch: "main", path: lab.root, from: "main" }));
    lab.git("commit", "-q", "--allow-empty", "-m", trailers);
    lab.write("b.txt", "b\n");
    must(await landAll(vcs, folder, folder, { attempt: "abc" }));
    expect(lab.git("show", "main:b.txt")).toBe("b");
  });

  it("[V33] is not taken for it on a branch of ours either", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.gitIn(phase.path, "commit", "-q", "--allow-empty", "-m", trailers);
    lab.write(`${phase.path}/b.txt`, "b\n");
    must(await landAll(vcs, phase, phase, { attempt: "abc" }));
    expect(lab.git("show", "phase/1-x:b.txt")).toBe("b");
  });

  it("[V33] while work that landed is found by its name, also by the next process", async () => {
    using lab = openGitLab();
    const phase = await openPhase(lab, await lab.vcs());
    lab.write(`${phase.path}/b.txt`, "b\n");
    const first = must(await landAll(await lab.vcs(), phase, phase, { attempt: "abc" }));
    expect(must(await landAll(await lab.vcs(), phase, phase, { attempt: "abc" }))).toEqual(first);
  });
});

it("[V34] no folder is made where a record says: it may have come with the repository", async () => {
  using lab = openGitLab();
  const place = lab.place("dot/autostart");
  lab.git("worktree", "add", "-q", place, "-b", "planted");
  rmSync(place, { recursive: true });
  const admin = join(lab.root, ".git", "worktrees", "autostart");
  const repository = await lab.open();
  const mended = await mend(repository, { what: "files half moved", path: admin });
  expect(mended).toMatchObject({ ok: false, failure: because("leftover-kept", { why: "gone" }) });
  expect(lab.has(place)).toBe(false);
});
