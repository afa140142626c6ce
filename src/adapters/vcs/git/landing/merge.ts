import { lstatSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join as joinPath } from "node:path";
import {
  because,
  type Merged,
  type MergeRequest,
  ok,
  type Result,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { failed } from "../call/failure.ts";
import { checkMove, isHalfMoved, moveCheckout } from "../files/checkout.ts";
import { putEntries } from "../files/index-entries.ts";
import { beginMove, endMove, interruptedMove } from "../files/move.ts";
import { settleCheckout } from "../files/settle-files.ts";
import { differences } from "../files/snapshot.ts";
import { commitTree } from "../history/commit.ts";
import { knowing } from "../history/contained.ts";
import { soundBranch } from "../history/own-branch.ts";
import { changeRefs, headRef, isAncestor, needRef, settleRef } from "../history/refs.ts";
import { join, toldConflicts } from "../join/join.ts";
import { joinBeside } from "../join/join-inserts.ts";
import { foldersBeside, headBranch, inFolder } from "../places/folders.ts";
import { ABSENT, type Difference } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Removes a file that git had not written to its end: all that is in it is in the commit. */
async function dropUnfinished(
  { git, facts: { top } }: Repository,
  { path, newMode, newId }: Difference,
): Answer<void> {
  const place = joinPath(top, path);
  const facts = lstatSync(place, { throwIfNoEntry: false });
  if (!newMode.startsWith("100") || facts?.isFile() !== true) return ok(undefined);
  const whole = await git.run(["cat-file", "blob", newId]);
  if (!whole.ok) return whole;
  const { stdout } = whole.value;
  if (facts.size < stdout.length && readFileSync(place).equals(stdout.subarray(0, facts.size))) rmSync(place);
  return ok(undefined);
}

/**
 * A person's checkout that was left half way to a commit: files that are already what they were to become are told to the
 * index, so that the way can be gone to its end. Of what else is there, only what git itself had not written to its end goes.
 */
async function catchUp(repository: Repository, from: string, to: string): Answer<void> {
  const { gitDir, top } = repository.facts;
  const options = inFolder(gitDir, top);
  const found = await differences(repository, from, to);
  if (!found.ok) return found;
  const lines: string[] = [];
  for (const difference of found.value) {
    const { path, newMode, newId } = difference;
    const facts = lstatSync(joinPath(top, path), { throwIfNoEntry: false });
    // A link is what it says, not what it leads to.
    const hashed =
      facts?.isSymbolicLink() === true
        ? await repository.git.text(["hash-object", "--stdin"], { input: readlinkSync(joinPath(top, path)) })
        : await repository.git.text(["hash-object", "--", path], options);
    const isGone = !hashed.ok;
    if (isGone ? newMode === ABSENT : hashed.value === newId)
      lines.push(`${isGone ? "0" : newMode} ${newId}\t${path}`);
    else if (!isGone) {
      const dropped = await dropUnfinished(repository, difference);
      if (!dropped.ok) return dropped;
    }
  }
  const done = await putEntries(repository, options, lines);
  return done.ok ? ok(undefined) : done;
}

/** Moves the target branch, and the main checkout with it where it stands there. */
async function advance(
  repository: Repository,
  { into, message }: MergeRequest,
  from: string,
  to: string,
): Answer<void> {
  const { gitDir, top } = repository.facts;
  const elsewhere = foldersBeside(repository.facts).find(({ branch }) => branch === into);
  if (elsewhere !== undefined)
    return failed(because("branch-checked-out", { branch: into, path: elsewhere.path, way: "merge" }));
  const isHere = headBranch(gitDir) === into;
  if (isHere) {
    const clear = await checkMove(repository, gitDir, top, from, to);
    if (!clear.ok) return clear;
    const begun = await beginMove(repository, gitDir, to);
    if (!begun.ok) return begun;
    const moved = await moveCheckout(repository, gitDir, top, from, to);
    if (!moved.ok) {
      if (!(await isHalfMoved(repository, top, from, to))) endMove(gitDir);
      return moved;
    }
    const settled = await settleCheckout(repository, { path: top }, from, to);
    if (!settled.ok) return settled;
  }
  const done = await changeRefs(repository, [{ ref: headRef(into), from, to }], message);
  if (isHere) endMove(gitDir);
  return done.ok ? ok(undefined) : done;
}

/** Joins a finished branch into another with a merge commit. */
export function mergeBranch(repository: Repository, request: MergeRequest): Answer<Merged> {
  return repository.landings(() =>
    repository.refs.alone(async (): Answer<Merged> => {
      const { branch, into, message, inserts } = request;
      const ours = await needRef(repository, headRef(into));
      if (!ours.ok) return ours;
      const sound = await soundBranch(repository, branch);
      if (!sound.ok) return sound;
      const theirs = sound.value.tip;
      const before = await isAncestor(repository, theirs, ours.value);
      if (!before.ok) return before;
      if (before.value) {
        const settled = await settleRef(repository, headRef(into));
        return settled.ok ? ok({ kind: "merged", commit: ours.value, already: true }) : settled;
      }
      const known = await knowing(repository, ours.value);
      if (!known.ok) return known;
      const joined = await join(repository, known.value, theirs);
      if (!joined.ok) return joined;
      const beside = await joinBeside(repository, joined.value, ours.value, {
        into: { path: repository.facts.top },
        ...(inserts === undefined ? {} : { inserts }),
      });
      if (!beside.ok) return beside;
      const { tree, conflicts } = beside.value;
      const files = beside.value.joined.map(({ path }) => path);
      if (conflicts.length > 0) return ok({ kind: "conflict", files: toldConflicts(conflicts) });
      const commit = await commitTree(repository, tree, [ours.value, theirs], `${message}\n`);
      if (!commit.ok) return commit;
      const to = interruptedMove(repository.facts.gitDir)?.to ?? "";
      if (to !== "") {
        const caught = await catchUp(repository, ours.value, to);
        if (!caught.ok) return caught;
      }
      const moved = await advance(repository, request, ours.value, commit.value);
      if (!moved.ok) return moved;
      const now = await needRef(repository, headRef(into));
      const held = now.ok ? await isAncestor(repository, theirs, now.value) : now;
      if (!held.ok) return held;
      return held.value
        ? ok({
            kind: "merged",
            commit: commit.value,
            already: false,
            ...(files.length === 0 ? {} : { joined: files }),
          })
        : failed(because("merge-not-held", { branch, into }));
    }),
  );
}
