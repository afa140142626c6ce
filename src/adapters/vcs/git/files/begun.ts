import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  because,
  type FolderRequest,
  fail,
  type LeftWork,
  ok,
  type Reason,
  type Rescued,
  type Result,
  type UnderWay,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { type Begun, begunIn, begunRef } from "../history/begun-note.ts";
import { commitTree } from "../history/commit.ts";
import { keepLeft, keptLeft } from "../history/left.ts";
import { changeRefs, needRef, type RefChange, readRef } from "../history/refs.ts";
import { headBranch, inFolder } from "../places/folders.ts";
import { ABSENT, type Difference, GITLINK, readRaw } from "../repository/difference.ts";
import { inProgress } from "../repository/facts.ts";
import { change, type Repository } from "../repository/repository.ts";
import { taskFilesBeside } from "./beside.ts";
import { moveMade } from "./inner.ts";
import { putFiles } from "./move.ts";
import {
  changeIndex,
  differences,
  enter,
  isLeftOut,
  putBackInIndex,
  treeAsLeft,
  treeOf,
} from "./snapshot.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Notes that work begins in the main checkout. */
async function noteBegun(
  repository: Repository,
  { path, branch, claimant }: FolderRequest,
  name: string,
  head: string,
): Answer<void> {
  const tree = await treeAsLeft(repository, { path });
  if (!tree.ok) return tree;
  const commit = await commitTree(repository, tree.value, [head], `${claimant}\n\n${name}\n${branch}\n`);
  if (!commit.ok) return commit;
  const change = { ref: begunRef(repository), to: commit.value };
  const noted = await repository.refs.alone(() => changeRefs(repository, [change], `${name} begins`));
  if (!noted.ok) return noted;
  repository.memory.noteBegun(commit.value);
  return ok(undefined);
}

/** Takes the note back, with whatever else changes then: the work has come home. */
export async function noteEnded(repository: Repository): Answer<readonly RefChange[]> {
  const ref = begunRef(repository);
  const note = await readRef(repository, ref);
  if (!note.ok) return note;
  return ok(note.value === undefined ? [] : [{ ref, from: note.value }]);
}

/** What was undone of a file, and what it is to hold instead. */
interface Undoing {
  /** From what stands there to what is to stand there. */
  readonly back: readonly Difference[];
  /** From what the branch has to what stands there. */
  readonly work: readonly Difference[];
}

/** What has changed since the work began and is in no commit; what a person had changed before stays as it was then. */
async function changedSince(
  repository: Repository,
  { note, head: before }: Begun,
  head: string,
  tree: string,
): Answer<Undoing> {
  const since = await differences(repository, note, tree);
  const moved = await differences(repository, before, head);
  const open = await differences(repository, head, tree);
  const personal = await differences(repository, before, note);
  if (!since.ok) return since;
  if (!moved.ok) return moved;
  if (!open.ok) return open;
  if (!personal.ok) return personal;
  const uncommitted = new Map(open.value.map(one => [one.path, one]));
  const committed = new Map(moved.value.map(one => [one.path, one]));
  const persons = new Set(personal.value.map(({ path }) => path));
  const isOwnRepository = ({ oldMode, newMode }: Difference) => oldMode === GITLINK && newMode === GITLINK;
  const beside = taskFilesBeside(repository);
  const isForeign = (path: string) => isLeftOut(repository, path) || beside.has(path);
  const undone = since.value.filter(
    one => uncommitted.has(one.path) && !isForeign(one.path) && !isOwnRepository(one),
  );
  const back = undone.map(one => {
    const newer = persons.has(one.path) ? undefined : committed.get(one.path);
    return newer === undefined ? one : { ...one, oldMode: newer.newMode, oldId: newer.newId };
  });
  return ok({ back, work: undone.map(({ path }) => uncommitted.get(path)!) });
}

/** The branch's state with the undone work and nothing else of what stands in the checkout. */
async function treeOfWork(
  repository: Repository,
  options: CallOptions,
  head: string,
  work: readonly Difference[],
): Answer<string> {
  const { gitDir } = repository.facts;
  const own = { ...options, index: `${gitDir}/espalier-record` };
  const begun = await change(repository, ["read-tree", head], own);
  const turned = work.map(({ path, newMode, newId }) => ({ path, oldMode: newMode, oldId: newId }));
  const put = begun.ok ? await changeIndex(repository, own, turned) : begun;
  return put.ok ? change(repository, ["write-tree"], own) : put;
}

/** Unstages what was undone, and files that were taken out of the index and stand there all the same. */
async function unstage(repository: Repository, head: string, back: readonly Difference[]): Answer<unknown> {
  const { gitDir, top } = repository.facts;
  const options = inFolder(gitDir, top);
  const args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", head];
  const listed = await repository.git.run(args, options);
  if (!listed.ok) return listed;
  const undone = new Set(back.map(({ path }) => path));
  const staged = readRaw(listed.value.stdout).filter(
    ({ path, newMode }) => undone.has(path) || (newMode === ABSENT && existsSync(join(top, path))),
  );
  return staged.length === 0 ? ok(undefined) : changeIndex(repository, options, staged);
}

/** Takes out of the main checkout what work has left there that did not come home, and keeps it; the note goes with it. */
async function undo(repository: Repository, path: string, begun: Begun): Answer<Rescued> {
  const head = await needRef(repository, "HEAD");
  if (!head.ok) return head;
  const entered = enter(repository, { path });
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  const tree = await treeOf(repository, { path });
  if (!tree.ok) return tree;
  const found = await changedSince(repository, begun, head.value, tree.value);
  if (!found.ok) return found;
  const { back, work } = found.value;
  let rescued: Rescued = {};
  if (back.length > 0) {
    const left = await treeOfWork(repository, options, head.value, work);
    const kept = left.ok ? await keepLeft(repository, begun.name, left.value, head.value) : left;
    if (!kept.ok) return kept;
    const files = moveMade(repository, path, tree.value, back);
    if (!files.ok) return files;
    rescued = { branch: kept.value.ref, ...(files.value === undefined ? {} : { files: files.value }) };
    const to = await putBackInIndex(repository, gitDir, options, back);
    const put = to.ok ? await putFiles(repository, { path }, to.value, tree.value) : to;
    if (!put.ok) return put;
  }
  const unstaged = await unstage(repository, head.value, back);
  if (!unstaged.ok) return unstaged;
  const note = { ref: begunRef(repository), from: begun.note };
  const gone = await changeRefs(repository, [note], `${begun.name} ends`);
  return gone.ok ? ok(rescued) : gone;
}

/**
 * Takes out of the main checkout what has changed there since work began that was noted here; a person's own edits stay.
 * Whoever has taken over has noted its own.
 */
export function undoBegun(repository: Repository, path: string): Answer<Rescued> {
  return repository.refs.alone(async (): Answer<Rescued> => {
    const begun = await begunIn(repository);
    if (!begun.ok) return begun;
    if (begun.value === undefined || begun.value.note !== repository.memory.begun()) return ok({});
    return undo(repository, path, begun.value);
  });
}

/** What git wants ended before it goes to another branch; the files stay, where they can. */
const ENDED: Readonly<Record<UnderWay, string>> = {
  merge: "git merge --abort",
  rebase: "git rebase --quit",
  "cherry-pick": "git cherry-pick --quit",
  revert: "git revert --quit",
  bisect: "git bisect reset",
};

/** Says that the main checkout is on another branch than work there comes home to; undefined where it is on that. */
export function isElsewhere({ facts }: Repository, branch: string): Reason | undefined {
  const now = headBranch(facts.gitDir);
  if (now === branch) return undefined;
  const begun = inProgress(facts.gitDir);
  const first = begun === undefined ? "" : `${ENDED[begun]} && `;
  const back = `${first}git switch ${branch}`;
  return because("checkout-elsewhere", {
    path: facts.top,
    branch,
    ...(now === undefined ? {} : { now }),
    back,
  });
}

/** Opens the main checkout for a task: what work has left there that nobody ended is taken out first. */
export async function openCheckout(repository: Repository, request: FolderRequest): Answer<WorkFolder> {
  const { path, branch, claimant, anew } = request;
  const elsewhere = isElsewhere(repository, branch);
  // An agent would work on other files than those that its work is for.
  if (elsewhere !== undefined) return fail({ kind: "foreign", reason: elsewhere });
  const before = claimant === undefined ? ok(undefined) : await begunIn(repository);
  if (!before.ok) return before;
  const goesOn = before.value !== undefined && before.value.claimant === claimant && anew === undefined;
  if (before.value !== undefined) repository.memory.noteBegun(before.value.note);
  const isStale = before.value !== undefined && !goesOn;
  const undone: Result<Rescued, VcsFailure> = isStale ? await undoBegun(repository, path) : ok({});
  if (!undone.ok) return undone;
  const head = await needRef(repository, "HEAD");
  if (!head.ok) return head;
  const noted =
    claimant === undefined || goesOn
      ? ok(undefined)
      : await noteBegun(repository, request, anew ?? branch, head.value);
  if (!noted.ok) return noted;
  const { branch: ref, files } = undone.value;
  const left: { left?: LeftWork } = ref === undefined ? {} : { left: keptLeft(ref, files) };
  return ok({ path, branch, base: head.value, ...left });
}
