import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Git } from "./call.ts";
import { firstLine, namedGitDir, realPath } from "./pointers.ts";

/**
 * Whether a git directory says itself that the `.git` file `entry` leads to it, and lies where its repository keeps such: a
 * worktree's below `worktrees/` of the repository that it names, for it may name any.
 */
async function isKnownBy(git: Git, gitDir: string, common: string, entry: string): Promise<boolean> {
  const back = firstLine(join(gitDir, "gitdir"));
  if (back !== undefined)
    return realPath(resolve(gitDir, back)) === entry && dirname(gitDir) === join(common, "worktrees");
  if (gitDir !== common) return false;
  const named = await git.text(["config", "--get", "core.worktree"], { answers: [1] });
  return named.ok && named.value !== "" && realPath(resolve(gitDir, named.value)) === dirname(entry);
}

/** Why the repository that git found is not the one of the `.git` at a checkout's top; undefined where all is well. */
export async function ledAway(
  git: Git,
  top: string,
  gitDir: string,
  common: string,
): Promise<string | undefined> {
  const entry = join(top, ".git");
  const facts = lstatSync(entry, { throwIfNoEntry: false });
  const found = realPath(gitDir);
  if (facts?.isDirectory() === true)
    return found === realPath(entry) && found === common
      ? undefined
      : `${gitDir} is not the repository of ${entry}`;
  const named = facts?.isFile() === true ? namedGitDir(entry) : undefined;
  if (named === undefined || found === undefined || realPath(named) !== found)
    return `${entry} does not name ${gitDir}`;
  if (!(await isKnownBy(git, found, common, entry)))
    return `${entry} names ${gitDir}, which does not know of it`;
  return undefined;
}
