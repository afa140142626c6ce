import { ok, type Rejoined, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { landedIn } from "../history/commit.ts";
import { isContained } from "../history/contained.ts";
import { keepCommit } from "../history/keep.ts";
import { changeRefs, headRef, isAncestor, readRef } from "../history/refs.ts";
import { headBranch } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { mergeBranch } from "./merge.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** The tasks whose landed work lies in some commits, oldest first, and whether nothing else does. */
async function landedBetween(
  repository: Repository,
  tip: string,
  before: string,
): Answer<{ readonly tasks: readonly string[]; readonly isAll: boolean }> {
  const landed = await landedIn(repository, [before, `^${tip}`]);
  if (!landed.ok) return landed;
  const count = await repository.git.text(["rev-list", "--count", before, `^${tip}`, "--"]);
  if (!count.ok) return count;
  const tasks = landed.value.map(({ task }) => task).toReversed();
  return ok({ tasks: [...new Set(tasks)], isAll: landed.value.length === Number(count.value) });
}

/** Merges what a branch had before, and lets go of the branch that kept it. Whether that could be done. */
async function mergedAgain(
  repository: Repository,
  branch: string,
  kept: string,
  before: string,
): Promise<boolean> {
  const message = `Merge what ${branch} held before it was rewritten`;
  const merged = await mergeBranch(repository, { branch: kept, into: branch, message });
  if (!merged.ok || merged.value.kind !== "merged") return false;
  await repository.refs.ofBranches([kept], () =>
    changeRefs(repository, [{ ref: headRef(kept), from: before }], `${branch} holds it again`),
  );
  return true;
}

/** Has a branch that somebody rewrote hold again what landed on it; what else it had lost is only kept. */
export async function rejoin(
  repository: Repository,
  branch: string,
  before: string,
): Answer<Rejoined | undefined> {
  const tip = await readRef(repository, headRef(branch));
  if (!tip.ok) return tip;
  // Where it is checked out it is put back before that.
  if (tip.value === undefined) return ok(undefined);
  const held = await isAncestor(repository, before, tip.value);
  if (!held.ok) return held;
  if (held.value) return ok(undefined);
  // Who amends or rebases commits keeps what they hold.
  const said = await isContained(repository, before, tip.value);
  if (!said.ok || said.value) return said.ok ? ok(undefined) : said;
  const lost = await landedBetween(repository, tip.value, before);
  if (!lost.ok) return lost;
  const { tasks, isAll } = lost.value;
  const kept = await repository.refs.ofBranches([branch], () => keepCommit(repository, branch, before));
  if (!kept.ok) return kept;
  // Of what is a person's nobody knows whether it was taken away on purpose.
  const isToJoin = tasks.length > 0 && isAll && headBranch(repository.facts.gitDir) === branch;
  const isJoined = isToJoin && (await mergedAgain(repository, branch, kept.value, before));
  return ok({ tasks, ...(isJoined ? {} : { kept: kept.value }) });
}

/** Has a branch that is checked out and that somebody deleted stand at a commit again; no file is touched. Whether it had to. */
export async function putBack(repository: Repository, branch: string, at: string): Answer<boolean> {
  if (headBranch(repository.facts.gitDir) !== branch) return ok(false);
  const tip = await readRef(repository, headRef(branch));
  if (!tip.ok || tip.value !== undefined) return tip.ok ? ok(false) : tip;
  // Whoever puts it back tells that it was gone.
  repository.memory.sawRef(headRef(branch), undefined);
  const change = { ref: headRef(branch), to: at };
  const made = await repository.refs.ofBranches([branch], () =>
    changeRefs(repository, [change], `put ${branch} back`),
  );
  return made.ok ? ok(true) : made;
}
