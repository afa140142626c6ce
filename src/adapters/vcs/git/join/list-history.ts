import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Repository } from "../repository/repository.ts";

/** Commits that must have touched a file before its history says anything. */
const FEWEST = 2;

/**
 * Whether a file is a list by its history: every commit that touched it on the way to `tip` only added lines, and there were
 * several. What was read of a history is not read again.
 */
export async function isList(
  { git, memory }: Repository,
  path: string,
  tip: string,
): Promise<Result<boolean, VcsFailure>> {
  const known = memory.growthOf(path);
  const range = known === undefined ? tip : `${known.tip}..${tip}`;
  const found = await git.text(["log", "--format=", "--numstat", "--no-renames", range, "--", path]);
  if (!found.ok) return found;
  // `added<tab>removed<tab>path`; dashes for what is no text.
  const touched = found.value.split("\n").filter(line => line.includes("\t"));
  const onlyGrew = touched.every(line => line.split("\t")[1] === "0");
  const commits = (known?.commits ?? 0) + touched.length;
  const growth = { tip, commits, onlyGrew: onlyGrew && known?.onlyGrew !== false };
  memory.noteGrowth(path, growth);
  return ok(growth.onlyGrew && growth.commits >= FEWEST);
}
