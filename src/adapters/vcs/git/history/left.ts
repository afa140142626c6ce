import { type LeftWork, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Repository } from "../repository/repository.ts";
import { commitTree } from "./commit.ts";
import { changeRefs, namesBelow, projectKey, readRef } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What attempts have left behind lies below here, by the name of their task and by its content. */
const LEFT = "refs/espalier/left/";
/** Those of projects that are folders of the repository lie here, each for itself. */
const IN_FOLDERS = `${LEFT}in/`;

function leftOf(repository: Repository): string {
  return repository.facts.prefix === "" ? LEFT : `${IN_FOLDERS}${projectKey(repository)}/`;
}

/** Where the commits of a branch stay that goes and is in no other one's history: what a run counts as done has to be found. */
export function wasRef(repository: Repository, branch: string): string {
  return `${leftOf(repository)}was/${branch}`;
}

/** The branches that went so. */
export function goneBranches(repository: Repository): Answer<readonly string[]> {
  return namesBelow(repository, `${leftOf(repository)}was`);
}

/** Something that was kept. */
export interface Kept {
  readonly ref: string;
  readonly commit: string;
}

/** What was taken out of a folder, and where it is. */
export function keptLeft(ref: string, files: string | undefined): LeftWork {
  return { kind: "kept", ref, ...(files === undefined ? {} : { files }) };
}

/**
 * Keeps a tree that an attempt has left; the same is kept once. Its commit's first parent is what the work began with, so that
 * one command shows all of it, what the agent has committed itself included; that stays in the history behind the second one.
 */
export async function keepLeft(
  repository: Repository,
  name: string,
  tree: string,
  base: string,
  head = base,
): Answer<Kept> {
  const ref = `${leftOf(repository)}${name}/${tree.slice(0, 8)}`;
  const there = await readRef(repository, ref);
  if (!there.ok) return there;
  if (there.value !== undefined) return ok({ ref, commit: there.value });
  const parents = head === base ? [base] : [base, head];
  const commit = await commitTree(repository, tree, parents, "What an attempt left behind\n");
  if (!commit.ok) return commit;
  const made = await changeRefs(repository, [{ ref, to: commit.value }], `keep what ${name} left`);
  return made.ok ? ok({ ref, commit: commit.value }) : made;
}

/** Lets go of everything that was kept so for this project. */
export async function forgetLeft(repository: Repository): Answer<void> {
  const format = "--format=%(objectname) %(refname)";
  const own = leftOf(repository);
  const listed = await repository.git.text(["for-each-ref", format, own]);
  if (!listed.ok) return listed;
  const changes = listed.value.split("\n").flatMap(line => {
    const [from, ref = ""] = line.split(" ");
    return ref === "" || (own === LEFT && ref.startsWith(IN_FOLDERS)) ? [] : [{ ref, from }];
  });
  if (changes.length === 0) return ok(undefined);
  const gone = await repository.refs.alone(() => changeRefs(repository, changes, "another run begins"));
  return gone.ok ? ok(undefined) : gone;
}
