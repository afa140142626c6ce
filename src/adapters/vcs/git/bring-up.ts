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
import { join } from "./join.ts";
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
  const isHeld = held.value === undefined ? ok(true) : await isAncestor(repository, held.value, base);
  if (!isHeld.ok) return isHeld;
  const tip = isHeld.value ? ok(undefined) : await readRef(repository, headRef(from));
  if (!tip.ok) return tip;
  const isAhead = tip.value === undefined ? ok(false) : await isAncestor(repository, base, tip.value);
  return isAhead.ok ? ok(isAhead.value && tip.value !== undefined ? tip.value : base) : isAhead;
}

/** The commit that a branch comes to stand on: its source's where it has nothing of its own, else one that joins both. */
async function joinedWith(
  repository: Repository,
  branch: string,
  tip: string,
  from: string,
  source: string,
): Answer<string | readonly string[]> {
  const isBehind = await isAncestor(repository, tip, source);
  if (!isBehind.ok) return isBehind;
  if (isBehind.value) return ok(source);
  const joined = await join(repository, tip, source);
  if (!joined.ok) return joined;
  const { tree, conflicts } = joined.value;
  if (conflicts.length > 0) return ok(conflicts.map(({ path }) => path));
  return commitTree(repository, tree, [tip, source], `Merge ${from} into ${branch}\n`);
}

/** Brings a branch of ours, and its folder, up to what its source has become since, where nothing in the folder is open. */
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
    const tree = await treeAsLeft(repository, folder);
    const open = tree.ok ? await differences(repository, tip, tree.value) : tree;
    if (!open.ok) return open;
    if (open.value.length > 0) return ok({ kind: "current" });
    const to = await joinedWith(repository, branch, tip, from, source.value);
    if (!to.ok) return to;
    if (typeof to.value !== "string") return ok({ kind: "conflict", paths: to.value });
    const put = await rebaseFolder(repository, { path, branch, base }, to.value, to.value, tip, []);
    return put.ok ? ok({ kind: "brought", base: to.value }) : put;
  });
}
