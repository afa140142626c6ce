import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { type Plan, widestFront } from "../../plan/index.ts";
import { because, type OneFolder, type Reason } from "../../ports/index.ts";
import type { Invocation } from "../project/invocation.ts";
import type { Project } from "../project/project.ts";

/** The `.git` of the repository that a folder is or lies in; undefined for none. */
export function gitAround(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether that is a repository, and not the rest of one. */
export function isRepository(git: string | undefined): git is string {
  return git !== undefined && (!lstatSync(git).isDirectory() || existsSync(join(git, "HEAD")));
}

/** Whether a repository has a commit. A linked worktree has one, and so has what stores its branches in another way. */
function hasCommit(git: string): boolean {
  if (!lstatSync(git).isDirectory()) return true;
  if (existsSync(join(git, "packed-refs")) || existsSync(join(git, "reftable"))) return true;
  const head = readBounded(join(git, "HEAD"), { maxBytes: 1024 });
  const isDetached = head.ok && !Buffer.from(head.value).toString().startsWith("ref:");
  const heads = join(git, "refs", "heads");
  return isDetached || (existsSync(heads) && readdirSync(heads).length > 0);
}

/** Why all tasks of a project work in one folder, as far as that shows without git; undefined where they do not. */
export function oneFolderOf({ root, config }: Pick<Project, "root" | "config">): OneFolder | undefined {
  if (config.git.worktrees === "off") return "off";
  const git = gitAround(root);
  if (!isRepository(git)) return "no-repository";
  return hasCommit(git) ? undefined : "no-commits";
}

/** What a person is told where tasks that could go out together do not, because they would write one folder. */
export function oneFolderNote(
  why: OneFolder | undefined,
  { config }: Pick<Project, "config">,
  invocation: Invocation,
  plan: Plan,
): Reason | undefined {
  const isChosen = (invocation.parallel ?? config.parallel) !== undefined;
  if (why === undefined || isChosen || widestFront(plan).length < 2) return undefined;
  return because("one-folder", { why });
}
