import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { baseRef, headRef, readRef } from "../history/refs.ts";
import { isOfThisBoot, noteBoot } from "../places/boot.ts";
import { inFolder, knownFolders, ownIndex } from "../places/folders.ts";
import { change, type Repository, removeLeftLock } from "../repository/repository.ts";
import { moveAside, setDamagedObjectsAside } from "./damaged-objects.ts";
import { setDamagedRefsAside } from "./damaged-refs.ts";
import { leftovers } from "./survey.ts";
import { putBackStaged, putBackTorn } from "./torn-files.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What was found of a repository after its machine had started anew. */
export interface Aftermath {
  /** Objects that were empty or cut short. */
  readonly objects: readonly string[];
  /** Refs of ours that named nothing. */
  readonly refs: readonly string[];
  /** Refs of people that name what cannot be read; they stay as they are. */
  readonly standing: readonly string[];
  /** Whether the index of the main checkout had to be made anew. */
  readonly index: boolean;
  /** Files of the main checkout that were cut short on their way to a commit, and were put back. */
  readonly files: readonly string[];
  /** Where damaged things are kept; undefined where nothing was moved. */
  readonly kept: string | undefined;
}

/** An index of the main checkout that git cannot read is moved aside and made anew; what was staged is in the files. */
async function mendMainIndex(repository: Repository, place: string): Answer<boolean> {
  const { gitDir, top, head } = repository.facts;
  // Ours is made anew from the person's: it may name what is gone.
  rmSync(ownIndex(gitDir), { force: true });
  const read = await repository.git.run(["ls-files", "-z"], inFolder(gitDir, top));
  if (read.ok) return ok(false);
  const index = join(gitDir, "index");
  if (existsSync(index)) moveAside(gitDir, place, index);
  const made = await change(repository, ["read-tree", head], inFolder(gitDir, top));
  return made.ok ? ok(true) : made;
}

/**
 * Mends what a power cut left of a repository, once for each start of the machine, or whenever it is known to be damaged, before
 * anything is asked of it: what never came to the disk is put aside, for git would take it for there. Undefined where it was
 * looked through before.
 */
export async function mendRepository(
  repository: Repository,
  isDamaged = false,
): Answer<Aftermath | undefined> {
  const { common } = repository.facts;
  if (!isDamaged && isOfThisBoot(common)) return ok(undefined);
  const time = new Date().toISOString().replaceAll(/[-:]/g, "").slice(0, "YYYYMMDDThhmmss".length);
  const place = join(common, "espalier", `damaged-${time}Z`);
  const objects = await setDamagedObjectsAside(common, place);
  const refs = await setDamagedRefsAside(repository, place);
  const index = await mendMainIndex(repository, place);
  if (!index.ok) return index;
  // An agent's git would stop at what one left that died with the machine.
  for (const { what, path } of leftovers(repository))
    if (what === "lock") await removeLeftLock(repository, path);
  const files = await putBackStaged(repository);
  if (!files.ok) return files;
  noteBoot(common);
  const kept = existsSync(place) ? place : undefined;
  return ok({
    objects,
    refs: refs.aside,
    standing: refs.standing,
    index: index.value,
    files: files.value,
    kept,
  });
}

/** Has worktrees of ours stand on what landed, once for each start of the machine. Returns the files that were put back. */
export async function mendFolders(repository: Repository): Answer<readonly string[]> {
  const files: string[] = [];
  for (const folder of knownFolders(repository.facts.common)) {
    const { branch, path, admin } = folder;
    if (branch === undefined || !existsSync(path) || isOfThisBoot(admin)) continue;
    const base = await readRef(repository, baseRef(branch));
    const tip = await readRef(repository, headRef(branch));
    if (!base.ok || base.value === undefined || !tip.ok) continue;
    const commit = tip.value ?? base.value;
    const torn = await putBackTorn(repository, folder, commit);
    if (!torn.ok) return torn;
    files.push(...torn.value.map(name => join(path, name)));
    noteBoot(admin);
  }
  return ok(files);
}
