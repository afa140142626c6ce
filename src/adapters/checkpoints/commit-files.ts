import { spawnSync } from "node:child_process";
import type { WorkFile } from "../../checkpoint/index.ts";
import { OBJECT_ID } from "../../ports/index.ts";
import { gitEnv, gitGuards, splitFields } from "../vcs/git/call/call.ts";

/** Objects of the repository are all that is read. */
const SHOW = ["show", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-status", "-z", "--format="];
/** Checkpoints are also written by a process that is about to leave: git is not waited for longer. */
const PATIENCE = 5_000;
const MOST_BYTES = 16 * 1024 ** 2;
const MOST_COMMITS = 1_000;

const STATUS: Readonly<Record<string, WorkFile["status"]>> = {
  A: "created",
  M: "modified",
  T: "modified",
  D: "deleted",
};

/** The files that commits changed, oldest commit first; empty where git or the commits cannot be had. */
export function filesOfCommits(
  git: string | undefined,
  root: string,
  env: NodeJS.ProcessEnv,
  commits: readonly string[],
): WorkFile[] {
  const named = commits.filter(id => OBJECT_ID.test(id)).slice(-MOST_COMMITS);
  if (git === undefined || named.length === 0) return [];
  const done = spawnSync(git, [...gitGuards(), ...SHOW, ...named, "--"], {
    cwd: root,
    env: gitEnv(env),
    timeout: PATIENCE,
    maxBuffer: MOST_BYTES,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return done.status === 0 ? filesOf(splitFields(done.stdout)) : [];
}

/** The folder of a project in its repository, with `/` at the end; empty where it is the top, and where git cannot say. */
export function prefixOf(git: string | undefined, root: string, env: NodeJS.ProcessEnv): string {
  if (git === undefined) return "";
  const done = spawnSync(git, [...gitGuards(), "rev-parse", "--show-prefix"], {
    cwd: root,
    env: gitEnv(env),
    timeout: PATIENCE,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return done.status === 0 ? done.stdout.toString().replace(/\n$/, "") : "";
}

/** Pairs of status and path; the last word on a path counts, but what was created stays so. */
function filesOf(fields: readonly string[]): WorkFile[] {
  const found = new Map<string, WorkFile["status"]>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mark, path] = [fields[at]!.trim(), fields[at + 1]!];
    const status = STATUS[mark[0] ?? ""] ?? "modified";
    const before = found.get(path);
    if (before === "created" && status === "deleted") found.delete(path);
    else found.set(path, before === "created" && status === "modified" ? "created" : status);
  }
  return [...found].map(([path, status]) => ({ path, status, change: "" }));
}
