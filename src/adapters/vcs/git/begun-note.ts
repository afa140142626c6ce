import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { projectKey, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";

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
}

export async function begunIn(repository: Repository): Answer<Begun | undefined> {
  const note = await readRef(repository, begunRef(repository));
  if (!note.ok || note.value === undefined) return note.ok ? ok(undefined) : note;
  const told = await repository.git.text(["log", "-1", "--format=%P%n%B", note.value, "--"]);
  if (!told.ok) return told;
  const [head = "", claimant = "", , name = ""] = told.value.split("\n");
  return ok({ note: note.value, head, claimant, name });
}
