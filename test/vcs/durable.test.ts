import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeSync } from "../../src/adapters/file/index.ts";
import { attemptEnv } from "../../src/adapters/process/index.ts";
import { createGitVcs, type Repository } from "../../src/adapters/vcs/git/index.ts";
import { openObjectSync } from "../../src/adapters/vcs/git/repository/object-sync.ts";
import { type GitLab, landAll, must, openGitLab, whyOf } from "./lab.ts";

/** One wait for the disk, and where a branch stood then. */
interface Synced {
  readonly path: string;
  readonly tip: string;
}

/** Git whose waits for the disk are written down; `refuse` names files that the disk does not take. */
async function watched(
  lab: GitLab,
  branch: string,
  refuse: (path: string) => boolean = () => false,
): Promise<{ readonly repository: Repository; readonly synced: Synced[] }> {
  const held = await lab.open();
  const { common } = held.facts;
  const synced: Synced[] = [];
  const ref = join(common, "refs/heads", branch);
  const sync = async (path: string) => {
    if (refuse(path)) throw Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO" });
    synced.push({ path, tip: existsSync(ref) ? readFileSync(ref, "utf8").trim() : "" });
    await nodeSync(path);
  };
  return { repository: { ...held, sync, objects: openObjectSync(common, sync) }, synced };
}

/** Where a single object lies. */
function placeOf(lab: GitLab, name: string): string {
  const id = lab.git("rev-parse", name);
  return join(lab.root, ".git/objects", id.slice(0, 2), id.slice(2));
}

function everyObject(lab: GitLab, range: readonly string[]): string[] {
  const ids = lab.git("rev-list", "--objects", "--no-object-names", ...range).split("\n");
  return ids.map(id => placeOf(lab, id));
}

describe("what landed is on the disk", () => {
  it("[V20] objects and their folders come to the disk before a ref names them, an agent's own among them", async () => {
    using lab = openGitLab();
    const { repository, synced } = await watched(lab, "phase/1-x");
    const vcs = createGitVcs(repository);
    const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/deep/new.txt`, "new\n");
    lab.gitIn(folder.path, "add", "-A");
    lab.gitIn(folder.path, "commit", "-q", "-m", "the agent's own");
    const before = lab.git("rev-parse", "phase/1-x");
    synced.length = 0;
    const landed = must(await landAll(vcs, folder, folder));
    const tip = landed.kind === "landed" ? landed.commit : "";
    const early = new Set(synced.flatMap(one => (one.tip === before ? [one.path] : [])));
    const objects = everyObject(lab, [tip, "^main"]);
    expect(objects.length).toBeGreaterThan(3);
    for (const path of objects) {
      expect(early).toContain(path);
      expect(early).toContain(join(path, ".."));
    }
  });

  it("[V20] a ref and the folders it is found by come to the disk once it has moved", async () => {
    using lab = openGitLab();
    const { repository, synced } = await watched(lab, "phase/1-x");
    const vcs = createGitVcs(repository);
    const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/a.txt`, "two\n");
    const landed = must(await landAll(vcs, folder, folder));
    const late = new Set(
      synced.flatMap(one => (landed.kind === "landed" && one.tip === landed.commit ? [one.path] : [])),
    );
    const common = join(lab.root, ".git");
    for (const path of [
      "refs/heads/phase/1-x",
      "refs/heads/phase",
      "refs/heads",
      "refs/espalier/base/phase",
      "",
    ])
      expect(late).toContain(join(common, path));
  });

  it("[V20] what landed before is seen to once more by whoever finds it landed", async () => {
    using lab = openGitLab();
    const first = await lab.vcs();
    const folder = must(await first.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/a.txt`, "two\n");
    must(await landAll(first, folder, folder, { attempt: "once" }));
    const { repository, synced } = await watched(lab, "phase/1-x");
    must(await landAll(createGitVcs(repository), folder, folder, { attempt: "once" }));
    const paths = synced.map(({ path }) => path);
    expect(paths).toContain(join(lab.root, ".git/refs/heads/phase/1-x"));
    expect(paths).toEqual(expect.arrayContaining(everyObject(lab, ["phase/1-x", "^main"])));
  });

  it("[V21] files and index of a checkout are on the disk before its branch says that they are landed", async () => {
    using lab = openGitLab();
    const { repository, synced } = await watched(lab, "main");
    const vcs = createGitVcs(repository);
    const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/deep/new.txt`, "new\n");
    must(await landAll(vcs, folder, folder));
    const before = lab.git("rev-parse", "main");
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "Merge" }));
    const early = new Set(synced.flatMap(one => (one.tip === before ? [one.path] : [])));
    for (const path of ["deep/new.txt", "deep", "", ".git/index"])
      expect(early).toContain(join(lab.root, path));
    for (const path of ["deep/new.txt", "deep"]) expect(early).toContain(join(folder.path, path));
  });

  it("[V37] what says where a checkout is going to comes after what it names", async () => {
    using lab = openGitLab();
    let isBroken = false;
    const { repository } = await watched(lab, "main", path => isBroken && path.includes("/objects/"));
    const vcs = createGitVcs(repository);
    const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/b.txt`, "new\n");
    must(await landAll(vcs, folder, folder));
    // The other side has moved, so that the merge is a commit of its own.
    lab.write("c.txt", "mine\n");
    lab.commit("mine");
    isBroken = true;
    const merged = await vcs.merge({ branch: "phase/1-x", into: "main", message: "Merge" });
    expect(whyOf(merged)).toContain("EIO");
    expect(existsSync(join(lab.root, ".git/espalier-moving"))).toBe(false);
    expect(existsSync(join(lab.root, "b.txt"))).toBe(false);
    isBroken = false;
    expect(must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "Merge" })).kind).toBe(
      "merged",
    );
  });

  it("[V38] an agent's own git waits for the disk before a branch names its commit", async () => {
    using lab = openGitLab();
    const trace = lab.place("trace");
    const flushes = (env: Readonly<Record<string, string | undefined>>) => {
      lab.write("a.txt", `${JSON.stringify(env).length}\n`);
      rmSync(trace, { force: true });
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", "commit", "-qam", "own"], {
        cwd: lab.root,
        env: { ...env, GIT_TRACE2_EVENT: trace },
      });
      const told = readFileSync(trace, "utf8").matchAll(/"category":"fsync".*?"(?:value|count)":"?(\d+)/g);
      return [...told].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const own = { PATH: process.env["PATH"] ?? "", HOME: lab.root };
    const plain = flushes(own);
    expect(flushes(attemptEnv(own, { task: "T1", token: "tok", instance: undefined }))).toBeGreaterThan(
      plain + 2,
    );
  });

  it("[V22] an object that the disk refuses is written anew before it counts", async () => {
    using lab = openGitLab();
    let refused = "";
    const { repository, synced } = await watched(lab, "phase/1-x", path => {
      if (refused === "" && path === join(lab.root, ".git/objects/3e/757656cf36eca53338e520d134963a44f793f8"))
        refused = path;
      return path === refused;
    });
    const vcs = createGitVcs(repository);
    const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/b.txt`, "new\n");
    const inode = () => lstatSync(placeOf(lab, "3e757656cf36eca53338e520d134963a44f793f8")).ino;
    lab.gitIn(folder.path, "add", "-A");
    const was = inode();
    must(await landAll(vcs, folder, folder));
    expect(refused).not.toBe("");
    expect(inode()).not.toBe(was);
    expect(synced.some(({ path }) => path.includes("/3e/tmp_obj_"))).toBe(true);
  });

  it("[V22] where the disk takes nothing, no ref moves, and the failure says so", async () => {
    using lab = openGitLab();
    let isBroken = false;
    const { repository } = await watched(lab, "phase/1-x", path => isBroken && path.includes("/objects/"));
    const vcs = createGitVcs(repository);
    const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${folder.path}/b.txt`, "new\n");
    const before = lab.git("rev-parse", "phase/1-x");
    isBroken = true;
    const landed = await landAll(vcs, folder, folder, { attempt: "once" });
    expect(whyOf(landed)).toContain("EIO");
    expect(lab.git("rev-parse", "phase/1-x")).toBe(before);
    isBroken = false;
    expect(must(await landAll(vcs, folder, folder, { attempt: "once" })).kind).toBe("landed");
  });
});
