import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../file/index.ts";
import { headBranch } from "./folders.ts";
import { cloneDirectory } from "./own-place.ts";
import { namedGitDir, realPath } from "./pointers.ts";
import { openStoredRefs } from "./stored-refs.ts";

/** Bytes of a reflog that is looked at. */
const MOST_OF_A_LOG = 64 * 1024 ** 2;

/** The commit that a checkout stood at last; git itself tells none of a branch that is gone. */
function lastCommit(gitDir: string): string | undefined {
  const log = readBounded(join(gitDir, "logs", "HEAD"), { maxBytes: MOST_OF_A_LOG });
  if (!log.ok) return undefined;
  const last = Buffer.from(log.value).toString("utf8").trimEnd().split("\n").at(-1) ?? "";
  // A line names the commit before and the one after, zeros for none.
  return last
    .split(" ", 2)
    .toReversed()
    .find(id => /^[0-9a-f]{40,64}$/.test(id) && /[^0]/.test(id));
}

/** A branch that is checked out at a `.git` and names no commit, with the one that it named last; without asking git. */
export function unbornAt(entry: string): { readonly branch: string; readonly last?: string } | undefined {
  const common = cloneDirectory(entry);
  const gitDir = lstatSync(entry).isDirectory() ? entry : realPath(namedGitDir(entry) ?? "");
  if (common === undefined || gitDir === undefined) return undefined;
  const branch = headBranch(gitDir);
  if (branch === undefined || openStoredRefs(common).read(`refs/heads/${branch}`).kind !== "absent")
    return undefined;
  const last = lastCommit(gitDir);
  return { branch, ...(last === undefined ? {} : { last }) };
}
