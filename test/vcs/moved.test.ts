import { cpSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGitVcs, openRepository } from "../../src/adapters/vcs/git/index.ts";
import { type GitLab, landAll, must, openGitLab, openPhase, whyOf } from "./lab.ts";

/** Git as it is held in another place. */
async function openAt(lab: GitLab, root: string) {
  const opened = await openRepository({
    root,
    env: { PATH: process.env["PATH"], HOME: lab.folder },
    leaveOut: () => ["TASKS.md"],
    rescueDir: join(lab.folder, "rescued"),
    allows: () => false,
  });
  return createGitVcs(must(opened));
}

/** A lab in whose phase one piece of work has landed and another has not. */
async function openBegun(): Promise<{ readonly lab: GitLab; readonly old: string }> {
  const lab = openGitLab();
  const vcs = await lab.vcs();
  const phase = await openPhase(lab, vcs);
  lab.write(join(phase.path, "a.txt"), "two\n");
  must(await landAll(vcs, phase, phase));
  lab.write(join(phase.path, "open.txt"), "not landed\n");
  return { lab, old: phase.path };
}

describe("[V85] a repository that was moved, with a worktree of ours", () => {
  it("beside it has its phase's folder where that belongs now; the one before stays, and is named", async () => {
    const { lab, old } = await openBegun();
    using _ = lab;
    const root = lab.place("renamed");
    renameSync(lab.root, root);
    const vcs = await openAt(lab, root);
    const phase = must(await vcs.open({ branch: "phase/1-x", path: lab.place("renamed-p1"), from: "main" }));
    expect(phase).toMatchObject({ path: lab.place("renamed-p1"), aside: old });
    expect(lab.read(join(phase.path, "a.txt"))).toBe("two\n");
    expect(lab.read(join(old, "open.txt"))).toBe("not landed\n");
  });

  it("together with it has its phase's folder in the same place; the one before is moved aside, and named", async () => {
    const { lab } = await openBegun();
    using _ = lab;
    const moved = join(lab.folder, "moved");
    for (const name of ["project", "p1"]) {
      cpSync(lab.place(name), join(moved, name), { recursive: true });
      renameSync(lab.place(name), lab.place(`${name}-gone`));
    }
    const vcs = await openAt(lab, join(moved, "project"));
    const phase = must(await vcs.open({ branch: "phase/1-x", path: join(moved, "p1"), from: "main" }));
    expect(phase.aside).toBe(join(moved, "p1.aside"));
    expect(lab.read(join(phase.path, "a.txt"))).toBe("two\n");
    expect(lab.read(join(moved, "p1.aside/open.txt"))).toBe("not landed\n");
  });

  it("is no other than the one it was copied from, whose folder stays what it was", async () => {
    const { lab, old } = await openBegun();
    using _ = lab;
    cpSync(lab.root, lab.place("copy"), { recursive: true });
    const vcs = await openAt(lab, lab.place("copy"));
    const phase = must(await vcs.open({ branch: "phase/1-x", path: lab.place("copy-p1"), from: "main" }));
    expect(phase.aside).toBeUndefined();
    expect(lab.gitIn(old, "status", "--porcelain")).toBe("?? open.txt");
    expect(existsSync(join(lab.root, ".git/worktrees/p1"))).toBe(true);
  });

  it("is asked for by the command that moves it, where it stands elsewhere and is whole", async () => {
    const { lab, old } = await openBegun();
    using _ = lab;
    const vcs = await lab.vcs();
    const path = lab.place("else where");
    const refused = await vcs.open({ branch: "phase/1-x", path, from: "main" });
    const command = `git worktree move ${old} '${path}'`;
    expect(refused).toMatchObject({ ok: false, failure: { kind: "foreign" } });
    expect(whyOf(refused)).toContain(`to have it where it belongs: ${command}`);
    lab.git(...command.replaceAll("'", "").split(" ").slice(1, 4), path);
    must(await (await lab.vcs()).open({ branch: "phase/1-x", path, from: "main" }));
    expect(lab.read(join(path, "open.txt"))).toBe("not landed\n");
  });
});
