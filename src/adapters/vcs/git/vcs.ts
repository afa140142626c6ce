import { ok, type Result, type Vcs, type VcsFailure } from "../../../ports/index.ts";
import { begunOn } from "./begun-note.ts";
import { bringUp, holds } from "./bring-up.ts";
import { attemptsIn, commitWork } from "./commit.ts";
import { diffText } from "./diff-text.ts";
import { goneRefs } from "./gone-refs.ts";
import { ignoredWork, noteIgnoredWork } from "./ignored-work.ts";
import { landWork } from "./land.ts";
import { forgetLeft } from "./left.ts";
import { mergeBranch } from "./merge.ts";
import { openFolder } from "./open-folder.ts";
import { ownBranches } from "./own-branches.ts";
import { forgetPassing } from "./passing.ts";
import { findProved } from "./proved.ts";
import { readText } from "./read-text.ts";
import { recordFile } from "./record.ts";
import { headRef, strayed } from "./refs.ts";
import { putBack, rejoin } from "./rejoin.ts";
import type { Repository } from "./repository.ts";
import { retire } from "./retire.ts";
import { setAside } from "./set-aside.ts";
import { snapshot } from "./snapshot.ts";
import { restore, standOnTip } from "./start-over.ts";
import { inTurn } from "./turn.ts";
import { forgetUnfinished, requireEnded } from "./unfinished.ts";

/** Version control by git. Before every call the repository's entry points are looked at; a changed one stops all. */
export function createGitVcs(repository: Repository): Vcs {
  const guarded = async <T>(work: () => Promise<Result<T, VcsFailure>>): Promise<Result<T, VcsFailure>> => {
    const sound = await repository.guard();
    return sound.ok ? work() : sound;
  };
  return {
    portVersion: 1,
    inspect: () => repository.guard(),
    open: request => guarded(() => openFolder(repository, request)),
    ignored: folder => guarded(() => ignoredWork(repository, folder)),
    noteIgnored: (folder, paths) => guarded(async () => noteIgnoredWork(repository, folder, paths)),
    snapshot: folder => guarded(() => snapshot(repository, folder)),
    read: (tree, path) => guarded(() => readText(repository, tree, path)),
    diff: (from, to) => guarded(() => diffText(repository, from, to)),
    restore: (folder, tree) => guarded(() => restore(repository, folder, tree)),
    land: request => guarded(() => landWork(repository, request)),
    noteProved: (folder, tree, by) => guarded(() => commitWork(repository, tree, folder.base, by)),
    findProved: (folder, commit, source) => guarded(() => findProved(repository, folder, commit, source)),
    requireEnded: path => guarded(async () => requireEnded(path)),
    forgetUnfinished: (folder, by) => guarded(async () => ok(forgetUnfinished(repository, folder, by))),
    standOnTip: folder => guarded(() => standOnTip(repository, folder)),
    holds: (branch, other) => guarded(() => holds(repository, branch, other)),
    bringUp: (folder, from, inserts) => guarded(() => bringUp(repository, folder, from, inserts)),
    setAside: (folder, branch) => guarded(() => setAside(repository, folder, branch)),
    merge: request => guarded(() => inTurn(repository, () => mergeBranch(repository, request))),
    begunOn: branch => guarded(() => begunOn(repository, branch)),
    rejoin: (branch, before) => guarded(() => inTurn(repository, () => rejoin(repository, branch, before))),
    putBack: (branch, at) => guarded(() => putBack(repository, branch, at)),
    retire: request => guarded(() => retire(repository, request)),
    branches: into => guarded(() => ownBranches(repository, into)),
    record: request => guarded(() => inTurn(repository, () => recordFile(repository, request))),
    strayed: branch => strayed(repository, branch),
    gone: () => goneRefs(repository),
    forgetPassing: () => guarded(() => forgetPassing(repository, ["came", "copy"])),
    forgetLeft: () => guarded(() => forgetLeft(repository)),
    attemptsIn: branch => guarded(() => attemptsIn(repository, headRef(branch))),
  };
}
