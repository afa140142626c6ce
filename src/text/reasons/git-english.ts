import type { GitReasonArgs } from "../../ports/index.ts";
import { type CatalogueOf, listing, parts } from "./catalogue.ts";
import { ENGLISH_REFS } from "./refs-english.ts";

const some = listing(more => ` and ${more} more`);

/** What stands against work in a repository, in English. */
export const ENGLISH_GIT: CatalogueOf<GitReasonArgs> = {
  ...ENGLISH_REFS,
  "git-config-changed": ({ keys }) => `GIT_CONFIG_CHANGED: ${some(keys)}`,
  "repository-gone": ({ path }) =>
    `REPOSITORY_GONE: ${path} is no repository any more: it was deleted, or a part of it`,
  "git-config-include": ({ path }) => `git's configuration includes ${path}, which is no plain file`,
  "git-config-includes": ({ most }) => `git's configuration includes more than ${most} files`,
  "git-config-unsteady": () => "git's configuration is being written all the time",
  "clone-shallow": () => "the clone is shallow, so its work cannot travel: git fetch --unshallow",

  "branch-unnameable": ({ branch }) => `"${branch}" is no name for a branch`,
  "branch-gone": ({ branch }) => `there is no branch ${branch}`,
  "target-missing": ({ branch }) =>
    `there is no branch ${branch}, where finished phases go: make it, or name another with git: { target: … } in espalier.yaml; git reflog names the commit of a deleted one`,
  "phase-begins-at-former": ({ branch, former }) =>
    `${branch} begins at ${former}: this run has landed work there, of a phase that the task file has no more`,
  "ref-gone": ({ ref }) => `there is no ${ref}`,
  "commit-unnamed": ({ name }) => `${name} names no commit`,
  "branch-not-ours": ({ branch }) =>
    `branch ${branch} is there already and was not made by Espalier; rename or remove it`,
  "branch-in-the-way": ({ branch, wanted }) =>
    `branch ${branch} stands in the way of ${wanted}; rename it, or set git.branch`,
  "branch-checked-out": ({ branch, path, way, move }) => {
    const free = way === "merge" ? "merge it there" : way && "switch that to another branch";
    const there = move && `to have it where it belongs: ${move}`;
    return parts("; ", `branch ${branch} is checked out in ${path}`, free, there);
  },
  "merge-not-held": ({ branch, into }) => `${into} does not hold ${branch} after the merge`,
  "merging-elsewhere": ({ path, pid }) => `process ${pid ?? "unknown"} is merging in ${path}`,
  "histories-unrelated": ({ ours, theirs, root }) =>
    `${ours} and ${theirs} have no commit in common: the first one was made anew since; ` +
    `git merge --allow-unrelated-histories -s ours ${root}, on the branch of ${ours}, has them begin at the same one again and changes no file`,

  "place-taken": ({ path }) =>
    `${path} is there already; move it away, or have worktrees elsewhere (git.folder in espalier.yaml)`,
  "worktree-missing": ({ path }) => `${path} is no worktree any more`,
  "worktree-not-made": ({ path }) => `git made no worktree at ${path}`,
  "operation-unfinished": ({ operation, path, end, undo }) =>
    `a ${operation} was begun in ${path} and is not ended; "git ${end}" there ends it, "git ${undo}" undoes it`,
  "checkout-elsewhere": ({ path, branch, now, back }) =>
    `${path} has ${now ?? "no branch"} checked out, and not ${branch}; "${back}" there, then go on`,
  "checkout-has-files": ({ paths }) =>
    `the checkout has files of its own where new ones would come: ${some(paths)}`,
  "checkout-has-changes": ({ paths }) =>
    `the checkout has changes of its own in ${some(paths)}, which this would overwrite; commit or undo them`,
  "ignored-in-the-way": ({ said }) => `an ignored file is in the way: ${said}`,

  "setup-cache": ({ said }) => `worktree.setup: its cache could not be copied: ${said}`,
  "not-brought": ({ how, path, said }) => `worktree.${how}: ${path}: ${said}`,
  "leads-out": ({ how, path, of }) =>
    `worktree.${how}: ${path}: ${of === "project" ? "leads out of the project" : "would leave the worktree"}`,

  "branch-left": ({ branch, now }) => `the agent left its branch ${branch} for ${now ?? "a detached HEAD"}`,
  "branch-deleted": ({ branch }) => `the agent deleted its branch ${branch}`,
  "history-rewritten": () => "the agent rewrote the history its branch began with",
  "worktree-removed": ({ path }) => `the agent removed its worktree ${path}`,
  "submodule-unpushed": ({ path }) =>
    `the new submodule ${path} stands on a commit that no branch or tag of its remote has: have it stand on one that is there`,
  "repository-within": ({ path }) =>
    `${path} is a repository of its own, so its files would be lost; without ${path}/.git they are part of the work (a submodule is added by git submodule add)`,
  "not-on-top": () => "what came back is not on top of what was sent",
  "message-nul": () => "a commit message cannot hold a NUL",
};
