import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure, type WorkFolder } from "../../../../ports/index.ts";
import { directFileCalls, readBounded, unsyncedOwnedCalls, writeAtomic } from "../../../file/index.ts";
import type { Repository } from "../repository/repository.ts";
import { isSince } from "./changed-since.ts";
import { enter } from "./snapshot.ts";
import { filesIn, submodulesOf } from "./submodules.ts";

/** Left in a folder's git directory: the ignored files that were there when work began. */
const KNOWN = "espalier-ignored";
/** Beside it: those of them that people were told of since. */
const TOLD = "espalier-ignored-told";
const MOST_BYTES = 256 * 1024 ** 2;

/** Folders that tools make again by themselves, wherever they lie. */
const REMADE: ReadonlySet<string> = new Set([
  "node_modules",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".venv",
  ".gradle",
  ".turbo",
  ".next",
  ".vite",
  "target",
  "coverage",
]);

/** Whether a path lies in a folder that is made again. */
export function isRemade(path: string): boolean {
  return path.split("/").some(part => REMADE.has(part));
}

/** A file as it stands: another one under the same name is not the same. */
function standing(top: string, path: string): string {
  const facts = lstatSync(join(top, path), { throwIfNoEntry: false });
  return `${path}\t${facts?.size ?? ""}\t${facts?.mtimeMs ?? ""}`;
}

/**
 * Ignored files of a folder, or of places in it, as they stand; those that tools make again are left out. Those of the whole folder
 * have what stands in its submodules among them: no commit of ours holds that either.
 */
export async function listIgnored(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  places: readonly string[] = [],
): Promise<Result<readonly string[], VcsFailure>> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const limits = places.length === 0 ? [] : ["--", ...places];
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", ...limits];
  const found = await repository.git.fields(args, entered.value.options);
  if (!found.ok) return found;
  const { gitDir, options } = entered.value;
  const within = places.length === 0 ? await submodulesOf(repository, gitDir, folder.path, options) : ok([]);
  if (!within.ok) return within;
  const all = [...found.value, ...within.value.flatMap(path => filesIn(folder.path, path, isRemade))];
  return ok(all.filter(path => !isRemade(path)).map(path => standing(folder.path, path)));
}

/** Remembers what was there when work began. */
export function noteIgnored(gitDir: string, standing: readonly string[]): void {
  writeAtomic(join(gitDir, KNOWN), standing.join("\0"), { calls: unsyncedOwnedCalls });
}

/** Remembers how some of them stand that were brought anew since. */
export function noteIgnoredAgain(gitDir: string, top: string, paths: readonly string[]): void {
  const again = new Set(paths);
  const others = [...noted(gitDir)].filter(one => !again.has(one.slice(0, one.indexOf("\t"))));
  const there = paths.filter(path => lstatSync(join(top, path), { throwIfNoEntry: false }) !== undefined);
  noteIgnored(gitDir, [...others.filter(one => one !== ""), ...there.map(path => standing(top, path))]);
}

function noted(gitDir: string, list = KNOWN): ReadonlySet<string> {
  const bytes = readBounded(join(gitDir, list), { maxBytes: MOST_BYTES, calls: directFileCalls });
  return new Set(bytes.ok ? Buffer.from(bytes.value).toString("utf8").split("\0") : []);
}

/** The ignored files and folders that people were told of. */
export function toldIgnored(gitDir: string): ReadonlySet<string> {
  return noted(gitDir, TOLD);
}

/** Remembers that they were, besides those that were before. */
export function noteTold(gitDir: string, paths: readonly string[]): void {
  const all = [...toldIgnored(gitDir), ...paths].filter(path => path !== "");
  writeAtomic(join(gitDir, TOLD), all.join("\0"), { calls: unsyncedOwnedCalls });
}

/** Paths of ignored files in places of the main checkout that came or changed since a moment; what was there before is noted nowhere. */
export async function ignoredSince(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  places: readonly string[],
  since: number,
): Promise<Result<readonly string[], VcsFailure>> {
  const now = await listIgnored(repository, folder, places);
  if (!now.ok) return now;
  const paths = now.value.map(one => one.slice(0, one.indexOf("\t")));
  return ok(paths.filter(path => isSince(folder.path, path, since)));
}

/** Paths of ignored files, in the whole folder or in places of it, that came or changed since work began. */
export async function newIgnored(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  places?: readonly string[],
): Promise<Result<readonly string[], VcsFailure>> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const now = await listIgnored(repository, folder, places);
  if (!now.ok) return now;
  const { gitDir, options } = entered.value;
  const before = noted(gitDir);
  const came = now.value.filter(one => !before.has(one)).map(one => one.slice(0, one.indexOf("\t")));
  const filled = await submodulesOf(repository, gitDir, folder.path, options);
  if (!filled.ok) return filled;
  // One that was filled since holds what its own repository does, as far as anybody can tell.
  const stood = [...before];
  const fresh = filled.value.filter(path => !stood.some(one => one.startsWith(`${path}/`)));
  return ok(came.filter(path => !fresh.some(one => path.startsWith(`${one}/`))));
}
