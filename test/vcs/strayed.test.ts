import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mend } from "../../src/adapters/vcs/git/index.ts";
import { because } from "../../src/ports/index.ts";
import { landAll, must, openGitLab, openPhase } from "./lab.ts";

const trailers = "T1.1: x\n\nEspalier-Task: T1.1\nEspalier-Attempt: abc\nEspalier-Verified: true\n";

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
