import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { showOwnIndex } from "../files/move.ts";
import { inFolder, type KnownFolder, ownIndex } from "../places/folders.ts";
import { readRaw } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** File systems write whole blocks: a file that was cut short ends at the end of one. */
const BLOCK = 4096;

/** Whether a file holds the beginning of a blob and no more, up to the end of a block: nobody leaves it like that on purpose. */
async function isTorn({ git }: Repository, path: string, id: string, size: number): Promise<boolean> {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isFile() !== true || facts.size >= size || facts.size % BLOCK !== 0) return false;
  if (facts.size === 0) return true;
  const whole = await git.run(["cat-file", "blob", id]);
  return whole.ok && readFileSync(path).equals(whole.value.stdout.subarray(0, facts.size));
}

/** Writes files anew from an index, which then knows their times. */
async function checkOut(
  repository: Repository,
  names: readonly string[],
  options: CallOptions,
): Answer<unknown> {
  if (names.length > 0) {
    const input = `${names.join("\0")}\0`;
    const args = ["checkout-index", "-f", "-z", "--stdin"];
    const back = await change(repository, args, { ...options, input });
    if (!back.ok) return back;
  }
  return change(repository, ["update-index", "-q", "--refresh"], { ...options, answers: [1] });
}

/**
 * Puts back files of the main checkout that a move of ours had staged and a power cut left empty or cut short: the index comes
 * to the disk beside them, and git takes what it says for done. Returns the files.
 */
export async function putBackStaged(repository: Repository): Answer<readonly string[]> {
  const { git, facts } = repository;
  const options = inFolder(facts.gitDir, facts.top);
  const listed = await git.run(
    ["diff-index", "--cached", "--raw", "-z", "--no-renames", facts.head],
    options,
  );
  if (!listed.ok) return listed;
  const torn: string[] = [];
  for (const { path, newMode, newId } of readRaw(listed.value.stdout)) {
    const place = join(facts.top, path);
    const size = lstatSync(place, { throwIfNoEntry: false })?.size;
    if (!newMode.startsWith("100") || size === undefined || size % BLOCK !== 0) continue;
    const whole = await git.text(["cat-file", "-s", newId], { answers: [128] });
    if (whole.ok && (await isTorn(repository, place, newId, Number(whole.value)))) torn.push(path);
  }
  if (torn.length === 0) return ok([]);
  const back = await checkOut(repository, torn, options);
  return back.ok ? ok(torn.map(path => join(facts.top, path))) : back;
}

/**
 * Puts back files of a worktree of ours that a power cut left empty or cut short: the next attempt would take that for work,
 * and land it. Our index and the folder's own are made anew, since both may name what is gone. Returns the files.
 */
export async function putBackTorn(
  repository: Repository,
  { admin, path }: Pick<KnownFolder, "admin" | "path">,
  tip: string,
): Answer<readonly string[]> {
  const options = { ...inFolder(admin, path), index: ownIndex(admin) };
  // Git reads what is there before it replaces it, and refuses what was cut short.
  rmSync(ownIndex(admin), { force: true });
  const read = await change(repository, ["read-tree", "--reset", tip], options);
  if (!read.ok) return read;
  const listed = await repository.git.fields(["ls-tree", "-r", "-l", "-z", tip]);
  if (!listed.ok) return listed;
  const torn: string[] = [];
  for (const line of listed.value) {
    const tab = line.indexOf("\t");
    const [mode = "", , id = "", size = ""] = line.slice(0, tab).split(/ +/);
    const name = line.slice(tab + 1);
    if (mode.startsWith("100") && (await isTorn(repository, join(path, name), id, Number(size))))
      torn.push(name);
  }
  const back = await checkOut(repository, torn, options);
  if (!back.ok) return back;
  showOwnIndex(admin);
  return ok(torn);
}
