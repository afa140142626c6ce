import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../../file/index.ts";
import { headBranch } from "../places/folders.ts";
import { namedGitDir, realPath } from "../places/pointers.ts";
import { cloneDirectory } from "../trust/own-place.ts";
import { openStoredRefs } from "./stored-refs.ts";

/** Bytes of a reflog that is looked at. */
const MOST_OF_A_LOG = 64 * 1024 ** 2;

/** `old new who <mail> time zone\tcheckout: moving from A to B` */
const MOVED = /\tcheckout: moving from (\S+) to (\S+)$/;

/** The commit that a branch stood at when a checkout had it last; git itself tells none of a branch that is gone. */
function lastCommit(gitDir: string, branch: string): string | undefined {
  const log = readBounded(join(gitDir, "logs", "HEAD"), { maxBytes: MOST_OF_A_LOG });
  if (!log.ok) return undefined;
  const lines = Buffer.from(log.value).toString("utf8").trimEnd().split("\n");
  // A line names the commit before and the one after, zeros for none.
  const idsOf = (line: string) =>
    line.split(" ", 2).map(id => (/^(?!0+$)[0-9a-f]{40,64}$/.test(id) ? id : undefined));
  const isLeft = (line: string) => MOVED.exec(line)?.[1] === branch;
  const isMove = (line: string) => MOVED.test(line);
  const to = MOVED.exec(lines.findLast(isMove) ?? "")?.[2];
  const [left] = idsOf(lines.findLast(isLeft) ?? "");
  if (to !== undefined && to !== branch) return left;
  const [before, after] = idsOf(lines.at(-1) ?? "");
  return after ?? before;
}

/** A branch that is checked out at a `.git` and names no commit, with the one that it named last; without asking git. */
export function unbornAt(entry: string): { readonly branch: string; readonly last?: string } | undefined {
  const common = cloneDirectory(entry);
  const gitDir = lstatSync(entry).isDirectory() ? entry : realPath(namedGitDir(entry) ?? "");
  if (common === undefined || gitDir === undefined) return undefined;
  const branch = headBranch(gitDir);
  if (branch === undefined || openStoredRefs(common).read(`refs/heads/${branch}`).kind !== "absent")
    return undefined;
  const last = lastCommit(gitDir, branch);
  return { branch, ...(last === undefined ? {} : { last }) };
}
