import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openRepository } from "../../src/adapters/vcs/git/index.ts";
import { inEnglish } from "../reasons.ts";
import { type GitLab, must, openGitLab } from "./lab.ts";

const request = (lab: GitLab) => ({
  root: lab.root,
  env: { PATH: process.env["PATH"] ?? "", HOME: lab.folder },
  leaveOut: () => [],
  rescueDir: join(lab.folder, "rescued"),
  allows: () => false,
});

/** What opening the repository comes to; a git that was started at a pipe would not come back. */
async function refusal(lab: GitLab): Promise<string> {
  const opened = await openRepository(request(lab));
  return opened.ok ? "" : inEnglish(opened.failure.reason);
}

function clear(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
}

const READ = [
  ".git/HEAD",
  ".git/packed-refs",
  ".git/commondir",
  ".git/config",
  ".git/config.worktree",
  ".git/index",
  ".git/shallow",
  ".git/info/attributes",
  ".git/info/exclude",
  ".git/objects/info/alternates",
  ".git/refs/heads/main",
  ".gitmodules",
  ".gitattributes",
  ".gitignore",
];

it.each([".git", ...READ])("[V31] git is not started where %s is a pipe", async name => {
  using lab = openGitLab();
  clear(join(lab.root, name));
  execFileSync("mkfifo", [join(lab.root, name)]);
  expect(await refusal(lab)).toContain(`${join(lab.root, name)} is a pipe`);
});

it.each(READ.filter(name => !name.includes("refs/heads") && name !== ".git/index"))(
  "[V31] git is not started where %s has no end",
  async name => {
    using lab = openGitLab();
    const path = join(lab.root, name);
    clear(path);
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
    expect(await refusal(lab)).toContain(`${path} has 1099511627776 bytes`);
  },
);

it.each([".git/config", ".git/shallow", ".gitignore", ".gitattributes"])(
  "[V31] git is not started where %s leads to a device",
  async name => {
    using lab = openGitLab();
    const path = join(lab.root, name);
    clear(path);
    symlinkSync("/dev/zero", path);
    expect(await refusal(lab)).toContain(`${path} is a device`);
  },
);

it.each([".git/logs", ".git/logs/refs", ".git/logs/refs/heads", ".git/worktrees"])(
  "[V31] git is not started where a file stands instead of the folder %s",
  async name => {
    using lab = openGitLab();
    const path = join(lab.root, name);
    clear(path);
    writeFileSync(path, "");
    expect(await refusal(lab)).toContain(`${path} is no folder`);
  },
);

it("[V31] a socket is none of git's files", async () => {
  using lab = openGitLab();
  const path = join(lab.root, ".git", "packed-refs");
  const server = createServer().listen(path);
  await new Promise(resolve => server.once("listening", resolve));
  expect(await refusal(lab)).toContain(`${path} is a socket`);
  server.close();
});

it("[V31] the folders that a repository borrows objects from are looked through, too", async () => {
  using lab = openGitLab();
  const lender = lab.place("lender");
  cpSync(join(lab.root, ".git", "objects"), lender, { recursive: true });
  writeFileSync(join(lab.root, ".git", "objects", "info", "alternates"), `${lender}\n`);
  expect(await refusal(lab)).toBe("");
  const path = join(lender, "info", "alternates");
  clear(path);
  execFileSync("mkfifo", [path]);
  expect(await refusal(lab)).toContain(`${path} is a pipe`);
});

it("[V31] and those that a lender borrows from in turn", async () => {
  using lab = openGitLab();
  const [first, second] = [lab.place("first"), lab.place("second")];
  for (const [at, lender] of [
    [join(lab.root, ".git", "objects"), first],
    [first, second],
  ] as const) {
    mkdirSync(join(lender, "info"), { recursive: true });
    mkdirSync(join(at, "info"), { recursive: true });
    writeFileSync(join(at, "info", "alternates"), `${lender}\n`);
  }
  execFileSync("mkfifo", [join(second, "pipe")]);
  expect(await refusal(lab)).toContain(`${join(second, "pipe")} is a pipe`);
});

it("[V31] so is the repository that a .git file names", async () => {
  using lab = openGitLab();
  const moved = lab.place("moved");
  renameSync(join(lab.root, ".git"), moved);
  writeFileSync(join(lab.root, ".git"), `gitdir: ${moved}\n`);
  clear(join(moved, "HEAD"));
  execFileSync("mkfifo", [join(moved, "HEAD")]);
  expect(await refusal(lab)).toContain(`${join(moved, "HEAD")} is a pipe`);
});

it.each(["packed-refs", "shallow", "index", "objects/info/alternates"])(
  "[V31] what becomes a pipe while we work is an entry point: %s",
  async name => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    must(await vcs.inspect());
    const path = join(lab.root, ".git", name);
    clear(path);
    execFileSync("mkfifo", [path]);
    const inspected = await vcs.inspect();
    expect(inspected.ok ? "" : inspected.failure).toMatchObject({ kind: "config-changed", keys: [name] });
  },
);

it("[V32] a repository that comes to lie between us and ours is not asked for our configuration", async () => {
  using lab = openGitLab({ "sub/a.txt": "one\n" });
  const project = join(lab.root, "sub");
  const opened = await openRepository({ ...request(lab), root: project });
  const { git } = must(opened);
  must(await git.text(["rev-parse", "HEAD"]));
  lab.gitIn(project, "init", "-q");
  cpSync(join(lab.root, ".git", "config"), join(project, ".git", "config"));
  must(await git.text(["rev-parse", "HEAD"]));
  lab.git("config", "filter.evil.clean", "touch pwned");
  const asked = await git.text(["rev-parse", "HEAD"]);
  expect(asked.ok ? "" : asked.failure).toMatchObject({ keys: ["filter.evil.clean"] });
});
