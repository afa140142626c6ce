import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { sampleOf } from "../sample.ts";
import { type GitLab, must, openGitLab } from "./lab.ts";

/** A repository with a worktree of ours, and what is changed about it by somebody else. */
async function changed(lab: GitLab, change: (common: string) => void): Promise<readonly string[]> {
  const vcs = await lab.vcs();
  must(await vcs.open({ branch: "task/1", path: lab.place("one"), from: "HEAD" }));
  lab.git("worktree", "add", "-q", lab.place("two"), "-b", "two");
  must(await vcs.inspect());
  change(join(lab.root, ".git"));
  const inspected = await vcs.inspect();
  if (inspected.ok) return [];
  return inspected.failure.kind === "config-changed" ? inspected.failure.keys : [inspected.failure.kind];
}

it.each(
  sampleOf(
    [
      "logs/HEAD",
      "logs/refs/heads/phase/1-x",
      "worktrees/one/index",
      "worktrees/one/COMMIT_EDITMSG",
      "worktrees/one/logs/HEAD",
    ],
    0,
    3,
  ),
)("[V7] a link that git would follow when it writes is an entry point: %s", async name => {
  using lab = openGitLab();
  const keys = await changed(lab, common => {
    rmSync(join(common, name), { force: true });
    mkdirSync(dirname(join(common, name)), { recursive: true });
    symlinkSync("/nowhere/.bashrc", join(common, name));
  });
  expect(keys).toEqual([name]);
});

it("[V7] what git itself writes there is none, nor what lies in other people's worktrees", async () => {
  using lab = openGitLab();
  const keys = await changed(lab, common => {
    writeFileSync(join(common, "logs", "refs", "heads", "new"), "x");
    appendFileSync(join(common, "worktrees", "one", "index"), "x");
    rmSync(join(common, "worktrees", "two", "index"), { force: true });
    symlinkSync("/nowhere", join(common, "worktrees", "two", "index"));
  });
  expect(keys).toEqual([]);
});

it.each(sampleOf(["commondir", "worktrees/one/commondir", "worktrees/one/gitdir"], 0, 2))(
  "[V7] a file that leads git to another configuration is an entry point: %s",
  async name => {
    using lab = openGitLab();
    const keys = await changed(lab, common => writeFileSync(join(common, name), "/elsewhere\n"));
    expect(keys).toEqual([name]);
  },
);

it.each(["commondir", "gitdir"])(
  "[V97] a record that is just being removed is waited for: without its %s",
  async name => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    must(await vcs.open({ branch: "task/1", path: lab.place("one"), from: "HEAD" }));
    must(await vcs.inspect());
    const record = join(lab.root, ".git/worktrees/one");
    rmSync(join(record, name));
    setTimeout(() => rmSync(record, { recursive: true }), 200);
    expect(await vcs.inspect()).toMatchObject({ ok: true });
  },
);

it("[V97] a record that went while git was asked is not told, and what else changed is", async () => {
  using lab = openGitLab();
  const vcs = await lab.vcs();
  const names = Array.from({ length: 12 }, (_, at) => `w${at}`);
  for (const name of names)
    must(await vcs.open({ branch: `task/${name}`, path: lab.place(name), from: "HEAD" }));
  must(await vcs.inspect());
  // A configuration that changed has git asked at each look.
  appendFileSync(join(lab.root, ".git/config"), "[core]\n\tfsmonitor = program\n");
  for (const [at, name] of names.entries()) {
    const record = join(lab.root, ".git/worktrees", name);
    rmSync(join(record, "commondir"));
    setTimeout(() => rmSync(record, { recursive: true }), 50 + 7 * at);
    expect(await vcs.inspect()).toMatchObject({ ok: false, failure: { keys: ["core.fsmonitor"] } });
  }
});

it.each(["commondir", "gitdir"])("[V97] and is an entry point where it stays without its %s", async name => {
  using lab = openGitLab();
  const path = join("worktrees", "one", name);
  expect(await changed(lab, common => rmSync(join(common, path)))).toEqual([path]);
});
