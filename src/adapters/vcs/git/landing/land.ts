import { existsSync } from "node:fs";
import {
  because,
  type Landed,
  type LandRequest,
  ok,
  type Reason,
  type Result,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { failed } from "../call/failure.ts";
import { endMove } from "../files/move.ts";
import { settleCheckout } from "../files/settle-files.ts";
import { enter, snapshot } from "../files/snapshot.ts";
import { commitTree, commitWork, findAttempt } from "../history/commit.ts";
import { isThere } from "../history/make-commit.ts";
import { soundBranch } from "../history/own-branch.ts";
import {
  baseRef,
  changeRefs,
  headRef,
  isAncestor,
  needRef,
  type RefChange,
  readRef,
  settleRef,
} from "../history/refs.ts";
import { join, toldConflicts } from "../join/join.ts";
import { joinBeside } from "../join/join-inserts.ts";
import type { Repository } from "../repository/repository.ts";
import { giveBack } from "../worktrees/give-back.ts";
import { makeGenerated, type WithGenerated } from "./generated.ts";
import { landAlone } from "./land-alone.ts";
import { tryJoined } from "./try-joined.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What work comes to on the branch as it stands now. */
interface OnTip extends WithGenerated {
  /** The same with both sides in every file that is in conflict by git's own rules. */
  readonly marked: string;
}

/** Joins work with what landed meanwhile; work that changes nothing needs no git for that. */
async function joinOn(
  repository: Repository,
  request: LandRequest,
  tip: string,
  work: string,
): Answer<OnTip | "stopped"> {
  const { memory } = repository;
  const { folder, tree } = request;
  const theirs = memory.treeNamed(tip);
  if (theirs !== tip && memory.treeNamed(folder.base) === tree)
    return ok({ tree: theirs, marked: theirs, conflicts: [], joined: [], generated: [] });
  const found = await join(repository, tip, work);
  if (!found.ok) return found;
  const { tree: marked, conflicts } = found.value;
  if (conflicts.length === 0) return ok({ ...found.value, marked, joined: [], generated: [] });
  const beside = await joinBeside(repository, found.value, tip, request);
  const whole = beside.ok ? await makeGenerated(repository, beside.value, tip, request) : beside;
  if (!whole.ok) return whole;
  return ok(whole.value === "stopped" ? whole.value : { ...whole.value, marked });
}

/** Work on the branch as it stands, and when that was: made again it is the same commit. */
interface Joined {
  readonly tree: string;
  readonly tip: string;
  readonly work: string;
  readonly at: Date;
}

function commitJoined(
  repository: Repository,
  { how, by, into }: LandRequest,
  { tree, tip, work, at }: Joined,
): Answer<string> {
  return how === "rebase"
    ? commitWork(repository, tree, tip, by, at)
    : commitTree(repository, tree, [tip, work], `Merge ${by.task} into ${into.branch}\n`, at);
}

/** Makes joined work again that somebody pruned (`git gc --prune=now`) while it was looked at: no ref names it before it has landed. */
async function madeAgain(
  repository: Repository,
  request: LandRequest,
  joined: Joined & { readonly commit: string },
): Answer<unknown> {
  const there = await isThere(repository, joined.commit);
  if (!there.ok || there.value) return there;
  const again = await joinOn(repository, request, joined.tip, joined.work);
  return again.ok ? commitJoined(repository, request, joined) : again;
}

/** Work from a folder of its own, brought onto a branch that may have moved on. */
async function landJoined(
  repository: Repository,
  request: LandRequest,
  was: string,
  work: string,
): Answer<Landed> {
  const { into, by, how, folder } = request;
  const { memory } = repository;
  const sound = await repository.refs.ofBranches([into.branch], () => soundBranch(repository, into.branch));
  if (!sound.ok) return sound;
  const { tip } = sound.value;
  let mine: RefChange[] = [{ ref: headRef(folder.branch), from: was, to: work }];
  /** The work is on its branch before anything is tried with it that can fail or take long. */
  const keep = async (): Answer<unknown> => {
    const changes = mine;
    mine = [];
    return changes.length === 0
      ? ok(undefined)
      : repository.refs.ofBranches([folder.branch], () =>
          changeRefs(repository, changes, `work of ${by.attempt}`),
        );
  };
  const clash = async (onTip: Pick<OnTip, "tree" | "conflicts">, refused?: Reason): Answer<Landed> => {
    const kept = await keep();
    if (!kept.ok) return kept;
    const given = await giveBack(repository, request, onTip.tree, tip, work);
    const why = refused === undefined ? {} : { refused };
    return given.ok
      ? ok({ kind: "conflict", files: toldConflicts(onTip.conflicts), ...why, ...given.value })
      : given;
  };
  let commit = work;
  let tree = request.tree;
  const at = new Date();
  let onTip: OnTip | undefined;
  if (tip !== folder.base) {
    const joined = await joinOn(repository, request, tip, work);
    if (!joined.ok) return joined;
    if (joined.value === "stopped") return ok({ kind: "stopped" });
    onTip = joined.value;
    tree = onTip.tree;
    if (onTip.conflicts.length > 0) return clash(onTip);
    const made = await commitJoined(repository, request, { tree, tip, work, at });
    if (!made.ok) return made;
    commit = made.value;
  }
  // Alone on the tip the work is what was proved already.
  const verify = commit === work ? undefined : request.verify;
  const kept = verify === undefined ? ok(undefined) : await keep();
  if (!kept.ok) return kept;
  const beside = onTip?.joined ?? [];
  const generated = onTip?.generated ?? [];
  const made = [...beside, ...generated];
  const others = [...new Set(made.flatMap(file => file.others))];
  const check = verify && ((path: string) => verify(path, others));
  // No file of the branch's folder is touched for work that changes none.
  const moves = check !== undefined || memory.treeNamed(tip) !== memory.treeNamed(commit);
  const tried = moves ? await tryJoined(repository, into, tip, commit, check, request.kept) : ok(undefined);
  if (!tried.ok) return tried;
  if (tried.value !== undefined && request.isEnded?.() === true) return ok({ kind: "stopped" });
  if (tried.value !== undefined && onTip !== undefined && made.length > 0)
    return clash({ tree: onTip.marked, conflicts: made }, tried.value);
  if (tried.value !== undefined) {
    const given = await giveBack(repository, request, tree, tip, work);
    return given.ok ? ok({ kind: "unproven", reason: tried.value, ...given.value }) : given;
  }
  const joined = { commit, tree, tip, work, at };
  const held = check === undefined ? ok(undefined) : await madeAgain(repository, request, joined);
  if (!held.ok) return held;
  const settled = moves ? await settleCheckout(repository, into, commit, tip) : ok(undefined);
  if (!settled.ok) return settled;
  const moved = await repository.refs.ofBranches([into.branch, folder.branch], async (): Answer<string> => {
    const base = await readRef(repository, baseRef(into.branch));
    if (!base.ok) return base;
    const changes = [
      ...mine,
      { ref: headRef(into.branch), from: tip, to: commit },
      { ref: baseRef(into.branch), from: base.value, to: commit },
    ];
    return changeRefs(repository, changes, `land ${by.attempt}`);
  });
  if (!moved.ok) return moved;
  memory.addLanded(headRef(into.branch), tip, commit, by.attempt, how === "rebase" ? commit : work);
  const entered = moves ? enter(repository, into) : undefined;
  if (entered?.ok === true) endMove(entered.value.gitDir);
  return ok({
    kind: "landed",
    commit,
    ...(beside.length === 0 ? {} : { joined: toldConflicts(beside) }),
    ...(generated.length === 0 ? {} : { generated: generated.map(({ path }) => path) }),
  });
}

/**
 * Whether a commit that carries an attempt's name was brought by us: an agent may write one in any folder. Ours are made here, or
 * noted with the branch when it was moved, or were there before an agent was.
 */
async function isBrought(repository: Repository, { into, by }: LandRequest, commit: string): Answer<boolean> {
  if (repository.memory.attemptOf(commit) === by.attempt) return ok(true);
  const note = await readRef(repository, baseRef(into.branch));
  if (!note.ok) return note;
  const known = note.value ?? repository.memory.firstSeen(headRef(into.branch));
  return known === undefined ? ok(true) : isAncestor(repository, commit, known);
}

/** Brings one attempt's work into a branch, at most once: what was landed before is found by its trailer. */
export function landWork(repository: Repository, request: LandRequest): Answer<Landed> {
  const { folder, tree } = request;
  return repository.landings(async (): Answer<Landed> => {
    const landed = await landOnce(repository, request);
    if (landed.ok || landed.failure.kind !== "failed") return landed;
    const there = await isThere(repository, tree);
    if (!there.ok || there.value) return landed;
    // Somebody pruned what was sealed: it is sealed again, where its folder still holds that.
    const sealed = await snapshot(repository, folder);
    return sealed.ok && sealed.value.tree === tree ? landOnce(repository, request) : landed;
  });
}

async function landOnce(repository: Repository, request: LandRequest): Answer<Landed> {
  const { folder, into, by, tree } = request;
  const before = await findAttempt(repository, by.attempt, headRef(into.branch));
  if (!before.ok) return before;
  const isOurs = before.value === undefined ? before : await isBrought(repository, request, before.value);
  if (!isOurs.ok) return isOurs;
  if (before.value !== undefined && isOurs.value === true) {
    const settled = await settleRef(repository, headRef(into.branch));
    return settled.ok ? ok({ kind: "landed", commit: before.value }) : settled;
  }
  if (folder.path === into.path) return landAlone(repository, request);
  if (!existsSync(into.path)) return failed(because("worktree-missing", { path: into.path }));
  const tip = await needRef(repository, headRef(folder.branch));
  if (!tip.ok) return tip;
  const work = await commitWork(repository, tree, folder.base, by);
  if (!work.ok) return work;
  return landJoined(repository, request, tip.value, work.value);
}
