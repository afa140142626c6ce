import { lstatSync } from "node:fs";
import { join } from "node:path";
import { because, few, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { failed } from "../call/failure.ts";
import { inFolder } from "../places/folders.ts";
import { ABSENT, type Difference, readRaw } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";
import { inTheWay } from "./collide.ts";
import { differences } from "./snapshot.ts";

/** Makes sure that moving the files of a person's own checkout overwrites none of theirs. */
export async function checkMove(
  repository: Repository,
  gitDir: string,
  path: string,
  from: string,
  to: string,
): Promise<Result<void, VcsFailure>> {
  const options = inFolder(gitDir, path);
  const found = await differences(repository, from, to);
  if (!found.ok) return found;
  const fresh = found.value.filter(({ oldMode }) => oldMode === ABSENT).map(one => one.path);
  const gone = found.value.filter(({ newMode }) => newMode === ABSENT).map(one => one.path);
  const standing = inTheWay(path, { fresh, gone });
  if (standing.length > 0) {
    const known = await repository.git.fields(["ls-files", "-z", "--", ...standing], options);
    if (!known.ok) return known;
    const tracked = new Set(known.value);
    const loose = standing.filter(one => !tracked.has(one));
    if (loose.length > 0) {
      return failed(because("checkout-has-files", { paths: few(loose) }));
    }
  }
  const args = ["update-index", "--refresh"];
  const refreshed = await change(repository, args, { ...options, answers: [1] });
  if (!refreshed.ok) return refreshed;
  const own = await ownChanges(repository, options, from, found.value);
  if (!own.ok || own.value.length === 0) return own.ok ? ok(undefined) : own;
  return failed(because("checkout-has-changes", { paths: few(own.value) }));
}

/** Paths among those to be changed that a person has changed since the commit; not where they say the same. */
async function ownChanges(
  repository: Repository,
  options: CallOptions,
  from: string,
  coming: readonly Difference[],
): Promise<Result<readonly string[], VcsFailure>> {
  // A file that is missing can be made again.
  const dirty = await repository.git.fields(["diff-files", "--diff-filter=d", "--name-only", "-z"], options);
  if (!dirty.ok) return dirty;
  const listed = await repository.git.run(
    ["diff-index", "--cached", "--raw", "-z", "--no-renames", from],
    options,
  );
  if (!listed.ok) return listed;
  const unsaved = new Set(dirty.value);
  const staged = new Map(readRaw(listed.value.stdout).map(({ path, newId }) => [path, newId]));
  return ok(
    coming
      .filter(({ path, newId }) => staged.get(path) !== newId && (staged.has(path) || unsaved.has(path)))
      .map(({ path }) => path),
  );
}

/** Moves the files of a person's own checkout; git refuses, before it writes anything, where it would overwrite changes. */
export async function moveCheckout(
  repository: Repository,
  gitDir: string,
  path: string,
  from: string,
  to: string,
): Promise<Result<void, VcsFailure>> {
  const options = inFolder(gitDir, path);
  const moved = await change(repository, ["read-tree", "-m", "-u", from, to], options);
  return moved.ok ? ok(undefined) : moved;
}

/** Whether a move that failed had begun to write. What is new was not there before: that was made sure of. */
export async function isHalfMoved(
  repository: Repository,
  path: string,
  from: string,
  to: string,
): Promise<boolean> {
  const found = await differences(repository, from, to);
  if (!found.ok) return true;
  return found.value.some(({ path: name, oldMode }) => {
    const isThere = lstatSync(join(path, name), { throwIfNoEntry: false }) !== undefined;
    return isThere === (oldMode === ABSENT);
  });
}
