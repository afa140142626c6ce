import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ok, type Result, type VcsFailure, type WorkFolder } from "../../../../ports/index.ts";
import { syncAll } from "../../../file/index.ts";
import { gitDirOf } from "../places/folders.ts";
import { ABSENT } from "../repository/difference.ts";
import { asVcsFailure } from "../repository/object-sync.ts";
import type { Repository } from "../repository/repository.ts";
import { differences } from "./snapshot.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

async function bring({ sync }: Repository, paths: readonly string[]): Answer<void> {
  const done = await syncAll(paths, sync);
  return done.ok ? ok(undefined) : fail(asVcsFailure(done.failure));
}

/** The folders above a path of a repository, its top included. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(0, at).join("/"));
}

/**
 * Brings files of a checkout to the disk that differ between two commits, and its index: the next task, or a person, would
 * take what a power cut left of them for a change.
 */
export async function settleCheckout(
  repository: Repository,
  { path: top }: Pick<WorkFolder, "path">,
  from: string,
  to: string,
): Answer<void> {
  const gitDir = gitDirOf(repository, top);
  if (gitDir === undefined) return ok(undefined);
  const found = await differences(repository, from, to);
  if (!found.ok) return found;
  const paths = found.value.map(({ path }) => path);
  const named = found.value.filter(({ oldMode, newMode }) => oldMode === ABSENT || newMode === ABSENT);
  const folders = named.flatMap(({ path }) => foldersAbove(path));
  return bring(repository, [
    ...[...paths, ...folders].map(path => join(top, path)),
    join(gitDir, "index"),
    gitDir,
  ]);
}

/** Brings everything to the disk that says where a new worktree is and what it stands on. */
export function settleFolder(repository: Repository, admin: string, path: string): Answer<void> {
  const inside = readdirSync(admin, { recursive: true, withFileTypes: true }).map(entry =>
    join(entry.parentPath, entry.name),
  );
  const above = [admin, dirname(admin), dirname(dirname(admin))];
  return bring(repository, [...inside, ...above, join(path, ".git"), path, dirname(path)]);
}
