import {
  fail,
  type Merged,
  type MergeRequest,
  ok,
  type Result,
  type VcsFailure,
} from "../../../ports/index.ts";
import { commitTree } from "./commit.ts";
import { headBranch, inFolder, knownFolders } from "./folders.ts";
import { join } from "./join.ts";
import { beginMove, endMove, interruptedMove, moveCheckout } from "./move.ts";
import { changeRefs, headRef, isAncestor, needRef } from "./refs.ts";
import { change, type Repository } from "./repository.ts";
import { differences } from "./snapshot.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/**
 * A person's checkout that was left half way to a commit: files that are already what they were to become are told to the
 * index, so that the way can be gone to its end. Nothing in the folder changes.
 */
async function catchUp(repository: Repository, from: string, to: string): Answer<void> {
  const { gitDir, top } = repository.facts;
  const options = inFolder(gitDir, top);
  const found = await differences(repository, from, to);
  if (!found.ok) return found;
  const lines: string[] = [];
  for (const { path, newMode, newId } of found.value) {
    const hashed = await repository.git.text(["hash-object", "--", path], options);
    const isGone = !hashed.ok;
    if (isGone ? newMode === "000000" : hashed.value === newId)
      lines.push(`${isGone ? "0" : newMode} ${newId}\t${path}`);
  }
  if (lines.length === 0) return ok(undefined);
  const input = `${lines.join("\0")}\0`;
  const done = await change(repository, ["update-index", "-z", "--index-info"], { ...options, input });
  return done.ok ? ok(undefined) : done;
}

/** Moves the target branch, and the main checkout with it where it stands there. */
async function advance(
  repository: Repository,
  { into, message }: MergeRequest,
  from: string,
  to: string,
): Answer<void> {
  const { gitDir, top, common } = repository.facts;
  const elsewhere = knownFolders(common).find(folder => folder.branch === into);
  if (elsewhere !== undefined)
    return fail({ kind: "failed", message: `${into} is checked out in ${elsewhere.path}; merge it there` });
  const isHere = headBranch(gitDir) === into;
  if (isHere) {
    beginMove(gitDir, to);
    const moved = await moveCheckout(repository, gitDir, top, from, to);
    if (!moved.ok) {
      endMove(gitDir);
      return moved;
    }
  }
  const done = await changeRefs(repository, [{ ref: headRef(into), from, to }], message);
  if (isHere) endMove(gitDir);
  return done.ok ? ok(undefined) : done;
}

/** Joins a finished branch into another with a merge commit. */
export function mergeBranch(repository: Repository, request: MergeRequest): Answer<Merged> {
  return repository.landings(() =>
    repository.queue(async (): Answer<Merged> => {
      const { branch, into, message } = request;
      const ours = await needRef(repository, headRef(into));
      if (!ours.ok) return ours;
      const theirs = await needRef(repository, headRef(branch));
      if (!theirs.ok) return theirs;
      const before = await isAncestor(repository, theirs.value, ours.value);
      if (!before.ok) return before;
      if (before.value) return ok({ kind: "merged", commit: ours.value, already: true });
      const joined = await join(repository, ours.value, theirs.value);
      if (!joined.ok) return joined;
      const { tree, conflicts } = joined.value;
      if (conflicts.length > 0) return ok({ kind: "conflict", files: conflicts });
      const commit = await commitTree(repository, tree, [ours.value, theirs.value], `${message}\n`);
      if (!commit.ok) return commit;
      const to = interruptedMove(repository.facts.gitDir);
      if (to !== undefined && to !== "") {
        const caught = await catchUp(repository, ours.value, to);
        if (!caught.ok) return caught;
      }
      const moved = await advance(repository, request, ours.value, commit.value);
      if (!moved.ok) return moved;
      const now = await needRef(repository, headRef(into));
      const held = now.ok ? await isAncestor(repository, theirs.value, now.value) : now;
      if (!held.ok) return held;
      return held.value
        ? ok({ kind: "merged", commit: commit.value, already: false })
        : fail({ kind: "failed", message: `${into} does not hold ${branch} after the merge` });
    }),
  );
}
