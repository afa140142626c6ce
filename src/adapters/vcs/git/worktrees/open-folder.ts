import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  because,
  type FolderRequest,
  fail,
  ok,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { shellWord } from "../../../../text/index.ts";
import {
  directFileCalls,
  makeDirectFolder,
  ownedFileCalls,
  readBounded,
  removeEntries,
  removeOwned,
  writeAtomic,
} from "../../../file/index.ts";
import { failed, failedBySystem } from "../call/failure.ts";
import { openCheckout } from "../files/begun.ts";
import { putEntryBack } from "../files/entry.ts";
import { listIgnored, noteIgnored, noteIgnoredAgain } from "../files/ignored.ts";
import { noteIndexAs, settleMove } from "../files/move.ts";
import { settleFolder } from "../files/settle-files.ts";
import { differences, enter } from "../files/snapshot.ts";
import { showBesides } from "../files/sparse.ts";
import { ensureBranch, type FolderBranch, foreign } from "../history/ensure-branch.ts";
import { headRef, needRef, readRef } from "../history/refs.ts";
import { noteBoot } from "../places/boot.ts";
import {
  folderAt,
  hasOwnBranch,
  headBranch,
  inFolder,
  isReady,
  type KnownFolder,
  knownFolders,
  noteReady,
  recordLeftBehind,
  recordsOf,
} from "../places/folders.ts";
import { freePlace } from "../places/free-place.ts";
import { isNobodys } from "../places/pointers.ts";
import { change, type Repository } from "../repository/repository.ts";
import { renewGiven } from "./give-back.ts";
import { startOver } from "./start-over.ts";

/** Names the task that worked in a shared folder by itself. */
const CLAIM = "espalier-claim";
/** Says what was brought over into a folder, and how it stood then. */
const BROUGHT = "espalier-brought";

/** Where it is written down that a folder is being made or removed: a crash in between is then no riddle. */
function intentPath(repository: Repository, path: string): string {
  const key = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(repository.facts.common, "espalier", key);
}

/** Notes that a folder is about to be made or removed. */
export function noteIntent(repository: Repository, path: string): Result<void, VcsFailure> {
  const note = intentPath(repository, path);
  try {
    makeDirectFolder(dirname(note));
  } catch (error) {
    return failedBySystem((error as Error).message);
  }
  const written = writeAtomic(note, path, { calls: ownedFileCalls });
  return written.ok ? ok(undefined) : failedBySystem(written.failure.message);
}

/** The folder is made, or gone. */
export function clearIntent(repository: Repository, path: string): void {
  removeOwned(intentPath(repository, path));
}

function isIntended(repository: Repository, path: string): boolean {
  const note = readBounded(intentPath(repository, path), { maxBytes: 65_536, calls: ownedFileCalls });
  return note.ok && Buffer.from(note.value).toString() === path;
}

/** Whether what stands at a path is a worktree of this repository, or nothing: a note of ours may have been forged. */
function isOwnFolder(repository: Repository, path: string): boolean {
  let names: readonly string[];
  try {
    names = directFileCalls.list(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
  if (names.length === 0) return true;
  const read = readBounded(join(path, ".git"), { maxBytes: 65_536, calls: directFileCalls });
  // The first file that git makes there: a power cut leaves it empty, and nobody else has one like that.
  if (read.ok && read.value.length === 0) return true;
  const text = read.ok ? Buffer.from(read.value).toString("utf8") : "";
  if (!text.startsWith("gitdir: ")) return false;
  const admin = resolve(path, text.slice("gitdir: ".length).trim());
  return dirname(admin) === join(repository.facts.common, "worktrees");
}

/** Removes a worktree; what says whose it is goes last, so that a crash in between leaves it known. */
async function removeFolder(path: string): Promise<void> {
  try {
    const names = directFileCalls.list(path).filter(name => name !== ".git");
    await removeEntries(path, names);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  removeOwned(path);
}

/**
 * Removes what a crash left of a folder that was being made or removed: nobody has worked there since. What is no worktree
 * of this repository stays.
 */
export async function clearHalfMade(repository: Repository, path: string): Promise<void> {
  if (isIntended(repository, path)) await clearAway(repository, path);
}

/** Removes a worktree, and what git remembers of it; what is no worktree of this repository stays. */
export async function clearAway(repository: Repository, path: string): Promise<void> {
  if (!isOwnFolder(repository, path)) return;
  await removeFolder(path);
  await repository.records(async () => {
    // Whatever of a record that git died over is empty, git refuses any other worktree until it is gone.
    for (const admin of recordsOf(repository.facts.common, path))
      rmSync(admin, { recursive: true, force: true });
  });
  clearIntent(repository, path);
}

/**
 * Adds a worktree with its files, and counts its record among ours; `what` is its branch, or a commit with `--detach` before it. The
 * files come after the record is whole: others need not wait for them.
 */
export async function addWorktree(
  repository: Repository,
  path: string,
  what: readonly string[],
): Promise<Result<KnownFolder | undefined, VcsFailure>> {
  const { common } = repository.facts;
  const options = what.slice(0, -1);
  const added = await repository.records(async () => {
    const args = ["worktree", "add", "--quiet", "--no-checkout", ...options, "--", path, ...what.slice(-1)];
    const made = await change(repository, args);
    const folder = made.ok ? folderAt(common, path) : undefined;
    if (folder !== undefined) repository.trust(folder.name);
    return made.ok ? ok(folder) : made;
  });
  if (!added.ok || added.value === undefined) return added;
  const filled = await change(
    repository,
    ["read-tree", "--reset", "-u", "HEAD"],
    inFolder(added.value.admin, path),
  );
  return filled.ok ? added : filled;
}

/** What frees a branch that is checked out elsewhere. */
function freed(elsewhere: KnownFolder, path: string): { readonly way: "switch" } | { readonly move: string } {
  if (!hasOwnBranch(elsewhere)) return { way: "switch" };
  return { move: `git worktree move ${[elsewhere.path, path].map(shellWord).join(" ")}` };
}

/** Takes a record of ours away that only keeps its branch from being checked out; returns where its folder was. */
function dropLeftBehind(
  { facts, records }: Repository,
  branch: string,
  path: string,
): Promise<string | undefined> {
  return records(async () => {
    const behind = recordLeftBehind(facts.common, branch, path);
    if (behind !== undefined) rmSync(behind.admin, { recursive: true, force: true });
    return behind?.path;
  });
}

/** Has a new folder of a commit show what is the run's work as well, whatever a sparse checkout shows. */
export async function showWork(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  commit: string,
): Promise<Result<unknown, VcsFailure>> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  return showBesides(repository, gitDir, folder.path, options, async () => {
    const parted = await repository.git.run(["merge-base", "HEAD", commit], { answers: [1] });
    if (!parted.ok) return parted;
    const { code, stdout } = parted.value;
    return code === 1 ? ok([]) : differences(repository, stdout.toString().trim(), commit);
  });
}

/** Makes a folder; returns where a worktree is now that was nobody's and stood in its place. */
async function addFolder(
  repository: Repository,
  request: FolderRequest,
): Promise<Result<Pick<WorkFolder, "aside">, VcsFailure>> {
  const { branch, path } = request;
  const { common, gitDir, top } = repository.facts;
  const behind = await dropLeftBehind(repository, branch, path);
  const elsewhere = knownFolders(common).find(folder => folder.branch === branch);
  if (headBranch(gitDir) === branch) return foreign(because("branch-checked-out", { branch, path: top }));
  if (elsewhere !== undefined) {
    const where = { branch, path: elsewhere.path, ...freed(elsewhere, path) };
    return foreign(because("branch-checked-out", where));
  }
  const place = freePlace(path);
  if (!place.ok) return foreign(place.failure);
  const noted = noteIntent(repository, path);
  if (!noted.ok) return noted;
  const added = await addWorktree(repository, path, [branch]);
  if (!added.ok) {
    await clearAway(repository, path);
    return added;
  }
  const admin = added.value?.admin;
  const settled = admin === undefined ? ok(undefined) : await settleFolder(repository, admin, path);
  if (!settled.ok) return settled;
  if (admin !== undefined) noteBoot(admin);
  clearIntent(repository, path);
  const entered = enter(repository, request);
  const tip = await readRef(repository, headRef(branch));
  if (entered.ok && tip.ok && tip.value !== undefined) {
    const shown = await showWork(repository, request, tip.value);
    if (!shown.ok) return shown;
    noteIndexAs(repository, entered.value.gitDir, tip.value);
  }
  // What stands where the folder was before is nobody's either, and stays there.
  const stays = behind !== undefined && isNobodys(behind) ? behind : undefined;
  const aside = place.value ?? stays;
  return ok(aside === undefined ? {} : { aside });
}

/** A folder that is there: its branch is put right, and what a crash left half done is finished. */
async function findAgain(
  repository: Repository,
  folder: KnownFolder,
  branch: string,
): Promise<Result<Pick<WorkFolder, "loose">, VcsFailure>> {
  if (folder.branch !== branch) {
    // The agent left it. Its files stay as they are; only what they are measured against is put right.
    const back = await change(repository, ["symbolic-ref", "HEAD", headRef(branch)], {
      env: { GIT_DIR: folder.admin },
    });
    if (!back.ok) return back;
  }
  const tip = await needRef(repository, headRef(branch));
  if (!tip.ok) return tip;
  const settled = await settleMove(repository, { path: folder.path, branch }, folder.admin, tip.value);
  if (!settled.ok) return settled;
  return ok(settled.value === undefined ? {} : { loose: settled.value });
}

type Made = FolderBranch & Pick<WorkFolder, "aside" | "entry" | "loose">;

/** A folder with its branch, made or found again. */
async function placeFolder(
  repository: Repository,
  request: FolderRequest,
): Promise<Result<Made, VcsFailure>> {
  const { branch, path } = request;
  const { facts, records, refs } = repository;
  await clearHalfMade(repository, path);
  const base = await refs.ofBranches([branch], () => ensureBranch(repository, request));
  if (!base.ok) return base;
  const entry = putEntryBack(repository, path);
  if (!entry.ok) return entry;
  let known = folderAt(facts.common, path);
  if (known !== undefined && !existsSync(path)) {
    // Somebody removed the folder; what git remembers of it is of no more use.
    const { admin } = known;
    await records(async () => rmSync(admin, { recursive: true, force: true }));
    known = undefined;
  }
  const found = known;
  const done =
    found === undefined
      ? await addFolder(repository, request)
      : await refs.ofBranches([branch], () => findAgain(repository, found, branch));
  if (!done.ok) return done;
  const folder = folderAt(facts.common, path);
  if (folder === undefined) return failed(because("worktree-not-made", { path }));
  repository.trust(folder.name);
  return ok({
    ...base.value,
    ...done.value,
    ...(entry.value === undefined ? {} : { entry: entry.value }),
  });
}

/** Makes the folder of a branch, finds it again, or mends what a crash or an agent left of it. */
export async function openFolder(
  repository: Repository,
  request: FolderRequest,
): Promise<Result<WorkFolder, VcsFailure>> {
  const { branch, path } = request;
  if (path === repository.facts.top) return openCheckout(repository, request);
  const made = await placeFolder(repository, request);
  if (!made.ok) return made;
  const ready = await makeReady(repository, request);
  if (!ready.ok) return ready;
  const base = await renewGiven(repository, { path, branch, base: made.value.base }, request.from);
  if (!base.ok) return base;
  const { anew } = request;
  const begun =
    anew === undefined
      ? ok({ base: base.value })
      : await startOver(repository, { path, branch, base: base.value }, anew, request);
  if (!begun.ok) return begun;
  const claimant = claim(ready.value, request.claimant);
  return ok({
    path,
    branch,
    ...made.value,
    ...(claimant === undefined ? {} : { claimant }),
    ...begun.value,
  });
}

/** Nobody's unlanded work stands in the folder of a git directory any more. */
export function endClaim(gitDir: string): void {
  removeOwned(join(gitDir, CLAIM));
}

/** Who claimed the folder before; from now on it is the new claimant, if there is one. */
function claim(gitDir: string, claimant: string | undefined): string | undefined {
  const before = claimantOf(gitDir);
  if (claimant !== undefined) writeAtomic(join(gitDir, CLAIM), claimant, { calls: directFileCalls });
  return before;
}

/** The task that claimed the folder of a git directory last, and whose work may stand there. */
export function claimantOf(gitDir: string): string | undefined {
  const note = readBounded(join(gitDir, CLAIM), { maxBytes: 65_536, calls: directFileCalls });
  return note.ok ? Buffer.from(note.value).toString() : undefined;
}

/** Has everything brought that a folder needs, and the folder prepared, once by each way of doing that; returns its git directory. */
async function makeReady(
  repository: Repository,
  request: FolderRequest,
): Promise<Result<string, VcsFailure>> {
  const entered = enter(repository, request);
  if (!entered.ok) return entered;
  const { gitDir } = entered.value;
  const brought = request.bring?.(request.path, join(gitDir, BROUGHT)) ?? ok([]);
  if (!brought.ok) return fail({ kind: "unprepared", reason: brought.failure });
  if (isReady(gitDir, request.preparedBy)) {
    if (brought.value.length > 0) noteIgnoredAgain(gitDir, request.path, brought.value);
    return ok(gitDir);
  }
  const problem = await request.prepare?.(request.path);
  if (problem !== undefined) return fail({ kind: "unprepared", reason: problem });
  // What the preparation made can be made again; what comes later may be somebody's.
  const isMade = request.prepare !== undefined || brought.value.length > 0;
  const ignored = !isMade ? ok([]) : await listIgnored(repository, request);
  if (!ignored.ok) return ignored;
  noteIgnored(gitDir, ignored.value);
  noteReady(gitDir, request.branch, request.preparedBy);
  return ok(gitDir);
}
