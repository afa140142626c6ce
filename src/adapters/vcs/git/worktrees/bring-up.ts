import {
  type BroughtUp,
  type FolderRequest,
  type MergeRequest,
  ok,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { differences, treeAsLeft } from "../files/snapshot.ts";
import { commitTree } from "../history/commit.ts";
import { knowing } from "../history/contained.ts";
import { commitOf } from "../history/ensure-branch.ts";
import { soundBranch } from "../history/own-branch.ts";
import { headRef, isAncestor, readRef } from "../history/refs.ts";
import { join } from "../join/join.ts";
import { type Met, meet } from "../join/join-inserts.ts";
import type { Repository } from "../repository/repository.ts";
import { rebaseFolder } from "./give-back.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Whether a branch holds all commits of another one. */
export async function holds(repository: Repository, branch: string, other: string): Answer<boolean> {
  const theirs = await commitOf(repository, other);
  if (!theirs.ok) return theirs;
  const ours = await commitOf(repository, branch);
  return ours.ok ? isAncestor(repository, theirs.value, ours.value) : ours;
}

/** What work begun on `base` begins anew on: the tip of its source, where `base` lacks what it has to hold. */
export async function newest(
  repository: Repository,
  base: string,
  { from, holds }: Pick<FolderRequest, "from" | "holds">,
): Answer<string> {
  if (holds === undefined) return ok(base);
  const held = await readRef(repository, headRef(holds));
  if (!held.ok) return held;
  if (held.value === undefined) return ok(base);
  const isHeld = await isAncestor(repository, held.value, base);
  if (!isHeld.ok) return isHeld;
  if (isHeld.value) return ok(base);
  const tip = await readRef(repository, headRef(from));
  if (!tip.ok) return tip;
  if (tip.value === undefined) return ok(base);
  const isAhead = await isAncestor(repository, base, tip.value);
  return isAhead.ok ? ok(isAhead.value ? tip.value : base) : isAhead;
}

/** The commit that a branch comes to stand on: its source's where it has nothing of its own, else one that joins both. */
async function joinedWith(
  repository: Repository,
  branch: string,
  tip: string,
  from: string,
  source: string,
  how: Parameters<typeof meet>[3],
): Answer<Met> {
  const isBehind = await isAncestor(repository, tip, source);
  if (!isBehind.ok) return isBehind;
  if (isBehind.value) return ok({ to: source, lists: [] });
  const known = await knowing(repository, source);
  if (!known.ok) return known;
  const met = await meet(repository, tip, known.value, how);
  if (!met.ok || "paths" in met.value) return met;
  const made = await commitTree(repository, met.value.to, [tip, source], `Merge ${from} into ${branch}\n`);
  return made.ok ? ok({ ...met.value, to: made.value }) : made;
}

/** Whether a merge holds what joins by itself, and something else only in files that do not. */
async function onlyResolves(
  repository: Repository,
  merge: string,
  ours: string,
  theirs: string,
): Answer<boolean> {
  const joined = await join(repository, ours, theirs);
  if (!joined.ok) return joined;
  const open = new Set(joined.value.conflicts.map(({ path }) => path));
  const found = await differences(repository, joined.value.tree, merge);
  return found.ok ? ok(found.value.every(({ path }) => open.has(path))) : found;
}

/**
 * The commit that work goes on from: what has landed, with the merges of its source that a person made right on that. What else
 * an attempt has committed there is as unproved as what it left open.
 */
async function stoodOn(
  repository: Repository,
  { base, claimant }: WorkFolder,
  tip: string,
  source: string,
): Answer<string> {
  if (claimant === undefined || tip === base) return ok(tip);
  const listed = await repository.git.text([
    "rev-list",
    "--first-parent",
    "--reverse",
    "--parents",
    `${base}..${tip}`,
  ]);
  if (!listed.ok) return listed;
  let stood = base;
  for (const line of listed.value.split("\n")) {
    const [merge = "", ours, theirs, ...more] = line.split(" ");
    if (ours !== stood || theirs === undefined || more.length > 0) break;
    const isOfSource = await isAncestor(repository, theirs, source);
    if (!isOfSource.ok) return isOfSource;
    const isMerge = isOfSource.value ? await onlyResolves(repository, merge, ours, theirs) : ok(false);
    if (!isMerge.ok) return isMerge;
    if (!isMerge.value) break;
    stood = merge;
  }
  return ok(stood);
}

/** What differs in a folder from the commit that it stands on, as a commit on top of that; that itself where nothing does. */
async function openOn(repository: Repository, folder: WorkFolder, stood: string): Answer<string> {
  const tree = await treeAsLeft(repository, folder);
  if (!tree.ok) return tree;
  const open = await differences(repository, stood, tree.value);
  if (!open.ok) return open;
  return open.value.length === 0 ? ok(stood) : commitTree(repository, tree.value, [stood], "What is open\n");
}

/** What a folder comes to hold: what is open in it goes along. */
async function heldIn(
  repository: Repository,
  folder: WorkFolder,
  stood: string,
  to: string,
  how: Parameters<typeof meet>[3],
): Answer<Met> {
  const open = await openOn(repository, folder, stood);
  if (!open.ok) return open;
  return open.value === stood ? ok({ to, lists: [] }) : meet(repository, to, open.value, how);
}

/** Has a folder stand on the merges that a person made in it, with what is open there as it is. */
async function onMerges(
  repository: Repository,
  folder: WorkFolder,
  tip: string,
  source: string,
): Answer<{ readonly stood: string; readonly tip: string; readonly base: string }> {
  const { path, branch, base, claimant } = folder;
  const stood = await stoodOn(repository, folder, tip, source);
  if (!stood.ok) return stood;
  if (claimant === undefined || stood.value === base) return ok({ stood: stood.value, tip, base });
  const open = await openOn(repository, folder, stood.value);
  if (!open.ok) return open;
  const put = await rebaseFolder(repository, { path, branch, base }, open.value, stood.value, tip, []);
  return put.ok ? ok({ stood: stood.value, tip: stood.value, base: stood.value }) : put;
}

/** Brings a branch of ours, and its folder with what is open there, up to what its source has become since. */
export function bringUp(
  repository: Repository,
  asked: WorkFolder,
  from: string,
  inserts: MergeRequest["inserts"],
): Answer<BroughtUp> {
  const how = { into: asked, ...(inserts === undefined ? {} : { inserts }) };
  return repository.landings(async (): Answer<BroughtUp> => {
    const { path, branch } = asked;
    const source = await commitOf(repository, from);
    if (!source.ok) return source;
    const sound = await soundBranch(repository, branch);
    if (!sound.ok) return sound;
    const begun = await onMerges(repository, asked, sound.value.tip, source.value);
    if (!begun.ok) return begun;
    const { stood, tip, base } = begun.value;
    const isHeld = await isAncestor(repository, source.value, stood);
    if (!isHeld.ok) return isHeld;
    if (isHeld.value) return ok(base === asked.base ? { kind: "current" } : { kind: "brought", base });
    const met = await joinedWith(repository, branch, stood, from, source.value, how);
    if (!met.ok) return met;
    if ("paths" in met.value) return ok({ kind: "conflict", ...met.value, base });
    const { to } = met.value;
    const held = await heldIn(repository, { ...asked, base }, stood, to, how);
    if (!held.ok) return held;
    if ("paths" in held.value) return ok({ kind: "conflict", ...held.value, base });
    const put = await rebaseFolder(repository, { path, branch, base }, held.value.to, to, tip, []);
    const lists = [...new Set([...met.value.lists, ...held.value.lists])];
    return put.ok ? ok({ kind: "brought", base: to, ...(lists.length === 0 ? {} : { lists }) }) : put;
  });
}
