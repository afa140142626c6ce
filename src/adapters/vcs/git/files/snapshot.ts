import { existsSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  because,
  fail,
  ok,
  type Reason,
  type Result,
  type Snapshot,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { isTemporaryName } from "../../../file/index.ts";
import type { CallOptions } from "../call/call.ts";
import { failed } from "../call/failure.ts";
import { begunIn } from "../history/begun-note.ts";
import { headRef, isAncestor, needRef } from "../history/refs.ts";
import { copyIndex, gitDirOf, headBranch, inFolder, ownIndex } from "../places/folders.ts";
import { ABSENT, type Difference, isMadeRepository, readRaw } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";
import { addAll } from "./add-all.ts";
import { addedSubmodule } from "./added-submodules.ts";
import { taskFilesBeside } from "./beside.ts";
import { putEntryBack } from "./entry.ts";
import { putEntries } from "./index-entries.ts";
import { takeMeant } from "./left-standing.ts";
import { takeCase } from "./letter-case.ts";
import { passOverHidden } from "./sparse.ts";
import { unresolvedIn } from "./unresolved.ts";

/** What differs between two trees or commits, path by path. */
export async function differences(
  repository: Repository,
  from: string,
  to: string,
): Promise<Result<readonly Difference[], VcsFailure>> {
  const { memory } = repository;
  const [before, after] = [memory.treeNamed(from), memory.treeNamed(to)];
  if (before === after) return ok([]);
  const known = memory.differences(before, after);
  if (known !== undefined) return ok(known);
  const done = await repository.git.run(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]);
  if (!done.ok) {
    memory.forgetIndexes();
    return done;
  }
  const found = readRaw(done.value.stdout);
  memory.noteDifferences(before, after, found);
  return ok(found);
}

/** Bytes of an index without a single file: a header and a checksum. */
const SMALLEST_INDEX = 32;

/** Whether there is no index, or what a cut-off copy left of one; git itself leaves none like that. */
function isLacking(index: string): boolean {
  return (statSync(index, { throwIfNoEntry: false })?.size ?? 0) < SMALLEST_INDEX;
}

/** The git directory of a folder, and how git is called in it with our own index. */
export function enter(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
): Result<{ readonly gitDir: string; readonly options: CallOptions }, VcsFailure> {
  const gitDir = gitDirOf(repository, folder.path);
  if (gitDir === undefined || !existsSync(folder.path))
    return failed(because("worktree-missing", { path: folder.path }));
  const index = ownIndex(gitDir);
  const theirs = join(gitDir, "index");
  if (isLacking(index) && existsSync(theirs)) copyIndex(gitDir, theirs, index);
  return ok({ gitDir, options: { ...inFolder(gitDir, folder.path), index } });
}

/** The content of a folder as a tree, whatever its own index says. */
export async function treeOf(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
): Promise<Result<string, VcsFailure>> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  const passed = await passOverHidden(repository, gitDir, folder.path, options);
  if (!passed.ok) return passed;
  const renamed = await takeCase(repository, gitDir, folder.path, options);
  if (!renamed.ok) return renamed;
  const added = await addAll(repository, ownIndex(gitDir), options);
  const meant = added.ok ? await takeMeant(repository, gitDir, options) : added;
  if (!meant.ok) return meant;
  const written = await writeTree(repository, gitDir, options);
  if (written.ok || written.failure.kind !== "failed") return written;
  const again = await writeBlobs(repository, folder.path, options);
  return again.ok ? writeTree(repository, gitDir, options) : written;
}

const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r" };

/** A path as git reads it from a line: one that reads like a quoted one, or does not end where its line does, is quoted. */
function asLine(path: string): string {
  if (!/^"|[\n\r]/u.test(path)) return `${path}\n`;
  return `"${path.replaceAll(/[\\"\n\r]/gu, one => ESCAPED[one] ?? one)}"\n`;
}

/**
 * Writes the content of every file and link of our index: it may name objects that are gone, of files that look unchanged since, and
 * what is unchanged is not added again.
 */
async function writeBlobs(
  repository: Repository,
  path: string,
  options: CallOptions,
): Promise<Result<string, VcsFailure>> {
  const listed = await repository.git.fields(["ls-files", "-z"], options);
  if (!listed.ok) return listed;
  const facts = listed.value.map(name => ({
    name,
    is: lstatSync(join(path, name), { throwIfNoEntry: false }),
  }));
  for (const { name } of facts.filter(({ is }) => is?.isSymbolicLink() === true)) {
    const input = readlinkSync(join(path, name), "buffer");
    const written = await change(repository, ["hash-object", "-w", "--stdin"], { ...options, input });
    if (!written.ok) return written;
  }
  const files = facts.filter(({ is }) => is?.isFile() === true);
  const input = files.map(({ name }) => asLine(name)).join("");
  return change(repository, ["hash-object", "-w", "--stdin-paths"], { ...options, input });
}

/** The same for a folder that most likely stands as we left it: one look then answers. */
export async function treeAsLeft(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
): Promise<Result<string, VcsFailure>> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  const known = repository.memory.indexTree(ownIndex(gitDir));
  // That look shows no name of another case.
  if (known === undefined || repository.facts.caseless) return treeOf(repository, folder);
  const args = ["ls-files", "--modified", "--others", "--exclude-standard", "-z"];
  const found = await repository.git.fields(args, options);
  if (!found.ok) return found;
  return found.value.length === 0 ? ok(known) : treeOf(repository, folder);
}

/** Our index of a folder as a tree. */
async function writeTree(
  repository: Repository,
  gitDir: string,
  options: CallOptions,
): Promise<Result<string, VcsFailure>> {
  const written = await change(repository, ["write-tree"], options);
  if (written.ok) repository.memory.noteIndex(ownIndex(gitDir), written.value);
  return written;
}

/** Whether a path is none that an attempt's work may contain; no repository's list of exclusions is needed for that. */
export function isLeftOut({ leaveOut }: Pick<Repository, "leaveOut">, path: string): boolean {
  return isTemporaryName(basename(path)) || leaveOut.some(one => path === one || path.startsWith(`${one}/`));
}

/** Has an index hold the old sides of these differences. */
export function changeIndex(
  repository: Repository,
  options: CallOptions,
  entries: readonly Pick<Difference, "path" | "oldMode" | "oldId">[],
): Promise<Result<string, VcsFailure>> {
  const lines = entries.map(({ path, oldMode, oldId }) =>
    oldMode === ABSENT ? `0 ${oldId}\t${path}` : `${oldMode} ${oldId}\t${path}`,
  );
  return putEntries(repository, options, lines);
}

/** Puts paths of our index back to their old sides; returns the tree that it then holds. */
export async function putBackInIndex(
  repository: Repository,
  gitDir: string,
  options: CallOptions,
  paths: readonly Difference[],
): Promise<Result<string, VcsFailure>> {
  const done = await changeIndex(repository, options, paths);
  return done.ok ? writeTree(repository, gitDir, options) : done;
}

/** The agent must still be on its branch, and the branch must still hold where it began. */
async function lineage(
  repository: Repository,
  gitDir: string,
  folder: WorkFolder,
): Promise<Result<void, VcsFailure>> {
  const branch = headBranch(gitDir);
  const strayed = (reason: Reason) => fail<VcsFailure>({ kind: "strayed", reason });
  if (branch !== folder.branch) {
    const now = branch === undefined ? {} : { now: branch };
    return strayed(because("branch-left", { branch: folder.branch, ...now }));
  }
  const tip = await needRef(repository, headRef(folder.branch));
  if (!tip.ok) return strayed(because("branch-deleted", { branch: folder.branch }));
  const held = await isAncestor(repository, folder.base, tip.value);
  if (!held.ok) return held;
  return held.value ? ok(undefined) : strayed(because("history-rewritten", {}));
}

/** What a person had changed in the main checkout when work began there that this process has noted, by path. */
async function changedBefore(
  repository: Repository,
  folder: WorkFolder,
): Promise<Result<ReadonlyMap<string, Difference>, VcsFailure>> {
  if (folder.path !== repository.facts.top) return ok(new Map());
  const begun = await begunIn(repository);
  if (!begun.ok) return begun;
  const { note, head } = begun.value ?? {};
  if (note === undefined || head === undefined || note !== repository.memory.begun()) return ok(new Map());
  const found = await differences(repository, head, note);
  return found.ok ? ok(new Map(found.value.map(one => [one.path, one]))) : found;
}

/** A folder's content as an attempt's work, measured against its base: in the main checkout without what stood there before. */
export async function snapshot(
  repository: Repository,
  folder: WorkFolder,
): Promise<Result<Snapshot, VcsFailure>> {
  const entry = putEntryBack(repository, folder.path);
  if (!entry.ok) return entry;
  const entered = enter(repository, folder);
  // It was there when the work began: whoever worked in it has removed it.
  if (!entered.ok)
    return fail({ kind: "strayed", reason: because("worktree-removed", { path: folder.path }) });
  const { gitDir, options } = entered.value;
  const sound = await lineage(repository, gitDir, folder);
  if (!sound.ok) return sound;
  // Read before the files are: what is committed after that is in them, and no part of what is to land.
  const tip = await needRef(repository, headRef(folder.branch));
  if (!tip.ok) return tip;
  const tree = await treeOf(repository, folder);
  if (!tree.ok) return tree;
  const found = await differences(repository, folder.base, tree.value);
  if (!found.ok) return found;
  const before = await changedBefore(repository, folder);
  if (!before.ok) return before;
  // A person's own repository in the main checkout may go on while work is done beside it.
  const stoodMade = (one: Difference) =>
    isMadeRepository(one) && before.value.get(one.path)?.newMode === one.newMode;
  for (const one of found.value) {
    if (!isMadeRepository(one) || stoodMade(one)) continue;
    const { path } = one;
    const added = await addedSubmodule(repository, gitDir, folder.path, one, options);
    if (added === "unpushed")
      return fail({ kind: "strayed", reason: because("submodule-unpushed", { path }) });
    if (added === "none") return fail({ kind: "strayed", reason: because("repository-within", { path }) });
  }
  const beside = folder.path === repository.facts.top ? taskFilesBeside(repository) : new Set<string>();
  const foreign = found.value.filter(one => {
    const { path, newMode, newId } = one;
    if (beside.has(path)) return true;
    const stood = before.value.get(path);
    const isSame = stood?.newId === newId && stood.newMode === newMode;
    return isLeftOut(repository, path) || isSame || stoodMade(one);
  });
  const clean = foreign.length === 0 ? tree : await putBackInIndex(repository, gitDir, options, foreign);
  if (!clean.ok) return clean;
  const kept = found.value.filter(difference => !foreign.includes(difference));
  const changed = kept.map(({ path }) => path);
  if (folder.path === repository.facts.top) repository.memory.noteSealed(clean.value, tip.value);
  const unresolved = await unresolvedIn(repository, folder, gitDir, kept);
  const moved = entry.value === undefined ? {} : { entry: entry.value };
  return ok({ tree: clean.value, changed, unresolved, leftOut: foreign.length > 0, ...moved });
}
