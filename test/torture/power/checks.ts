import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteReader } from "../../../src/adapters/store/index.ts";
import { contentOf, TASKS } from "./project.ts";

const git = (folder: string, ...args: string[]) =>
  spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });

/** Tasks that the database has as completed, and problems of reading it. */
function completedIn(folder: string): {
  readonly completed: ReadonlySet<string>;
  readonly problems: string[];
} {
  const none = { completed: new Set<string>() };
  const opened = openSqliteReader({ path: join(folder, ".espalier", "espalier.db") });
  if (!opened.ok)
    return { ...none, problems: [`the database cannot be opened: ${JSON.stringify(opened.failure)}`] };
  if (opened.value === undefined) return { ...none, problems: [] };
  try {
    const loaded = opened.value.load();
    if (!loaded.ok)
      return { ...none, problems: [`the database cannot be read: ${JSON.stringify(loaded.failure)}`] };
    const rows = loaded.value?.tasks ?? [];
    return {
      completed: new Set(rows.flatMap(row => (row.status === "completed" ? [row.id] : []))),
      problems: [],
    };
  } finally {
    opened.value.close();
  }
}

/** The tasks whose commits some refs hold, one for each commit. */
function landedOn(folder: string, ...refs: string[]): string[] {
  const format = "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)";
  return git(folder, "log", format, ...refs, "--")
    .stdout.split("\n")
    .filter(line => line !== "");
}

/** Every object below some refs is read to its last byte. */
function unreadable(folder: string, refs: readonly string[]): string[] {
  const listed = git(folder, "rev-list", "--objects", "--no-object-names", ...refs, "--");
  if (listed.status !== 0) return [listed.stderr.trim()];
  const read = spawnSync("git", ["cat-file", "--batch", "--buffer"], {
    cwd: folder,
    input: listed.stdout,
    maxBuffer: 256 * 1024 ** 2,
  });
  const missing = read.stdout.toString("latin1").match(/^\w+ missing$/gm) ?? [];
  return read.status === 0 ? missing : [read.stderr.toString().trim()];
}

/** The branches that tasks land on, as they stand. */
function homes(folder: string): string[] {
  const found = git(folder, "for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/heads/phase");
  return found.stdout.split("\n").filter(line => line !== "");
}

/** What of the acknowledged is not there, before anything mends anything. */
export function lost(folder: string, done: readonly string[], merged: readonly string[]): string[] {
  const { completed, problems } = completedIn(folder);
  const refs = homes(folder);
  const landed = new Set(landedOn(folder, ...refs));
  const onMain = new Set(landedOn(folder, "refs/heads/main"));
  return [
    ...problems,
    ...done.filter(task => !completed.has(task)).map(task => `${task} is not completed in the database`),
    ...done.filter(task => !landed.has(task)).map(task => `the commit of ${task} is on no branch`),
    ...merged
      .flatMap(phase => TASKS.filter(task => task.startsWith(`T${phase}.`)))
      .filter(task => !onMain.has(task))
      .map(task => `${task} was merged and is not on main`),
    ...(done.length === 0 ? [] : unreadable(folder, refs).map(line => `not readable: ${line}`)),
  ];
}

/** What is wrong after the run was taken up again and came to its end. */
export function unfinished(folder: string): string[] {
  const { completed, problems } = completedIn(folder);
  const landed = landedOn(folder, "refs/heads/main");
  const twice = landed.filter((task, at) => landed.indexOf(task) !== at);
  const fsck = git(folder, "fsck", "--full", "--no-dangling", "--no-progress");
  const all = git(folder, "log", "--all", "--format=%H");
  const status = git(folder, "status", "--porcelain");
  const wrong = TASKS.filter(task => {
    const shown = git(folder, "show", `main:work/${task}.txt`);
    return shown.status !== 0 || shown.stdout !== contentOf(task);
  });
  const torn = TASKS.filter(task => {
    try {
      return readFileSync(join(folder, "work", `${task}.txt`), "utf8") !== contentOf(task);
    } catch {
      return true;
    }
  });
  const foreign = execFileSync("git", ["worktree", "list"], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n")
    .slice(1);
  return [
    ...problems,
    ...TASKS.filter(task => !completed.has(task)).map(task => `${task} is not completed`),
    ...TASKS.filter(task => !landed.includes(task)).map(task => `${task} is not on main`),
    ...twice.map(task => `${task} landed more than once`),
    ...wrong.map(task => `${task} is not what it was to be`),
    ...torn.map(task => `the file of ${task} is not what it was to be`),
    ...(fsck.status === 0 ? [] : [`fsck: ${(fsck.stderr + fsck.stdout).trim().slice(0, 300)}`]),
    ...(all.status === 0 ? [] : [`git log --all: ${all.stderr.trim().slice(0, 200)}`]),
    ...(status.stdout === "" ? [] : [`status: ${status.stdout.trim().slice(0, 200)}${status.stderr}`]),
    ...foreign.map(line => `left: ${line}`),
  ];
}
