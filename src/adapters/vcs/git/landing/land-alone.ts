import {
  because,
  few,
  type Landed,
  type LandRequest,
  ok,
  type Result,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { failed } from "../call/failure.ts";
import { isElsewhere, noteEnded } from "../files/begun.ts";
import { showOwnIndex } from "../files/move.ts";
import { settleCheckout } from "../files/settle-files.ts";
import { changeIndex, differences, enter, treeOf } from "../files/snapshot.ts";
import { commitTree, commitWork } from "../history/commit.ts";
import { baseRef, changeRefs, headRef, needRef } from "../history/refs.ts";
import { join } from "../join/join.ts";
import { ownIndex } from "../places/folders.ts";
import type { Difference } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";
import { endClaim } from "../worktrees/open-folder.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What work comes to on what a person has committed beside it since it was sealed. */
type OnTip = { readonly tree: string } | { readonly clash: readonly string[] };

/** Whether a path is the same on both sides' newer ends. */
function isSame(one: Difference, other: Difference | undefined): boolean {
  return other !== undefined && one.newId === other.newId && one.newMode === other.newMode;
}

/** A tree with the newer sides of these differences in place of what it has there. */
async function withNewer(
  repository: Repository,
  gitDir: string,
  tree: string,
  paths: readonly Difference[],
): Answer<string> {
  const options = { index: `${gitDir}/espalier-record` };
  const begun = await change(repository, ["read-tree", tree], options);
  const newer = paths.map(({ path, newMode, newId }) => ({ path, oldMode: newMode, oldId: newId }));
  const put = begun.ok && newer.length > 0 ? await changeIndex(repository, options, newer) : begun;
  return put.ok ? change(repository, ["write-tree"], options) : put;
}

/**
 * Work in the main checkout on a tip that has moved since it was sealed. Whoever commits there does so from the very files that the
 * work stands in: where such a file stands as it was committed, that is newer than what was sealed of it.
 */
async function joinCommitted(
  repository: Repository,
  { folder, tree }: LandRequest,
  gitDir: string,
  sealedOn: string,
  tip: string,
): Answer<OnTip> {
  const moved = await differences(repository, sealedOn, tip);
  if (!moved.ok) return moved;
  const work = await differences(repository, sealedOn, tree);
  if (!work.ok) return work;
  const present = await treeOf(repository, folder);
  if (!present.ok) return present;
  const open = await differences(repository, tip, present.value);
  if (!open.ok) return open;
  const worked = new Map(work.value.map(one => [one.path, one]));
  const isOpen = new Set(open.value.map(({ path }) => path));
  const isTaken = (one: Difference) => {
    const mine = worked.get(one.path);
    return mine === undefined || isSame(one, mine) || !isOpen.has(one.path);
  };
  const whole = await withNewer(repository, gitDir, tree, moved.value.filter(isTaken));
  if (!whole.ok) return whole;
  if (moved.value.every(isTaken)) return ok({ tree: whole.value });
  const onto = [sealedOn];
  const theirs = await repository.git.text(["rev-parse", `${tip}^{tree}`]);
  if (!theirs.ok) return theirs;
  const ours = await commitTree(repository, theirs.value, onto, "What was committed beside it\n");
  if (!ours.ok) return ours;
  const mine = await commitTree(repository, whole.value, onto, "What was sealed\n");
  if (!mine.ok) return mine;
  const joined = await join(repository, ours.value, mine.value);
  if (!joined.ok) return joined;
  const clash = joined.value.conflicts.map(({ path }) => path);
  return ok(clash.length > 0 ? { clash } : { tree: joined.value.tree });
}

/** Puts a commit of a tree on a branch whose folder holds that already; undefined where the branch has moved on meanwhile. */
async function commitOn(
  repository: Repository,
  { folder, by }: LandRequest,
  gitDir: string,
  tree: string,
  tip: string,
): Answer<Landed | undefined> {
  const isMain = folder.path === repository.facts.top;
  return repository.refs.alone(async (): Answer<Landed | undefined> => {
    const now = await needRef(repository, headRef(folder.branch));
    if (!now.ok) return now;
    const elsewhere = isMain ? isElsewhere(repository, folder.branch) : undefined;
    // The index there is of other files.
    if (elsewhere !== undefined) return failed(elsewhere);
    if (isMain && now.value !== tip) return ok(undefined);
    // In a person's own checkout commits may stand in between; in ours they are the agent's, and become one.
    const parent = isMain ? tip : folder.base;
    const commit = await commitWork(repository, tree, parent, by);
    if (!commit.ok) return commit;
    // The index first: dying in between leaves nothing but staged changes, which the next try commits.
    showOwnIndex(gitDir);
    const settled = await settleCheckout(repository, folder, now.value, tree);
    if (!settled.ok) return settled;
    const base = { ref: baseRef(folder.branch), from: folder.base, to: commit.value };
    const ended = isMain ? await noteEnded(repository) : ok([base]);
    if (!ended.ok) return ended;
    const moved = await changeRefs(
      repository,
      [{ ref: headRef(folder.branch), from: now.value, to: commit.value }, ...ended.value],
      `land ${by.attempt}`,
    );
    if (!moved.ok) return moved;
    if (!isMain) endClaim(gitDir);
    repository.memory.addLanded(headRef(folder.branch), now.value, commit.value, by.attempt);
    return ok({ kind: "landed", commit: commit.value });
  });
}

/**
 * Work of a task that had the branch's own folder for itself: one commit on top. In the main checkout a person may have committed since
 * the work was sealed: it is joined with that, and proved on it.
 */
export async function landAlone(repository: Repository, request: LandRequest): Answer<Landed> {
  const { folder, tree, verify } = request;
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  const isMain = folder.path === repository.facts.top;
  const sealedOn = repository.memory.sealedOn(tree) ?? folder.base;
  for (let provedOn = sealedOn; ; ) {
    const tip = await needRef(repository, headRef(folder.branch));
    if (!tip.ok) return tip;
    let whole = tree;
    if (isMain && tip.value !== sealedOn) {
      const onTip = await joinCommitted(repository, request, gitDir, sealedOn, tip.value);
      if (!onTip.ok) return onTip;
      if ("clash" in onTip.value) {
        const reason = because("conflict-with", { others: [], paths: few(onTip.value.clash, 3) });
        return ok({ kind: "unproven", reason });
      }
      whole = onTip.value.tree;
      const against = tip.value === provedOn ? undefined : await verify?.(folder.path, []);
      if (against !== undefined && request.isEnded?.() === true) return ok({ kind: "stopped" });
      if (against !== undefined) return ok({ kind: "unproven", reason: against });
      provedOn = tip.value;
    }
    const isHeld = !isMain || repository.memory.indexTree(ownIndex(gitDir)) === whole;
    const held = isHeld ? ok(undefined) : await change(repository, ["read-tree", "--reset", whole], options);
    if (!held.ok) return held;
    const landed = await commitOn(repository, request, gitDir, whole, tip.value);
    if (!landed.ok) return landed;
    if (landed.value !== undefined) return ok(landed.value);
  }
}
