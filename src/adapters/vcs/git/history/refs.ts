import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { because, fail, ok, type Result, type Strayed, type VcsFailure } from "../../../../ports/index.ts";
import { syncAll } from "../../../file/index.ts";
import { failed } from "../call/failure.ts";
import { asVcsFailure } from "../repository/object-sync.ts";
import { change, type Repository } from "../repository/repository.ts";

/** The full name of a branch. */
export function headRef(branch: string): string {
  return `refs/heads/${branch}`;
}

/** Where each branch of ours began is noted below here. */
const BASES = "refs/espalier/base";

/** Where a branch of ours began. Its presence is what makes a branch ours. */
export function baseRef(branch: string): string {
  return `${BASES}/${branch}`;
}

/** The branches of which that is noted, whether they stand or not. */
export function notedBranches(repository: Repository): Promise<Result<readonly string[], VcsFailure>> {
  return namesBelow(repository, BASES);
}

/** Whether a branch is a single task's: what it has not brought home is nowhere else. */
export function isOfTask(branch: string): boolean {
  return branch.startsWith("task/");
}

/** A word for refs of one project: others may lie in the same repository. Stays the same where the repository is moved. */
export function projectKey({ facts, rescueDir }: Pick<Repository, "facts" | "rescueDir">): string {
  const place = relative(facts.common, rescueDir);
  return createHash("sha256").update(place).digest("hex").slice(0, 12);
}

/** Refs that all worktrees share and that only ever name commits. */
function isShared(ref: string): boolean {
  return ref.startsWith("refs/heads/") || ref.startsWith("refs/espalier/");
}

/** The commit of a ref; undefined when there is none. */
export async function readRef(
  repository: Repository,
  ref: string,
): Promise<Result<string | undefined, VcsFailure>> {
  const stored = isShared(ref) ? repository.storedRefs.read(ref) : undefined;
  if (stored?.kind === "commit") return ok(stored.commit);
  if (stored?.kind === "absent") return ok(undefined);
  const done = await repository.git.run(["rev-parse", "--verify", "-q", `${ref}^{commit}`], { answers: [1] });
  if (!done.ok) return done;
  return ok(done.value.code === 0 ? done.value.stdout.toString().trim() : undefined);
}

/** The commit of a ref that has to be there. */
export async function needRef(repository: Repository, ref: string): Promise<Result<string, VcsFailure>> {
  const found = await readRef(repository, ref);
  if (!found.ok) return found;
  if (found.value !== undefined) return ok(found.value);
  return failed(because("ref-gone", { ref }));
}

/** One ref's change: from what it must be now (undefined: not there) to what it shall be (undefined: gone). */
export interface RefChange {
  readonly ref: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The folders by which a ref is found, up to the common directory: the list of packed refs stands there. */
function foldersOf(common: string, ref: string): string[] {
  const parts = ref.split("/");
  return parts.map((_, at) => join(common, ...parts.slice(0, at)));
}

/** What a ref names is on the disk from then on, and so is the ref: a process may have died before it saw to that. */
export async function settleRef(repository: Repository, ref: string): Promise<Result<void, VcsFailure>> {
  const stored = await repository.objects.sync();
  return stored.ok ? settleNames(repository, [ref]) : stored;
}

async function settleNames(
  { facts: { common }, sync }: Repository,
  refs: readonly string[],
): Promise<Result<void, VcsFailure>> {
  const files = refs.map(ref => join(common, ref));
  const done = await syncAll([...files, ...refs.flatMap(ref => foldersOf(common, ref))], sync);
  return done.ok ? ok(undefined) : fail(asVcsFailure(done.failure));
}

/**
 * Changes refs together, all or none; fails when one is not what it must be. A power cut takes back no change that was
 * made, and leaves no ref that names what is not there: objects come to the disk first, then the refs, then their names.
 */
export async function changeRefs(
  repository: Repository,
  changes: readonly RefChange[],
  why: string,
): Promise<Result<string, VcsFailure>> {
  const moved = changes.flatMap(({ ref, to }) => (to === undefined ? [] : [ref]));
  const stored = moved.length === 0 ? ok(undefined) : await repository.objects.sync();
  if (!stored.ok) return stored;
  const none = "0".repeat(repository.facts.head.length);
  const lines = changes.map(({ ref, from, to }) =>
    to === undefined ? `delete ${ref} ${from ?? none}` : `update ${ref} ${to} ${from ?? none}`,
  );
  const input = ["start", ...lines, "prepare", "commit", ""].join("\n");
  const stay = repository.memory.letGo(changes.flatMap(({ ref, to }) => (to === undefined ? [ref] : [])));
  const done = await change(repository, ["update-ref", "-m", `espalier: ${why}`, "--stdin"], { input });
  if (!done.ok) {
    stay();
    return done;
  }
  for (const { ref, from, to } of changes) repository.memory.movedRef(ref, from, to);
  const settled = await settleNames(repository, moved);
  return settled.ok ? done : settled;
}

/** What came to a branch by no call of ours since this was last asked. Between our own changes: none is taken for another's. */
export function strayed(
  repository: Repository,
  branch: string,
): Promise<Result<Strayed | undefined, VcsFailure>> {
  return repository.refs.ofBranches([branch], async () => {
    const tip = await readRef(repository, headRef(branch));
    if (!tip.ok) return tip;
    return ok(repository.memory.sawRef(headRef(branch), tip.value));
  });
}

/** Whether one commit is in the history of another. */
export async function isAncestor(
  repository: Repository,
  ancestor: string,
  of: string,
): Promise<Result<boolean, VcsFailure>> {
  if (ancestor === of) return ok(true);
  const done = await repository.git.run(["merge-base", "--is-ancestor", ancestor, of], { answers: [1] });
  return done.ok ? ok(done.value.code === 0) : done;
}

/** What the refs below a folder are called there: the branches whose beginning was noted, say. */
export async function namesBelow(
  { git, storedRefs }: Repository,
  folder: string,
): Promise<Result<readonly string[], VcsFailure>> {
  const stored = storedRefs.list([folder]);
  if (stored !== undefined) return ok([...stored.keys()].map(ref => ref.slice(folder.length + 1)));
  const told = await git.text(["for-each-ref", "--format=%(refname)", folder]);
  if (!told.ok) return told;
  return ok(told.value.split("\n").flatMap(ref => (ref === "" ? [] : [ref.slice(folder.length + 1)])));
}
