import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { inFolder } from "../places/folders.ts";
import { ABSENT, type Difference, GITLINK } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";
import { markPaths, putEntries } from "./index-entries.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Whether a folder has a list of what it shows of its files; that may be switched off. */
function hasPatterns(gitDir: string): boolean {
  return existsSync(join(gitDir, "info", "sparse-checkout"));
}

/** Files among these that are there on the new side; a submodule's folder is none. */
function filesOf(found: readonly Difference[]): string[] {
  return found.filter(({ newMode }) => newMode !== ABSENT && newMode !== GITLINK).map(({ path }) => path);
}

/**
 * Has a sparse folder show what is about to change in it. Returns how git is told to leave the rest as it is: it would take away
 * what stands outside of the folder's patterns.
 */
export async function showChanging(
  repository: Repository,
  gitDir: string,
  options: CallOptions,
  found: readonly Difference[],
): Answer<readonly string[]> {
  if (!hasPatterns(gitDir)) return ok([]);
  const marked = await markPaths(repository, options, ["--no-skip-worktree"], filesOf(found));
  return marked.ok ? ok(["-c", "core.sparseCheckout=false"]) : marked;
}

/** Has a new sparse folder show these files as well. What cannot be read here, as in a partial clone, stays hidden. */
export async function showBesides(
  repository: Repository,
  gitDir: string,
  folder: string,
  options: CallOptions,
  besides: () => Answer<readonly Difference[]>,
): Answer<unknown> {
  if (!hasPatterns(gitDir)) return ok(undefined);
  const found = await besides();
  if (!found.ok) return found;
  const paths = filesOf(found.value);
  if (paths.length === 0) return ok(undefined);
  const input = `${paths.join("\0")}\0`;
  const args = ["checkout-index", "--ignore-skip-worktree-bits", "--quiet", "-z", "--stdin"];
  const put = await change(repository, args, { ...options, input, answers: [1] });
  if (!put.ok) return put;
  const there = paths.filter(path => isThere(folder, path));
  return markPaths(repository, options, ["--no-skip-worktree"], there);
}

function isThere(folder: string, path: string): boolean {
  return lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined;
}

/** The files that an index passes over: `mode id stage<tab>path` of each, by its path. */
async function passedOver(repository: Repository, options: CallOptions): Answer<ReadonlyMap<string, string>> {
  const found = await repository.git.fields(["ls-files", "-s", "-t", "-z"], options);
  if (!found.ok) return found;
  const passed = found.value.filter(one => one.startsWith("S ")).map(one => one.slice(2));
  return ok(new Map(passed.map(one => [one.slice(one.indexOf("\t") + 1), one])));
}

/**
 * Has our index pass over what a sparse folder's own one passes over: git takes files away outside of the patterns whenever
 * somebody resets or switches there, and nobody deleted them.
 */
export async function passOverHidden(
  repository: Repository,
  gitDir: string,
  folder: string,
  options: CallOptions,
): Answer<unknown> {
  if (!hasPatterns(gitDir)) return ok(undefined);
  const theirs = await passedOver(repository, { ...inFolder(gitDir, folder), index: join(gitDir, "index") });
  if (!theirs.ok) return theirs;
  const ours = await passedOver(repository, options);
  if (!ours.ok) return ours;
  const hidden = [...theirs.value].filter(([path]) => !ours.value.has(path) && !isThere(folder, path));
  const held = await putEntries(
    repository,
    options,
    hidden.map(([, entry]) => entry),
  );
  if (!held.ok) return held;
  return markPaths(
    repository,
    options,
    ["--skip-worktree"],
    hidden.map(([path]) => path),
  );
}
