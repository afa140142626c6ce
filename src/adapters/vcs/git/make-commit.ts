import type { Result, VcsFailure } from "../../../ports/index.ts";
import {
  type CommitParts,
  commitText,
  type Signature,
  signedBy,
  storeCommit,
  storesPlainly,
} from "./commit-object.ts";
import { change, type Repository } from "./repository.ts";

/** Makes a commit, without starting git where that may be, now or as of another time. Git itself says who commits where `by` is undefined. */
export async function makeCommit(
  repository: Repository,
  parts: CommitParts,
  by: Signature | undefined,
  at?: Date,
): Promise<Result<string, VcsFailure>> {
  const { common } = repository.facts;
  if (by !== undefined && storesPlainly(repository.facts))
    return storeCommit(common, commitText(parts, by, at ?? new Date()));
  const { tree, parents, message } = parts;
  const args = ["commit-tree", tree, ...parents.flatMap(parent => ["-p", parent]), "-F", "-"];
  const date = at && `@${Math.floor(at.getTime() / 1000)} +0000`;
  const dated = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return change(repository, args, { input: message, env: { ...signedBy(by), ...dated } });
}
