import {
  because,
  type FolderRequest,
  fail,
  ok,
  type Reason,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { folderAt, hasOwnBranch } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { branchInTheWay, noteAgain, soundBranch } from "./own-branch.ts";
import { baseRef, changeRefs, headRef, isAncestor, needRef, readRef } from "./refs.ts";

/** What is not ours to change. */
export function foreign(reason: Reason): Result<never, VcsFailure> {
  return fail({ kind: "foreign", reason });
}

/**
 * A branch name that is plain: no other characters, no leading dash or dot in any part, nothing that git reads as more than
 * a name. Git itself checks it again when the branch is made.
 */
function isPlainBranch(name: string): boolean {
  return name.length <= 200 && name.split("/").every(isPlainPart);
}

function isPlainPart(part: string): boolean {
  return (
    /^[a-z0-9_][a-z0-9._-]*$/i.test(part) &&
    !part.includes("..") &&
    !part.endsWith(".lock") &&
    !part.endsWith(".")
  );
}

/** The commit that a branch begins at: one is looked up as such first, for its name may also be a tag's. */
export async function commitOf(repository: Repository, from: string): Promise<Result<string, VcsFailure>> {
  const there = isPlainBranch(from) ? await readRef(repository, headRef(from)) : ok(undefined);
  if (!there.ok) return there;
  return there.value === undefined ? needRef(repository, from) : ok(there.value);
}

/** Where a new branch begins: at what was noted of one that is gone, as long as nothing else holds that. */
async function startOf(
  repository: Repository,
  from: string,
  noted: string | undefined,
): Promise<Result<string, VcsFailure>> {
  const start = await commitOf(repository, from);
  if (!start.ok || noted === undefined) return start;
  const held = await isAncestor(repository, noted, start.value);
  if (!held.ok) return held;
  return held.value ? start : ok(noted);
}

/** Whether a branch is checked out in the folder that we made for it. */
function isOfFolder({ facts }: Repository, { branch, path }: FolderRequest): boolean {
  const folder = folderAt(facts.common, path);
  return folder?.branch === branch && hasOwnBranch(folder);
}

/** The branch of a folder: what is noted as its base, and where what had become of it was kept. */
export type FolderBranch = Pick<WorkFolder, "base" | "rescued">;

/** Makes the branch of a folder, or sees that it can be relied on. */
export async function ensureBranch(
  repository: Repository,
  request: FolderRequest,
): Promise<Result<FolderBranch, VcsFailure>> {
  const { branch, from } = request;
  if (!isPlainBranch(branch)) return foreign(because("branch-unnameable", { branch }));
  const [tip, base] = [
    await readRef(repository, headRef(branch)),
    await readRef(repository, baseRef(branch)),
  ];
  if (!tip.ok) return tip;
  if (!base.ok) return base;
  if (tip.value !== undefined) {
    if (base.value === undefined) {
      if (!isOfFolder(repository, request)) return foreign(because("branch-not-ours", { branch }));
      const source = await commitOf(repository, from);
      if (!source.ok) return source;
      const ofOurs = await readRef(repository, baseRef(from));
      if (!ofOurs.ok) return ofOurs;
      const noted = await noteAgain(repository, branch, tip.value, source.value, ofOurs.value !== undefined);
      return noted.ok ? ok({ base: noted.value }) : noted;
    }
    const sound = await soundBranch(repository, branch);
    if (!sound.ok) return sound;
    const { rescued } = sound.value;
    return ok({ base: base.value, ...(rescued === undefined ? {} : { rescued }) });
  }
  const start = await startOf(repository, from, base.value);
  if (!start.ok) return start;
  const made = await changeRefs(
    repository,
    [
      { ref: headRef(branch), to: start.value },
      { ref: baseRef(branch), from: base.value, to: start.value },
    ],
    `begin ${branch}`,
  );
  if (made.ok) return ok({ base: start.value });
  const other = await branchInTheWay(repository, branch);
  if (!other.ok || other.value === undefined) return made;
  return foreign(because("branch-in-the-way", { branch: other.value, wanted: branch }));
}
