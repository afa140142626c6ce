import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { commitTree } from "./commit.ts";
import { headBranch, inFolder } from "./folders.ts";
import { changeRefs, headRef, needRef } from "./refs.ts";
import { change, type Repository } from "./repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/**
 * Commits tracked files of the main checkout as they stand, and nothing else of what a person has staged or changed there.
 * Files that git does not track are left alone.
 */
export async function recordFiles(
  repository: Repository,
  paths: readonly string[],
  message: string,
): Answer<boolean> {
  return repository.queue(async (): Answer<boolean> => {
    const { gitDir, top } = repository.facts;
    const branch = headBranch(gitDir);
    const options = inFolder(gitDir, top);
    const head = await needRef(repository, "HEAD");
    if (!head.ok || branch === undefined) return head.ok ? ok(false) : head;
    const tracked = await repository.git.fields(["ls-files", "-z", "--", ...paths], options);
    if (!tracked.ok) return tracked;
    if (tracked.value.length === 0) return ok(false);
    // A tree of the last commit with these files exchanged; the person's own index only learns of them afterwards.
    const index = `${gitDir}/espalier-record`;
    const own = { ...options, index };
    const begun = await change(repository, ["read-tree", head.value], own);
    const added = begun.ok ? await change(repository, ["add", "--", ...tracked.value], own) : begun;
    const tree = added.ok ? await change(repository, ["write-tree"], own) : added;
    if (!tree.ok) return tree;
    const before = await repository.git.text(["rev-parse", `${head.value}^{tree}`]);
    if (!before.ok) return before;
    if (before.value === tree.value) return ok(false);
    const commit = await commitTree(repository, tree.value, [head.value], `${message}\n`);
    if (!commit.ok) return commit;
    const staged = await change(repository, ["add", "--", ...tracked.value], options);
    if (!staged.ok) return staged;
    const moved = await changeRefs(
      repository,
      [{ ref: headRef(branch), from: head.value, to: commit.value }],
      message,
    );
    return moved.ok ? ok(true) : moved;
  });
}
