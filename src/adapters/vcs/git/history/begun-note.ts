import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Repository } from "../repository/repository.ts";
import { attemptOf, findAttempt } from "./commit.ts";
import { headRef, projectKey, readRef } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/**
 * A commit of what stood in the main checkout when the work of this project began that goes on there; it says whose, and its
 * name. What another project has begun there is that one's to end.
 */
export function begunRef(repository: Repository): string {
  const ref = "refs/espalier/begun";
  return repository.facts.prefix === "" ? ref : `${ref}-in/${projectKey(repository)}`;
}

/** A note as it can be read. */
export interface Begun {
  readonly note: string;
  readonly head: string;
  readonly claimant: string;
  readonly name: string;
  /** The branch that was checked out; empty in what an earlier version noted. */
  readonly branch: string;
}

export async function begunIn(repository: Repository): Answer<Begun | undefined> {
  const note = await readRef(repository, begunRef(repository));
  if (!note.ok || note.value === undefined) return note.ok ? ok(undefined) : note;
  const told = await repository.git.text(["log", "-1", "--format=%P%n%B", note.value, "--"]);
  if (!told.ok) return told;
  const [head = "", claimant = "", , name = "", branch = ""] = told.value.split("\n");
  return ok({ note: note.value, head, claimant, name, branch });
}

/**
 * The landing on which work in the main checkout began that nobody has ended, as after a kill, where a branch does not hold it by this or
 * another commit: a person may have rewritten history since.
 */
export async function begunOn(repository: Repository, branch: string): Answer<string | undefined> {
  const begun = await begunIn(repository);
  if (!begun.ok) return begun;
  if (begun.value?.branch !== branch) return ok(undefined);
  const { head } = begun.value;
  const attempt = await attemptOf(repository, head);
  if (!attempt.ok) return attempt;
  if (attempt.value === "") return ok(undefined);
  const held = await findAttempt(repository, attempt.value, headRef(branch));
  if (!held.ok) return held;
  return ok(held.value === undefined ? head : undefined);
}
