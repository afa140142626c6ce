import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { interruptedMove } from "../files/move.ts";
import { keepAside } from "../history/keep.ts";
import { ownBranches } from "../history/own-branches.ts";
import { headRef, readRef } from "../history/refs.ts";
import { foldersBeside, isMadeHere, type KnownFolder } from "../places/folders.ts";
import { inProgress } from "../repository/facts.ts";
import type { Repository } from "../repository/repository.ts";
import { standingAlone } from "../worktrees/brought.ts";

/** One of our worktrees as it stands. */
export interface SurveyedFolder {
  readonly path: string;
  readonly branch: string;
  /** Whether the folder is there at all. */
  readonly present: boolean;
  /** Files that differ from the branch, ignored ones apart. */
  readonly changed: number;
  /** Whether the target holds the branch; undefined for a branch that is gone. */
  readonly merged: boolean | undefined;
  readonly locked: string | undefined;
  /** What somebody has begun there and not ended: a merge, a rebase. */
  readonly begun: string | undefined;
}

async function changedIn(repository: Repository, { path, branch }: KnownFolder): Promise<number> {
  const tip = branch === undefined ? undefined : await readRef(repository, headRef(branch));
  if (tip?.ok !== true || tip.value === undefined || !existsSync(path)) return 0;
  const standing = await standingAlone(repository, { path }, tip.value);
  return standing.ok ? standing.value.found.length : 0;
}

/** The worktrees that were made here. */
export async function surveyFolders(
  repository: Repository,
  into: string,
): Promise<Result<readonly SurveyedFolder[], VcsFailure>> {
  const standing = await ownBranches(repository, into);
  if (!standing.ok) return standing;
  const held = new Map(standing.value.map(one => [one.branch, one.held]));
  const surveyed: SurveyedFolder[] = [];
  for (const folder of foldersBeside(repository.facts)) {
    const { path, branch = "", locked, admin } = folder;
    if (!isMadeHere(folder, held.has(branch))) continue;
    surveyed.push({
      path,
      branch,
      present: existsSync(path),
      changed: await changedIn(repository, folder),
      merged: held.get(branch),
      locked,
      begun: inProgress(admin),
    });
  }
  return ok(surveyed);
}

/** Saves what is not committed in a worktree of ours on a branch; the worktree stays as it is. */
export async function rescueFolder(
  repository: Repository,
  { path, branch }: Pick<SurveyedFolder, "path" | "branch">,
): Promise<Result<string | undefined, VcsFailure>> {
  return repository.refs.alone(async (): Promise<Result<string | undefined, VcsFailure>> => {
    const tip = await readRef(repository, headRef(branch));
    if (!tip.ok) return tip;
    const parent = tip.value ?? repository.facts.head;
    const standing = await standingAlone(repository, { path }, parent);
    if (!standing.ok) return standing;
    const { tree, found } = standing.value;
    if (found.length === 0) return ok(undefined);
    const name = branch === "" ? basename(path) : branch.replaceAll("/", "-");
    return keepAside(repository, name, tree, parent, `what stood in ${basename(path)}`);
  });
}

/** Something a killed process left in a repository. */
export interface Leftover {
  readonly what: string;
  readonly path: string;
}

function locksBelow(folder: string, depth: number): string[] {
  let entries: { name: string; isDirectory(): boolean }[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? locksBelow(path, depth - 1) : [];
    return entry.name.endsWith(".lock") ? [path] : [];
  });
}

/** Levels of folders below `refs` that are looked at. */
const REF_DEPTH = 8;

/** What killed processes have left in a repository: locks, folders half made, files half moved. */
export function leftovers(repository: Repository): readonly Leftover[] {
  const { common, gitDir } = repository.facts;
  const locks = [
    ...locksBelow(common, 0),
    ...locksBelow(join(common, "refs"), REF_DEPTH),
    ...locksBelow(join(common, "worktrees"), 1),
  ].map(path => ({ what: "lock", path }));
  const intents = join(common, "espalier");
  const half = (existsSync(intents) ? readdirSync(intents) : []).map(name => ({
    what: "folder half made or half removed",
    path: join(intents, name),
  }));
  const moving = [gitDir, ...foldersBeside(repository.facts).map(({ admin }) => admin)]
    .filter(admin => interruptedMove(admin) !== undefined)
    .map(path => ({ what: "files half moved", path }));
  return [...locks, ...half, ...moving];
}
