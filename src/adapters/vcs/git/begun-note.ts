import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** A commit of what stood in the main checkout when the work began that goes on there; it says whose, and its name. */
export const BEGUN = "refs/espalier/begun";

/** A note as it can be read. */
export interface Begun {
  readonly note: string;
  readonly head: string;
  readonly claimant: string;
  readonly name: string;
}

export async function begunIn(repository: Repository): Answer<Begun | undefined> {
  const note = await readRef(repository, BEGUN);
  if (!note.ok || note.value === undefined) return note.ok ? ok(undefined) : note;
  const told = await repository.git.text(["log", "-1", "--format=%P%n%B", note.value, "--"]);
  if (!told.ok) return told;
  const [head = "", claimant = "", , name = ""] = told.value.split("\n");
  return ok({ note: note.value, head, claimant, name });
}
