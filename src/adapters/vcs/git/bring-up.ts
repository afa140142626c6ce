import {
  type BroughtUp,
  type FolderRequest,
  ok,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../ports/index.ts";
import { commitTree } from "./commit.ts";
import { commitOf } from "./ensure-branch.ts";
import { rebaseFolder } from "./give-back.ts";
import { type Met, meet } from "./join.ts";
import { soundBranch } from "./own-branch.ts";
import { headRef, isAncestor, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { differences, treeAsLeft } from "./snapshot.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

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
): Answer<Met> {
  const isBehind = await isAncestor(repository, tip, source);
  if (!isBehind.ok) return isBehind;
  if (isBehind.value) return ok({ to: source });
  const met = await meet(repository, tip, source);
  if (!met.ok || "paths" in met.value) return met;
  const made = await commitTree(repository, met.value.to, [tip, source], `Merge ${from} into ${branch}\n`);
  return made.ok ? ok({ to: made.value }) : made;
}

/** What a folder comes to hold: what is open in it goes along. */
async function heldIn(repository: Repository, folder: WorkFolder, tip: string, to: string): Answer<Met> {
  const tree = await treeAsLeft(repository, folder);
  if (!tree.ok) return tree;
  const open = await differences(repository, tip, tree.value);
  if (!open.ok) return open;
  if (open.value.length === 0) return ok({ to });
  const work = await commitTree(repository, tree.value, [tip], "What is open\n");
  return work.ok ? meet(repository, to, work.value) : work;
}

/** Brings a branch of ours, and its folder with what is open there, up to what its source has become since. */
export function bringUp(repository: Repository, folder: WorkFolder, from: string): Answer<BroughtUp> {
  return repository.landings(async (): Answer<BroughtUp> => {
    const { path, branch, base } = folder;
    const source = await commitOf(repository, from);
    if (!source.ok) return source;
    const sound = await soundBranch(repository, branch);
    if (!sound.ok) return sound;
    const { tip } = sound.value;
    const isHeld = await isAncestor(repository, source.value, tip);
    if (!isHeld.ok) return isHeld;
    if (isHeld.value) return ok({ kind: "current" });
    const met = await joinedWith(repository, branch, tip, from, source.value);
    if (!met.ok) return met;
    if ("paths" in met.value) return ok({ kind: "conflict", ...met.value });
    const { to } = met.value;
    const held = await heldIn(repository, folder, tip, to);
    if (!held.ok) return held;
    if ("paths" in held.value) return ok({ kind: "conflict", ...held.value });
    const put = await rebaseFolder(repository, { path, branch, base }, held.value.to, to, tip, []);
    return put.ok ? ok({ kind: "brought", base: to }) : put;
  });
}
