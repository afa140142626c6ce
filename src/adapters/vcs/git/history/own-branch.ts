import { because, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { failed } from "../call/failure.ts";
import type { Repository } from "../repository/repository.ts";
import { keepCommit } from "./keep.ts";
import { baseRef, changeRefs, headRef, isAncestor, readRef } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** A branch of ours as it can be relied on. */
export interface SoundBranch {
  readonly tip: string;
  /** Where it stood before, when it had lost what it began with. */
  readonly rescued?: string;
}

/** Whether the commits that came to a branch since another one are there. */
async function canBeRead({ git }: Repository, tip: string, since: string): Answer<boolean> {
  const done = await git.run(["rev-list", "--quiet", tip, `^${since}`, "--"], { answers: [128] });
  return done.ok ? ok(done.value.code === 0) : done;
}

/**
 * The tip of a branch that what was noted of it is in. Where an agent deleted the branch or rewrote it, it is put back to
 * what was noted, which is all that has landed on it; what it had become stays on a branch of its own. Branches that are
 * not ours are taken as they are.
 */
export async function soundBranch(repository: Repository, branch: string): Answer<SoundBranch> {
  const [head, note] = [headRef(branch), baseRef(branch)];
  const tip = await readRef(repository, head);
  if (!tip.ok) return tip;
  const base = await readRef(repository, note);
  if (!base.ok) return base;
  if (base.value === undefined)
    return tip.value === undefined ? failed(because("branch-gone", { branch })) : ok({ tip: tip.value });
  if (tip.value === base.value) return ok({ tip: base.value });
  let isWhole = tip.value !== undefined;
  if (tip.value !== undefined) {
    const held = await isAncestor(repository, base.value, tip.value);
    const whole = held.ok ? ok(true) : await canBeRead(repository, tip.value, base.value);
    if (!whole.ok) return whole;
    isWhole = whole.value;
    if (!held.ok && isWhole) return held;
    if (held.ok && held.value) return ok({ tip: tip.value });
  }
  // Of what cannot be read nothing is to be kept: a branch that held it would only stand in git's way.
  const kept =
    tip.value === undefined || !isWhole ? ok(undefined) : await keepCommit(repository, branch, tip.value);
  if (!kept.ok) return kept;
  const back = [{ ref: head, from: tip.value, to: base.value }];
  const moved = await changeRefs(repository, back, `put ${branch} back to what has landed on it`);
  if (!moved.ok) return moved;
  return ok({ tip: base.value, ...(kept.value === undefined ? {} : { rescued: kept.value }) });
}

/** The newest commit of a branch that brought an attempt's work: it carries the trailer, or joins what does. */
async function lastLanded({ git }: Repository, tip: string, source: string): Answer<string | undefined> {
  const format = "--format=%H %P%x1f%(trailers:key=Espalier-Attempt,valueonly,separator=%x20)";
  const found = await git.fields(["log", "-z", "--first-parent", format, tip, `^${source}`, "--"]);
  if (!found.ok) return found;
  const commits = found.value.map(line => line.split("\u001f"));
  const last = commits.find(([ids = "", attempt = ""]) => attempt !== "" || ids.split(" ").length > 2);
  return ok(last?.[0]?.split(" ")[0]);
}

/**
 * Notes anew what a branch of ours begins with, where somebody deleted the note: what landed on it last, or where it left the
 * commit it comes from. Of a task's branch, which comes from one of ours, only the latter: its own work is still to land.
 */
export async function noteAgain(
  repository: Repository,
  branch: string,
  tip: string,
  source: string,
  isTask: boolean,
): Answer<string> {
  const landed = isTask ? ok(undefined) : await lastLanded(repository, tip, source);
  if (!landed.ok) return landed;
  const base =
    landed.value === undefined ? await repository.git.text(["merge-base", source, tip]) : ok(landed.value);
  if (!base.ok) return base;
  const made = await changeRefs(repository, [{ ref: baseRef(branch), to: base.value }], `note ${branch}`);
  return made.ok ? base : made;
}

/** A branch whose name cannot stand beside this one's: refs are files, and one is not a folder as well. */
export async function branchInTheWay(repository: Repository, branch: string): Answer<string | undefined> {
  const parts = branch.split("/");
  for (const end of parts.keys()) {
    const above = parts.slice(0, end).join("/");
    const there = above === "" ? ok(undefined) : await readRef(repository, headRef(above));
    if (!there.ok) return there;
    if (there.value !== undefined) return ok(above);
  }
  const args = ["for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", `${headRef(branch)}/`];
  const below = await repository.git.text(args);
  return below.ok && below.value === "" ? ok(undefined) : below;
}
