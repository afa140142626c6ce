import { existsSync } from "node:fs";
import { join } from "node:path";
import { because, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { failed } from "../call/failure.ts";
import {
  type CommitParts,
  commitText,
  type Signature,
  signedBy,
  storeCommit,
  storesPlainly,
} from "../repository/commit-object.ts";
import { change, type Repository } from "../repository/repository.ts";

/** Whether an object is there: somebody may have pruned what no ref named yet. A new one is a file of its own. */
export async function isThere({ git, facts }: Repository, id: string): Promise<Result<boolean, VcsFailure>> {
  if (existsSync(join(facts.common, "objects", id.slice(0, 2), id.slice(2)))) return ok(true);
  const asked = await git.run(["cat-file", "-e", id], { answers: [1, 128] });
  return asked.ok ? ok(asked.value.code === 0) : asked;
}

/** Fails where a tree is not there. */
async function requireTree(repository: Repository, tree: string): Promise<Result<unknown, VcsFailure>> {
  const found = await isThere(repository, tree);
  if (!found.ok || found.value) return found;
  repository.memory.forgetIndexes();
  return failed(because("said", { by: "git", text: `git cat-file: tree ${tree} is not there` }));
}

/** Makes a commit, without starting git where that may be, now or as of another time. Git itself says who commits where `by` is undefined. */
export async function makeCommit(
  repository: Repository,
  parts: CommitParts,
  by: Signature | undefined,
  at?: Date,
): Promise<Result<string, VcsFailure>> {
  const { common } = repository.facts;
  if (by !== undefined && storesPlainly(repository.facts)) {
    const held = await requireTree(repository, parts.tree);
    return held.ok ? storeCommit(common, commitText(parts, by, at ?? new Date())) : held;
  }
  const { tree, parents, message } = parts;
  const args = ["commit-tree", tree, ...parents.flatMap(parent => ["-p", parent]), "-F", "-"];
  const date = at && `@${Math.floor(at.getTime() / 1000)} +0000`;
  const dated = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return change(repository, args, { input: message, env: { ...signedBy(by), ...dated } });
}
