import { because, type OwnBranch, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { failed } from "../call/failure.ts";
import { hasOwnBranch, knownFolders } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { knowing } from "./contained.ts";
import { headRef, isOfTask, notedBranches, readRef } from "./refs.ts";

/** Branches that are asked about by name; more than that, and all there are are asked about. */
const MOST_NAMED = 500;

/** Those of some branches that are in the history of a ref or commit. */
async function mergedOf(
  { text }: Repository["git"],
  branches: readonly string[],
  into: string,
): Promise<Result<ReadonlySet<string>, VcsFailure>> {
  if (branches.length === 0) return ok(new Set());
  const patterns = branches.length > MOST_NAMED ? ["refs/heads"] : branches.map(headRef);
  const told = await text(["for-each-ref", "--format=%(refname:lstrip=2)", `--merged=${into}`, ...patterns]);
  return told.ok ? ok(new Set(told.value.split("\n"))) : told;
}

/** Those of some branches that are in no history of a commit, and yet all said there. */
async function saidBy(
  repository: Repository,
  branches: readonly string[],
  into: string,
): Promise<Result<ReadonlySet<string>, VcsFailure>> {
  const asked = branches.filter(branch => !isOfTask(branch));
  const known = asked.length === 0 ? ok(into) : await knowing(repository, into, asked);
  if (!known.ok) return known;
  return known.value === into ? ok(new Set()) : mergedOf(repository.git, asked, known.value);
}

/** The branches we made that still stand, and whether another one holds them. */
export async function ownBranches(
  repository: Repository,
  into: string,
): Promise<Result<readonly OwnBranch[], VcsFailure>> {
  const { git } = repository;
  const target = await readRef(repository, headRef(into));
  if (!target.ok) return target;
  if (target.value === undefined) return failed(because("target-missing", { branch: into }));
  const names = await notedBranches(repository);
  if (!names.ok) return names;
  // Where a note was deleted, the folder still tells whose the branch is.
  const folders = knownFolders(repository.facts.common).filter(hasOwnBranch);
  const ours = new Set([...names.value, ...folders.map(({ branch = "" }) => branch)]);
  const standing: { readonly branch: string; readonly tip: string }[] = [];
  for (const branch of [...ours].sort()) {
    const tip = branch === "" ? ok(undefined) : await readRef(repository, headRef(branch));
    if (!tip.ok) return tip;
    if (tip.value !== undefined) standing.push({ branch, tip: tip.value });
  }
  const apart = standing.filter(({ tip }) => tip !== target.value);
  const merged = await mergedOf(
    git,
    apart.map(({ branch }) => branch),
    headRef(into),
  );
  if (!merged.ok) return merged;
  const rest = apart.flatMap(({ branch }) => (merged.value.has(branch) ? [] : [branch]));
  const byOthers = await saidBy(repository, rest, target.value);
  if (!byOthers.ok) return byOthers;
  const told = standing.map(({ branch, tip }): OwnBranch => {
    if (byOthers.value.has(branch)) return { branch, held: true, byOthers: true };
    return { branch, held: tip === target.value || merged.value.has(branch) };
  });
  return ok([...told.filter(({ held }) => held), ...told.filter(({ held }) => !held)]);
}
