import { ok, type Result, type Vcs, type VcsFailure } from "../../../ports/index.ts";
import { forgetUnfinished, requireEnded } from "./care/unfinished.ts";
import { changedSince } from "./files/changed-since.ts";
import { ignoredWork, noteIgnoredWork } from "./files/ignored-work.ts";
import { snapshot } from "./files/snapshot.ts";
import { begunOn } from "./history/begun-note.ts";
import { attemptsIn, commitWork } from "./history/commit.ts";
import { diffText } from "./history/diff-text.ts";
import { goneRefs } from "./history/gone-refs.ts";
import { forgetLeft } from "./history/left.ts";
import { ownBranches } from "./history/own-branches.ts";
import { headRef, strayed } from "./history/refs.ts";
import { landWork } from "./landing/land.ts";
import { mergeBranch } from "./landing/merge.ts";
import { findProved } from "./landing/proved.ts";
import { recordFile } from "./landing/record.ts";
import { putBack, rejoin } from "./landing/rejoin.ts";
import { readText } from "./repository/read-text.ts";
import type { Repository } from "./repository/repository.ts";
import { inTurn } from "./repository/turn.ts";
import { forgetPassing } from "./travel/passing.ts";
import { bringUp, holds } from "./worktrees/bring-up.ts";
import { openFolder } from "./worktrees/open-folder.ts";
import { retire } from "./worktrees/retire.ts";
import { setAside } from "./worktrees/set-aside.ts";
import { restore, standOnTip } from "./worktrees/start-over.ts";

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
    ignored: (folder, since) => guarded(() => ignoredWork(repository, folder, since)),
    changedSince: since => guarded(() => changedSince(repository, since)),
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
