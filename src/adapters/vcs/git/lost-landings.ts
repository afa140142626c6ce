import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { attemptsIn } from "./commit.ts";
import { isContained } from "./contained.ts";
import { keepCommit } from "./keep.ts";
import { headRef, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** An attempt, and the commit that it landed as. */
export interface Landing {
  readonly attempt: string;
  readonly commit: string;
}

/** What a branch lost, and the branches that keep it for people. */
export interface LostLandings {
  readonly attempts: ReadonlySet<string>;
  readonly kept: readonly string[];
}

/** Those of some commits that a tip does not have in its history, and of these the ones that no other of them has in its own. */
async function apart(
  { git }: Repository,
  commits: readonly string[],
  tip: string,
): Answer<{ readonly all: ReadonlySet<string>; readonly newest: readonly string[] }> {
  const listed = await git.text(["rev-list", "--stdin"], { input: `${commits.join("\n")}\n^${tip}\n` });
  if (!listed.ok) return listed;
  const lacking = new Set(listed.value.split("\n"));
  const all = commits.filter(commit => lacking.has(commit));
  if (all.length < 2) return ok({ all: new Set(all), newest: all });
  const told = await git.text(["merge-base", "--independent", ...all]);
  return told.ok ? ok({ all: new Set(all), newest: told.value.split("\n") }) : told;
}

/**
 * The attempts that landed on a branch and that it holds no more: neither by these commits nor by others that name them, nor by what
 * they say. Nothing is taken back: it may have been meant.
 */
export async function lostLandings(
  repository: Repository,
  branch: string,
  landings: readonly Landing[],
): Answer<LostLandings | undefined> {
  if (landings.length === 0) return ok(undefined);
  const tip = await readRef(repository, headRef(branch));
  if (!tip.ok || tip.value === undefined) return tip.ok ? ok(undefined) : tip;
  const commits = [...new Set(landings.map(({ commit }) => commit))];
  const lacking = await apart(repository, commits, tip.value);
  if (!lacking.ok) return lacking;
  if (lacking.value.all.size === 0) return ok(undefined);
  const there = await attemptsIn({ ...repository, seal: undefined }, branch);
  if (!there.ok) return there;
  const named = new Set(there.value.map(({ attempt }) => attempt));
  const isGone = ({ attempt, commit }: Landing) => lacking.value.all.has(commit) && !named.has(attempt);
  const gone = landings.filter(isGone);
  const kept: string[] = [];
  for (const commit of gone.length === 0 ? [] : lacking.value.newest) {
    const isSaid = await isContained(repository, commit, tip.value);
    if (!isSaid.ok) return isSaid;
    if (isSaid.value) continue;
    const on = await repository.queue(() => keepCommit(repository, branch, commit));
    if (!on.ok) return on;
    kept.push(on.value);
  }
  return ok(kept.length === 0 ? undefined : { attempts: new Set(gone.map(({ attempt }) => attempt)), kept });
}
