import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setDamagedObjectsAside } from "../../src/adapters/vcs/git/care/damaged-objects.ts";
import {
  mendFolders,
  mendRepository,
  openRepository,
  unreadableCommits,
} from "../../src/adapters/vcs/git/index.ts";
import { noteIntent } from "../../src/adapters/vcs/git/worktrees/open-folder.ts";
import { because } from "../../src/ports/index.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { type GitLab, landAll, must, openGitLab, whyOf } from "./lab.ts";

/** Cuts the file of a single object to some bytes, as a power cut leaves one that was never synced. */
function cutObject(lab: GitLab, name: string, bytes = 0): string {
  const id = lab.git("rev-parse", name);
  const path = join(lab.root, ".git/objects", id.slice(0, 2), id.slice(2));
  chmodSync(path, 0o600);
  truncateSync(path, bytes);
  return id;
}

/** A machine that has started anew since: nothing says any more that somebody has looked. */
function reboot(lab: GitLab): void {
  const worktrees = readdirSync(join(lab.root, ".git/worktrees")).map(name => `.git/worktrees/${name}`);
  for (const folder of [".git", ...worktrees])
    writeFileSync(join(lab.root, folder, "espalier-boot"), "another");
}

async function openPhase(lab: GitLab) {
  const vcs = await lab.vcs();
  const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
  return { vcs, folder };
}

describe("what a power cut left", () => {
  it("[V23] objects that are empty or cut short are moved aside, and can be stored again", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    await openPhase(lab);
    lab.write("b.txt", "never synced\n".repeat(50));
    lab.write("c.txt", "nor this\n");
    lab.git("add", "-A");
    const ids = [cutObject(lab, ":b.txt", 10), cutObject(lab, ":c.txt")];
    reboot(lab);
    const found = must(await mendRepository(await lab.open()));
    expect(found?.objects.toSorted()).toEqual(ids.toSorted());
    const kept = found?.kept ?? "";
    for (const id of ids) expect(lab.has(join(kept, "objects", id.slice(0, 2), id.slice(2)))).toBe(true);
    expect(lab.git("hash-object", "-w", "b.txt")).toBe(ids[0]);
    expect(lab.git("cat-file", "-p", ids[0] ?? "")).toBe("never synced\n".repeat(50).trimEnd());
  });

  it("[V23] objects that git packs while they are looked at are not damaged", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const repository = await lab.open();
    const looking = setDamagedObjectsAside(repository.facts.common, lab.place("aside"));
    // The files are listed, and none of them is read yet.
    lab.git("gc", "-q");
    expect(await looking).toEqual([]);
    expect(existsSync(lab.place("aside"))).toBe(false);
  });

  it("[V23] it is looked for once for each start of the machine", async () => {
    using lab = openGitLab();
    const repository = await lab.open();
    expect(must(await mendRepository(repository))).toBeDefined();
    expect(must(await mendRepository(repository))).toBeUndefined();
    expect(must(await mendRepository(repository, true))).toBeDefined();
  });

  it("[V24] refs of ours that name nothing are moved aside, and their branch stands where it had landed", async () => {
    using lab = openGitLab();
    const { vcs, folder } = await openPhase(lab);
    lab.write(`${folder.path}/a.txt`, "two\n");
    const landed = must(await landAll(vcs, folder, folder));
    lab.write(`${folder.path}/b.txt`, "three\n");
    lab.gitIn(folder.path, "add", "-A");
    lab.gitIn(folder.path, "commit", "-q", "-m", "the agent's own");
    cutObject(lab, "phase/1-x:b.txt");
    writeFileSync(join(lab.root, ".git/refs/espalier/base/empty"), "");
    reboot(lab);
    const found = must(await mendRepository(await lab.open()));
    expect(found?.refs.toSorted()).toEqual(["refs/espalier/base/empty", "refs/heads/phase/1-x"]);
    expect(lab.git("log", "--all", "--format=%H")).toContain(landed.kind === "landed" ? landed.commit : "?");
    const again = must(
      await (await lab.vcs()).open({ branch: "phase/1-x", path: folder.path, from: "main" }),
    );
    expect(again.base).toBe(landed.kind === "landed" ? landed.commit : "?");
  });

  itWhole("[V24] a person's refs stay, and are told", async () => {
    using lab = openGitLab();
    lab.git("checkout", "-q", "-b", "mine");
    lab.write("b.txt", "mine\n");
    lab.commit("mine");
    lab.git("checkout", "-q", "main");
    const tip = cutObject(lab, "mine");
    const found = must(await mendRepository(await lab.open()));
    expect(found).toMatchObject({ refs: [], standing: ["refs/heads/mine"] });
    expect(lab.read(".git/refs/heads/mine").trim()).toBe(tip);
  });

  it("[V87] tags with words of their own, of files and of folders are whole, and one of which something is gone is told", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    lab.git("tag", "-a", "-m", "first", "v1.0");
    lab.git("tag", "of-file", "main:a.txt");
    lab.git("tag", "of-folder", "main^{tree}");
    lab.git("tag", "-a", "-m", "gone", "v2.0");
    lab.git("tag", "lost", lab.git("commit-tree", "-m", "lost", "-p", "main", "main^{tree}"));
    cutObject(lab, "v2.0");
    cutObject(lab, "lost");
    const found = must(await mendRepository(await lab.open()));
    expect(found).toMatchObject({ refs: [], standing: ["refs/tags/lost", "refs/tags/v2.0"] });
  });

  it("[V87] however many refs there are, git is asked a few times", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    for (let n = 0; n < 40; n++)
      lab.git("tag", `v${n}`, lab.git("commit-tree", "-m", `${n}`, "-p", "main", "main^{tree}"));
    const repository = await lab.open();
    const asked: string[] = [];
    const git: typeof repository.git = {
      ...repository.git,
      run(args, options) {
        asked.push(args.join(" "));
        return repository.git.run(args, options);
      },
    };
    expect(must(await mendRepository({ ...repository, git }))).toMatchObject({ refs: [], standing: [] });
    expect(asked.length).toBeLessThan(10);
    cutObject(lab, "v7");
    asked.length = 0;
    expect(must(await mendRepository({ ...repository, git }, true))?.standing).toEqual(["refs/tags/v7"]);
    expect(asked.length).toBeLessThan(30);
    // Of these only what they hold is gone.
    for (const name of ["a1", "z1"]) {
      lab.write("a.txt", name);
      lab.git("add", "a.txt");
      lab.git("tag", name, lab.git("commit-tree", "-m", name, "-p", "main", lab.git("write-tree")));
    }
    lab.git("reset", "-q", "--hard");
    cutObject(lab, "a1:a.txt");
    cutObject(lab, "z1:a.txt");
    const halves = must(await mendRepository({ ...repository, git }, true))?.standing;
    expect(halves).toEqual(["refs/tags/a1", "refs/tags/v7", "refs/tags/z1"]);
  });

  it("[V24] a checkout whose own branch names nothing that can be read is no repository without commits", async () => {
    using lab = openGitLab();
    cutObject(lab, "main");
    const options = { leaveOut: () => [], rescueDir: lab.place("rescued"), allows: () => false };
    const opened = await openRepository({ root: lab.root, env: { PATH: process.env["PATH"] }, ...options });
    expect(opened.ok ? "opened" : opened.failure).toMatchObject({
      code: "GIT_REFUSED",
      reason: because("ref-unreadable", { ref: "refs/heads/main" }),
      advice: because("put-ref-back", { ref: "refs/heads/main" }),
    });
  });

  it("[V25] files of a worktree that were cut short stand as they landed; what somebody changed stays", async () => {
    const long = "a line of text\n".repeat(1000);
    using lab = openGitLab({ "empty.txt": "x\n", "short.txt": long, "mine.txt": "x\n", "less.txt": long });
    const { folder } = await openPhase(lab);
    writeFileSync(`${folder.path}/empty.txt`, "");
    writeFileSync(`${folder.path}/short.txt`, long.slice(0, 4096));
    writeFileSync(`${folder.path}/less.txt`, long.slice(0, 4000));
    writeFileSync(`${folder.path}/mine.txt`, "changed\n");
    writeFileSync(`${folder.path}/new.txt`, "");
    reboot(lab);
    const files = must(await mendFolders(await lab.open()));
    expect(files.toSorted()).toEqual([`${folder.path}/empty.txt`, `${folder.path}/short.txt`]);
    expect(lab.read(`${folder.path}/empty.txt`)).toBe("x\n");
    expect(lab.read(`${folder.path}/short.txt`)).toBe(long);
    expect(lab.gitIn(folder.path, "status", "--porcelain").split("\n")).toEqual([
      " M less.txt",
      " M mine.txt",
      "?? new.txt",
    ]);
    writeFileSync(`${folder.path}/empty.txt`, "");
    expect(must(await mendFolders(await lab.open()))).toEqual([]);
    expect(lab.read(`${folder.path}/empty.txt`)).toBe("");
  });

  it.each(sampleOf([0, 20, 100], 0, 2))(
    "[V25] our own index of a worktree, cut to %d bytes, is made anew",
    async bytes => {
      using lab = openGitLab({ "a.txt": "x\n", "b.txt": "y\n" });
      const { vcs, folder } = await openPhase(lab);
      lab.write(`${folder.path}/a.txt`, "two\n");
      must(await landAll(vcs, folder, folder));
      const index = join(lab.root, ".git/worktrees", readdirSync(join(lab.root, ".git/worktrees"))[0] ?? "");
      truncateSync(join(index, "espalier-index"), bytes);
      writeFileSync(`${folder.path}/b.txt`, "");
      reboot(lab);
      expect(must(await mendFolders(await lab.open()))).toEqual([`${folder.path}/b.txt`]);
      expect(lab.gitIn(folder.path, "status", "--porcelain")).toBe("");
    },
  );

  it("[V39] a worktree whose making was cut off is made anew where a note tells of it, and stays where none does", async () => {
    using lab = openGitLab({ "a.txt": "x\n" });
    const repository = await lab.open();
    const path = lab.place("p1");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, ".git"), "");
    writeFileSync(join(path, "a.txt"), "");
    const request = { branch: "phase/1-x", path, from: "main" };
    const refused = await (await lab.vcs()).open(request);
    expect(whyOf(refused)).toContain("is there already");
    must(noteIntent(repository, path));
    // What git had begun to remember of it.
    const admin = join(lab.root, ".git/worktrees/p1");
    mkdirSync(admin, { recursive: true });
    for (const name of ["gitdir", "commondir", "HEAD"]) writeFileSync(join(admin, name), "");
    must(await (await lab.vcs()).open(request));
    expect(lab.read(`${path}/a.txt`)).toBe("x\n");
    expect(lab.gitIn(path, "status", "--porcelain")).toBe("");
  });

  it.each(
    sampleOf(
      [["commondir"], ["HEAD"], ["gitdir"], ["commondir", "HEAD"], ["commondir", ".git"], [".git"], ["logs"]],
      1,
      3,
      5,
    ),
  )("[V39] what git remembers of a folder that was cut off goes with it: %s %s", async (...empty) => {
    using lab = openGitLab({ "a.txt": "x\n" });
    const request = { branch: "phase/1-x", path: lab.place("p1"), from: "main" };
    must(await (await lab.vcs()).open(request));
    const admin = join(lab.root, ".git/worktrees/p1");
    for (const name of empty) {
      const path = name === ".git" ? join(request.path, name) : join(admin, name);
      if (name === "logs") rmSync(path, { recursive: true });
      else writeFileSync(path, "");
    }
    writeFileSync(join(request.path, "a.txt"), "");
    must(noteIntent(await lab.open(), request.path));
    must(await (await lab.vcs()).open(request));
    expect(lab.read(`${request.path}/a.txt`)).toBe("x\n");
    expect(lab.git("worktree", "list").split("\n")).toHaveLength(2);
    const other = { branch: "phase/2-y", path: lab.place("p2"), from: "main" };
    must(await (await lab.vcs()).open(other));
  });

  it("[V40] files that were staged on their way into the checkout are put back; a person's own stay", async () => {
    const long = "a line of text\n".repeat(1000);
    using lab = openGitLab({ "a.txt": "x\n" });
    await openPhase(lab);
    for (const [name, text] of [
      ["empty", long],
      ["short", long],
      ["less", long],
      ["new", "n\n"],
    ])
      lab.write(`${name}.txt`, text ?? "");
    lab.git("add", "-A");
    for (const [name, bytes] of [
      ["empty", 0],
      ["short", 4096],
      ["less", 4000],
      ["a", 0],
    ] as const)
      truncateSync(join(lab.root, `${name}.txt`), bytes);
    reboot(lab);
    const found = must(await mendRepository(await lab.open()));
    expect(found?.files.toSorted()).toEqual([join(lab.root, "empty.txt"), join(lab.root, "short.txt")]);
    expect(lab.git("status", "--porcelain").split("\n")).toEqual([
      " M a.txt",
      "A  empty.txt",
      "AM less.txt",
      "A  new.txt",
      "A  short.txt",
    ]);
  });

  it("[V40] a lock that an agent's git left is gone before its next one begins", async () => {
    using lab = openGitLab();
    const { folder } = await openPhase(lab);
    const lock = lab.gitIn(folder.path, "rev-parse", "--git-path", "index.lock");
    writeFileSync(lock, "");
    reboot(lab);
    must(await mendRepository(await lab.open()));
    lab.write(`${folder.path}/a.txt`, "two\n");
    lab.gitIn(folder.path, "add", "-A");
    expect(existsSync(lock)).toBe(false);
  });

  it("[V26] commits that cannot be read with what they brought are named, and only they", async () => {
    using lab = openGitLab();
    const commits = ["one", "two", "three", "four"].map(name => {
      lab.write(`${name}/${name}.txt`, `${name}\n`);
      return lab.commit(name);
    });
    const [one = "", two = "", three = "", four = ""] = commits;
    const repository = await lab.open();
    const all = async () => must(await unreadableCommits(repository, commits, () => true));
    expect(await all()).toEqual(new Map());
    const blob = cutObject(lab, `${two}:two/two.txt`);
    expect(await all()).toEqual(new Map([[two, blob]]));
    cutObject(lab, `${three}:three`);
    // The one after it holds that folder as well; only what a commit brought is asked of it.
    expect([...(await all()).keys()].toSorted()).toEqual([two, three].toSorted());
    cutObject(lab, one);
    expect(must(await unreadableCommits(repository, [one, four], () => false))).toEqual(
      new Map([[one, one]]),
    );
  });
});
