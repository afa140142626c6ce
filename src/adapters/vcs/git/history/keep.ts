import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Repository } from "../repository/repository.ts";
import { commitTree } from "./commit.ts";
import { changeRefs, headRef, readRef } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

function rescueOf(name: string, what: string): string {
  return `espalier/rescue/${name}-${what.slice(0, 8)}`;
}

/** The branch that `keepCommit` has hold a commit. */
export function keptOn(branch: string, commit: string): string {
  return rescueOf(branch.replaceAll("/", "-"), commit);
}

/** Has a branch for people hold a commit, named after what it keeps: the same is kept once. Returns the branch. */
async function keepOn(
  repository: Repository,
  name: string,
  what: string,
  commit: () => Answer<string>,
): Answer<string> {
  const branch = rescueOf(name, what);
  const there = await readRef(repository, headRef(branch));
  if (!there.ok) return there;
  if (there.value !== undefined) return ok(branch);
  const to = await commit();
  if (!to.ok) return to;
  const made = await changeRefs(repository, [{ ref: headRef(branch), to: to.value }], `rescue ${name}`);
  return made.ok ? ok(branch) : made;
}

/** Keeps a tree on a branch of its own, for people; returns the branch. */
export function keepAside(
  repository: Repository,
  name: string,
  tree: string,
  parent: string,
  why: string,
): Answer<string> {
  return keepOn(repository, name, tree, () => commitTree(repository, tree, [parent], `Rescued: ${why}\n`));
}

/** Keeps a commit that a branch is about to lose; returns the branch that holds it. */
export function keepCommit(repository: Repository, branch: string, commit: string): Answer<string> {
  return keepOn(repository, branch.replaceAll("/", "-"), commit, async () => ok(commit));
}
