import { ok, type Reason, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { checkMove } from "../files/checkout.ts";
import { baseRef, changeRefs, isAncestor, type RefChange, readRef } from "../history/refs.ts";
import { inFolder, knownFolders } from "../places/folders.ts";
import { change, type Repository } from "../repository/repository.ts";
import type { RunRefs } from "./copy.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

const HEADS = "refs/heads/";

/** A branch that has commits here which the run does not have, and lacks some that it has. */
export interface InTheWay {
  readonly branch: string;
  /** Where it stands in the run. */
  readonly commit: string;
}

/** A folder that a branch is checked out in, and whose own files keep it from going forward. */
export interface Held {
  readonly branch: string;
  readonly folder: string;
  readonly why: Reason;
}

/** What is done so that the refs of a run stand here. */
export interface Taking {
  readonly inTheWay: readonly InTheWay[];
  readonly held: readonly Held[];
  /** Refs that nobody has checked out. */
  readonly changes: readonly RefChange[];
  /** Branches that are checked out, and the commit each goes forward to. */
  readonly forward: ReadonlyMap<string, string>;
}

/** The folder a branch is checked out in, if any. */
function folderOf({ facts }: Repository, branch: string): { path: string; gitDir: string } | undefined {
  if (facts.branch === branch) return { path: facts.top, gitDir: facts.gitDir };
  const found = knownFolders(facts.common).find(one => one.branch === branch);
  return found && { path: found.path, gitDir: found.admin };
}

/** Decides what becomes of each ref here; nothing is changed. A branch that holds all that the run has stays as it is. */
export async function planRefs(repository: Repository, refs: RunRefs): Answer<Taking> {
  const inTheWay: InTheWay[] = [];
  const held: Held[] = [];
  const changes: RefChange[] = [];
  const forward = new Map<string, string>();
  const staying = new Set<string>();
  const entries = Object.entries(refs).filter(([ref]) => ref.startsWith(HEADS));
  for (const [ref, to] of entries) {
    const branch = ref.slice(HEADS.length);
    const here = await readRef(repository, ref);
    if (!here.ok) return here;
    const from = here.value;
    if (from === undefined) changes.push({ ref, to });
    if (from === undefined || from === to) continue;
    const isBehind = await isAncestor(repository, from, to);
    if (!isBehind.ok) return isBehind;
    const folder = isBehind.value ? folderOf(repository, branch) : undefined;
    if (folder !== undefined) {
      const free = await checkMove(repository, folder.gitDir, folder.path, from, to);
      if (!free.ok) held.push({ branch, folder: folder.path, why: free.failure.reason });
      forward.set(branch, to);
    } else if (isBehind.value) changes.push({ ref, from, to });
    if (isBehind.value) continue;
    const isAhead = await isAncestor(repository, to, from);
    if (!isAhead.ok) return isAhead;
    if (isAhead.value) staying.add(baseRef(branch));
    else inTheWay.push({ branch, commit: to });
  }
  for (const [ref, to] of Object.entries(refs)) {
    if (ref.startsWith(HEADS)) continue;
    const here = await readRef(repository, ref);
    if (!here.ok) return here;
    const from = here.value;
    if (from !== to && !(from !== undefined && staying.has(ref)))
      changes.push({ ref, to, ...(from === undefined ? {} : { from }) });
  }
  return ok({ inTheWay, held, changes, forward });
}

/** Does what was decided. A folder whose branch goes forward keeps what was changed in it, or stays as it is and says why. */
export async function takeRefs(repository: Repository, { changes, forward }: Taking): Answer<void> {
  for (const [branch, commit] of forward) {
    const folder = folderOf(repository, branch);
    const args = ["merge", "--ff-only", "--quiet", "--no-stat", commit];
    const moved = await change(repository, args, folder && inFolder(folder.gitDir, folder.path));
    if (!moved.ok) return moved;
  }
  if (changes.length === 0) return ok(undefined);
  const changed = await changeRefs(repository, changes, "take a run over");
  return changed.ok ? ok(undefined) : changed;
}
