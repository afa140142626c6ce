import { lutimesSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openTask, openTeam } from "./lab.ts";

describe("what an agent prunes", () => {
  it("[V36] is written again, whatever the files are called, and links as well", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    const names = [
      '"q"',
      "a b.txt",
      "new\nline",
      String.raw`"back\slash`,
      "end\r",
      ":colon",
      "-dash",
      "한글.md",
    ];
    for (const name of names) lab.write(join(one.path, name), `${name}\n`);
    symlinkSync("no\nwhere", join(one.path, "link"));
    // What was written long ago is not read again by git.
    for (const name of [...names, "link"]) lutimesSync(join(one.path, name), 1_000_000, 1_000_000);
    const sealed = must(await vcs.snapshot(one));
    expect(sealed.changed).toHaveLength(names.length + 1);
    lab.gitIn(two.path, "gc", "-q", "--prune=now");
    // Another process knows nothing of what was sealed before.
    const later = await lab.vcs();
    expect(must(await later.snapshot(one)).tree).toBe(sealed.tree);
    expect(must(await landAll(later, one, phase)).kind).toBe("landed");
    expect(lab.git("fsck", "--no-dangling")).toBe("");
    expect(lab.git("show", "phase/1-x:link")).toBe("no\nwhere");
  });

  it("[V340] is sealed again where it had not landed, alone on the branch or beside others", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    for (const [at, folder] of [one, two].entries()) {
      lab.write(join(folder.path, "sub/b.txt"), `${at}\n`);
      rmSync(join(folder.path, at === 0 ? "b.txt" : "none"), { force: true });
      const { tree } = must(await vcs.snapshot(folder));
      lab.gitIn(phase.path, "gc", "-q", "--prune=now");
      if (at === 1) lab.write(join(folder.path, "sub/c.txt"), "1\n");
      const by = { task: `T${at}`, title: "t", attempt: `sealed${at}`, verified: true };
      const verify = async () => undefined;
      const landed = await vcs.land({ folder, tree, into: phase, how: "rebase", by, verify, afresh: false });
      expect([at, landed.ok]).toEqual([at, at === 0]);
    }
    expect(lab.git("show", "phase/1-x:sub/b.txt")).toBe("0");
    expect(lab.git("fsck", "--no-dangling")).toBe("");
  });

  for (const how of ["rebase", "merge"] as const)
    it(`[V341] while joined work is looked at is made again, as the same commit (${how})`, async () => {
      using lab = openGitLab();
      const { vcs, phase, one, two } = await openTeam(lab);
      lab.write(join(one.path, "b.txt"), "b\n");
      must(await landAll(vcs, one, phase, { how }));
      lab.write(join(two.path, "sub/c.txt"), "c\n");
      let looks = 0;
      const verify = async (path: string) => {
        looks++;
        lab.gitIn(path, "gc", "-q", "--prune=now");
        return undefined;
      };
      expect(must(await landAll(vcs, two, phase, { how, verify })).kind).toBe("landed");
      expect(looks).toBe(1);
      expect(lab.git("show", "phase/1-x:sub/c.txt")).toBe("c");
      expect(lab.git("fsck", "--no-dangling")).toBe("");
    });

  it("[V155] stands in no later attempt's way, in the same process", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(join(one.path, "b.txt"), "b\n");
    must(await vcs.snapshot(one));
    lab.gitIn(two.path, "gc", "-q", "--prune=now");
    const anew = { branch: one.branch, path: one.path, from: "phase/1-x", anew: "task/1" };
    const first = await vcs.open(anew);
    const again = first.ok ? first.value : must(await vcs.open(anew));
    expect(lab.git("fsck", "--no-dangling")).toBe("");
    expect(lab.git("show", `${again.left?.kind === "kept" ? again.left.ref : ""}:b.txt`)).toBe("b");
    lab.write(join(one.path, "b.txt"), "c\n");
    expect(must(await landAll(vcs, again, phase)).kind).toBe("landed");
  });

  it("[V155] is looked for again once it was missed, in the same process", async () => {
    using lab = openGitLab();
    const { vcs, phase, two } = await openTeam(lab);
    lab.write(join(two.path, "sub/c.txt"), "c\n");
    must(await landAll(vcs, two, phase));
    const later = await openTask(lab, vcs, 3);
    lab.write(join(later.path, "b.txt"), "b\n");
    must(await vcs.snapshot(later));
    lab.gitIn(two.path, "gc", "-q", "--prune=now");
    // How it differs from this one is known to nobody yet.
    const tree = lab.git("rev-parse", `${phase.base}^{tree}`);
    expect(await vcs.restore(later, tree)).toMatchObject({ ok: false });
    must(await vcs.restore(later, tree));
    expect(lab.gitIn(later.path, "status", "--porcelain")).toBe("D  sub/c.txt");
  });

  it("[V101] is no branch's tip any more, and the next attempt has the folder", async () => {
    using lab = openGitLab();
    const { vcs, phase, one } = await openTeam(lab);
    lab.write(join(one.path, "b.txt"), "b\n");
    lab.gitIn(one.path, "add", "-A");
    lab.gitIn(one.path, "commit", "-q", "-m", "agent's");
    const gone = lab.gitIn(one.path, "rev-parse", "HEAD");
    rmSync(join(lab.root, ".git/objects", gone.slice(0, 2), gone.slice(2)));
    expect(await vcs.snapshot(one)).toMatchObject({ ok: false });
    const anew = { branch: one.branch, path: one.path, from: "phase/1-x", anew: "task/1" };
    const again = must(await vcs.open(anew));
    expect(lab.git("rev-parse", one.branch)).toBe(phase.base);
    expect(lab.gitIn(one.path, "status", "--porcelain")).toBe("");
    lab.write(join(one.path, "b.txt"), "c\n");
    expect(must(await landAll(vcs, again, phase)).kind).toBe("landed");
    expect(lab.git("branch", "--list", "espalier/rescue/*")).toBe("");
  });
});
