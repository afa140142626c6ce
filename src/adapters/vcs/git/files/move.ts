import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  because,
  OBJECT_ID,
  ok,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { directFileCalls, readBounded, writeAtomic } from "../../../file/index.ts";
import { failed } from "../call/failure.ts";
import { keepAside } from "../history/keep.ts";
import { copyIndex, ownIndex } from "../places/folders.ts";
import { ABSENT } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";
import { inTheWay } from "./collide.ts";
import { noteStanding, staysBehind } from "./left-standing.ts";
import { moveOut } from "./move-out.ts";
import { differences, enter, treeAsLeft, treeOf } from "./snapshot.ts";
import { showChanging } from "./sparse.ts";

/** Left in a folder's git directory while its files are on their way to another commit. */
const MOVING = "espalier-moving";

/** A folder that was on its way when somebody died. */
interface Move {
  /** Empty where that cannot be read. */
  readonly to: string;
  /** What holds all that stood there before, where something does. */
  readonly kept?: string;
}

/** Where a folder was on its way to when somebody died; undefined when it stood still. */
export function interruptedMove(gitDir: string): Move | undefined {
  const path = join(gitDir, MOVING);
  const bytes = readBounded(path, { maxBytes: 65_536, calls: directFileCalls });
  if (!bytes.ok) return bytes.failure.kind === "missing" ? undefined : { to: "" };
  const [to = "", kept] = Buffer.from(bytes.value).toString("utf8").trim().split("\n");
  if (!OBJECT_ID.test(to)) return { to: "" };
  return kept !== undefined && OBJECT_ID.test(kept) ? { to, kept } : { to };
}

/** Says that a folder's files are about to move to a commit, which is on the disk before that: a power cut leaves the note. */
export async function beginMove(
  { objects }: Repository,
  gitDir: string,
  to: string,
  kept?: string,
): Promise<Result<void, VcsFailure>> {
  const stored = await objects.sync();
  const lines = kept === undefined ? `${to}\n` : `${to}\n${kept}\n`;
  if (stored.ok) writeAtomic(join(gitDir, MOVING), lines, { calls: directFileCalls });
  return stored;
}

/** Says that a folder's files are where its branch is. */
export function endMove(gitDir: string): void {
  rmSync(join(gitDir, MOVING), { force: true });
}

/** Remembers that our index of a folder now holds a commit or tree, where it is known what that is. */
export function noteIndexAs(repository: Repository, gitDir: string, to: string): void {
  const tree = repository.memory.treeNamed(to);
  if (tree !== to) repository.memory.noteIndex(ownIndex(gitDir), tree);
}

/** Makes our index the folder's own: what stands there is what was committed. */
export function showOwnIndex(gitDir: string): void {
  copyIndex(gitDir, ownIndex(gitDir), join(gitDir, "index"));
}

function removeFile(top: string, path: string): void {
  const absolute = join(top, path);
  if (lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true) return;
  rmSync(absolute, { force: true });
  for (let folder = dirname(absolute); folder !== top && folder.startsWith(top); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/**
 * Puts a folder's files to a tree or commit, whatever stands there; ignored files stay. The caller has made sure that what
 * stands there is nobody's work, or is kept elsewhere. `present` is its tree, where that is known already.
 */
export async function putTo(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  to: string,
  present?: string,
): Promise<Result<void, VcsFailure>> {
  const put = await putFiles(repository, folder, to, present);
  if (put.ok) showOwnIndex(put.value);
  return put.ok ? ok(undefined) : put;
}

/** The same for the files alone: the folder's own index stays. Returns the folder's git directory. */
export async function putFiles(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  to: string,
  present?: string,
): Promise<Result<string, VcsFailure>> {
  const now = present === undefined ? await treeAsLeft(repository, folder) : ok(present);
  if (!now.ok) return now;
  const found = await differences(repository, to, now.value);
  if (!found.ok) return found;
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  if (found.value.length > 0) {
    // What our index does not know and stands in the way is ignored, and may be all there is of it.
    const isLeft = staysBehind(gitDir);
    const fresh = found.value.flatMap(({ path, newMode }) =>
      newMode === ABSENT && !isLeft(path) ? [path] : [],
    );
    const gone = found.value.filter(({ oldMode }) => oldMode === ABSENT).map(({ path }) => path);
    const place = join(repository.rescueDir, `${basename(folder.path)}-${now.value.slice(0, 8)}`);
    const stuck = moveOut(folder.path, place, inTheWay(folder.path, { fresh, gone }));
    if (stuck !== undefined) return failed(because("ignored-in-the-way", { said: stuck }));
    // What the tree does not have would stay behind as untracked.
    for (const path of gone) removeFile(folder.path, path);
    const how = await showChanging(repository, gitDir, options, found.value);
    if (!how.ok) return how;
    const done = await change(repository, [...how.value, "read-tree", "--reset", "-u", to], options);
    if (!done.ok) return done;
    noteStanding(gitDir, found.value);
    noteIndexAs(repository, gitDir, to);
  }
  return ok(gitDir);
}

/** Whether everything that stands in a folder is also in one of these commits: then none of it is anybody's alone. */
async function isKnown(
  repository: Repository,
  tree: string,
  commits: readonly string[],
): Promise<Result<boolean, VcsFailure>> {
  let unknown: ReadonlySet<string> | undefined;
  for (const commit of commits) {
    const found = await differences(repository, commit, tree);
    if (!found.ok) return found;
    const paths = found.value.filter(({ newMode }) => newMode !== ABSENT).map(({ path }) => path);
    unknown = new Set(unknown === undefined ? paths : paths.filter(path => unknown?.has(path)));
    if (unknown.size === 0) return ok(true);
  }
  return ok(false);
}

/**
 * Finishes what a crash left half moved: the folder stands on its branch again. What is in none of the commits between which
 * it moved is rescued. Returns the rescue branch, if there had to be one.
 */
export async function settleMove(
  repository: Repository,
  folder: Pick<WorkFolder, "path" | "branch">,
  gitDir: string,
  tip: string,
): Promise<Result<string | undefined, VcsFailure>> {
  const move = interruptedMove(gitDir);
  if (move === undefined) return ok(undefined);
  const tree = await treeOf(repository, folder);
  if (!tree.ok) return tree;
  const { to, kept: before = "" } = move;
  const commits = [tip, to, before].filter(commit => commit !== "");
  const known = await isKnown(repository, tree.value, commits);
  if (!known.ok) return known;
  let rescued: string | undefined;
  if (!known.value) {
    const name = folder.branch.replaceAll("/", "-");
    const kept = await keepAside(repository, name, tree.value, tip, "found in a folder that was being moved");
    if (!kept.ok) return kept;
    rescued = kept.value;
  }
  const put = await putTo(repository, folder, tip);
  if (!put.ok) return put;
  endMove(gitDir);
  return ok(rescued);
}
