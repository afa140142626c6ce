import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Repository } from "../repository/repository.ts";
import { attemptsIn } from "./commit.ts";
import { isContained, unsaid } from "./contained.ts";
import { keepCommit, keptOn } from "./keep.ts";
import { headRef, isOfTask, notedBranches, readRef } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** An attempt, and the commit that it landed as. */
export interface Landing {
  readonly attempt: string;
  readonly commit: string;
}

/** Of what was lost, the newest is looked at. */
const MOST = 100;

/** Those of some landings that a tip does not have in its history; what is not there at all is none of them. */
async function lacking({ git }: Repository, landings: readonly Landing[], tip: string): Answer<Landing[]> {
  const input = `${landings.map(({ commit }) => commit).join("\n")}\n^${tip}\n`;
  const listed = await git.text(["rev-list", "--ignore-missing", "--stdin"], { input });
  if (!listed.ok) return listed;
  const apart = new Set(listed.value.split("\n"));
  return ok(landings.filter(({ commit }) => apart.has(commit)));
}

/** Whether a branch of ours has a commit, which comes with it. */
async function isUnderWay(repository: Repository, commit: string): Answer<boolean> {
  const noted = await notedBranches(repository);
  if (!noted.ok) return noted;
  const format = "--format=%(refname:lstrip=2)";
  const holding = await repository.git.text(["for-each-ref", format, "--contains", commit, "refs/heads"]);
  if (!holding.ok) return holding;
  const branches = new Set(holding.value.split("\n"));
  return ok([...noted.value].some(branch => !isOfTask(branch) && branches.has(branch)));
}

/**
 * The attempts that landed on a branch and that it holds no more: neither by these commits nor by others that name them or change the same,
 * nor by what it says as a whole, as after a squash, nor on a branch that is still to come. Names the branches that keep them for people
 * from now on. Nothing is taken back: it may have been meant, which whoever deletes such a branch says; `wasKept` tells of which that is known.
 */
export async function lostLandings(
  repository: Repository,
  branch: string,
  landings: readonly Landing[],
  wasKept: (rescue: string) => boolean,
): Answer<{ readonly attempts: ReadonlySet<string>; readonly kept: readonly string[] }> {
  const none = { attempts: new Set<string>(), kept: [] };
  const tip = await readRef(repository, headRef(branch));
  if (!tip.ok || tip.value === undefined || landings.length === 0) return tip.ok ? ok(none) : tip;
  const apart = await lacking(repository, landings, tip.value);
  if (!apart.ok || apart.value.length === 0) return apart.ok ? ok(none) : apart;
  const there = await attemptsIn({ ...repository, seal: undefined }, headRef(branch));
  if (!there.ok) return there;
  const named = new Set(there.value.map(({ attempt }) => attempt));
  const gone = apart.value.filter(({ attempt }) => !named.has(attempt)).slice(-MOST);
  if (gone.length === 0) return ok(none);
  const tips = await repository.git.text([
    "merge-base",
    "--independent",
    ...gone.map(({ commit }) => commit),
  ]);
  if (!tips.ok) return tips;
  const lost = new Set<string>();
  const kept: string[] = [];
  for (const newest of tips.value.split("\n")) {
    const rescue = keptOn(branch, newest);
    const stands = await readRef(repository, headRef(rescue));
    if (!stands.ok) return stands;
    if (stands.value === undefined && wasKept(rescue)) continue;
    const own = await unsaid(repository, newest, tip.value);
    if (!own.ok) return own;
    const here = gone.filter(({ commit }) => own.value?.includes(commit));
    if (here.length === 0) continue;
    const isSaid = await isContained(repository, newest, tip.value);
    if (!isSaid.ok) return isSaid;
    const comes = isSaid.value ? isSaid : await isUnderWay(repository, newest);
    if (!comes.ok) return comes;
    if (comes.value) continue;
    const on = await repository.refs.ofBranches([branch], () => keepCommit(repository, branch, newest));
    if (!on.ok) return on;
    kept.push(on.value);
    for (const { attempt } of here) lost.add(attempt);
  }
  return ok({ attempts: lost, kept });
}
