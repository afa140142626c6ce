import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { OURSELVES } from "../repository/commit-object.ts";
import type { Repository } from "../repository/repository.ts";
import { goneBranches, wasRef } from "./left.ts";
import { makeCommit } from "./make-commit.ts";
import { baseRef, headRef, isOfTask, notedBranches } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Commits that came to the other branch of which it is asked whether one does what a branch does. */
const MOST_COMMITS = 1_000;
/** What a branch does as one commit says nothing of its own: it is the same one each time it is asked for. */
const [MESSAGE, TIME] = ["What a branch does\n", new Date(0)];

/**
 * The commits that one has and the other lacks, but those that are there by another name or change nothing: whoever rebases leaves those out.
 * Undefined where it lacks none.
 */
export async function unsaid(
  { git }: Repository,
  tip: string,
  into: string,
): Answer<readonly string[] | undefined> {
  const told = await git.text(["cherry", into, tip]);
  if (!told.ok || told.value === "") return told.ok ? ok(undefined) : told;
  const lacking = told.value.split("\n").flatMap(line => (line.startsWith("+ ") ? [line.slice(2)] : []));
  if (lacking.length === 0) return ok([]);
  const trees = await git.text([
    "rev-parse",
    ...lacking.flatMap(one => [`${one}^{tree}`, `${one}^1^{tree}`]),
  ]);
  if (!trees.ok) return trees;
  const found = trees.value.split("\n");
  return ok(lacking.filter((_, at) => found[2 * at] !== found[2 * at + 1]));
}

/** Whether every commit that one has and the other lacks is there by another name, or changes nothing. */
async function isDoneBy(repository: Repository, tip: string, into: string): Answer<boolean> {
  const found = await unsaid(repository, tip, into);
  return found.ok ? ok(found.value?.length === 0) : found;
}

/**
 * Whether another branch says all that a commit says without having it in its history, as after its commits were squashed or rebased
 * there: joining it would change nothing, or one commit there does what it does, or each of its own is there by another name.
 */
export async function isContained(repository: Repository, tip: string, into: string): Answer<boolean> {
  const known = repository.memory.contained(tip, into);
  if (known !== undefined) return ok(known);
  const found = await look(repository, tip, into);
  // What cannot be read for this is told by whoever has to work with it.
  if (!found.ok) return found.failure.kind === "failed" ? ok(false) : found;
  repository.memory.noteContained(tip, into, found.value);
  return found;
}

async function look(repository: Repository, tip: string, into: string): Answer<boolean> {
  const { git } = repository;
  const base = await git.run(["merge-base", into, tip], { answers: [1] });
  if (!base.ok) return base;
  const from = base.value.stdout.toString().trim();
  if (base.value.code !== 0 || from === into) return ok(false);
  const trees = await git.text(["rev-parse", ...[from, tip, into].map(commit => `${commit}^{tree}`)]);
  if (!trees.ok) return trees;
  const [before = "", after = "", there = ""] = trees.value.split("\n");
  // What changes nothing is said nowhere: it is merged for what its commits tell.
  if (before === after) return ok(false);
  const joined = await git.run(["merge-tree", "--write-tree", "--name-only", into, tip], { answers: [1] });
  if (!joined.ok) return joined;
  const { code, stdout } = joined.value;
  if (code === 0 && stdout.toString().trim() === there) return ok(true);
  const most = `--max-count=${MOST_COMMITS + 1}`;
  const came = await git.text(["rev-list", "--count", most, `${from}..${into}`]);
  if (!came.ok) return came;
  if (Number(came.value) > MOST_COMMITS) return ok(false);
  const parts = { tree: after, parents: [from], message: MESSAGE };
  const one = await makeCommit(repository, parts, OURSELVES, TIME);
  if (!one.ok) return one;
  const squashed = await isDoneBy(repository, one.value, into);
  return !squashed.ok || squashed.value ? squashed : isDoneBy(repository, tip, into);
}

/**
 * Where our branches stand and stood, single tasks' excepted, as far as a commit has that not in its history: what holds all of the
 * commit says nothing that came to it since.
 */
async function standsApart(
  repository: Repository,
  into: string,
  branches: readonly string[],
): Answer<readonly string[]> {
  const noted = await notedBranches(repository);
  if (!noted.ok) return noted;
  const gone = await goneBranches(repository);
  if (!gone.ok) return gone;
  const own = [...new Set([...noted.value, ...branches])].filter(branch => !isOfTask(branch));
  const refs = [
    ...own.flatMap(branch => [headRef(branch), baseRef(branch)]),
    ...gone.value.map(branch => wasRef(repository, branch)),
  ];
  if (refs.length === 0) return ok([]);
  const args = ["for-each-ref", "--format=%(objectname)", `--no-merged=${into}`, `--no-contains=${into}`];
  const told = await repository.git.text([...args, ...refs]);
  return told.ok ? ok([...new Set(told.value.split("\n"))].filter(tip => tip !== "")) : told;
}

/** A commit with the files of another one that has the histories of more, too. */
async function withHistories(repository: Repository, of: string, more: readonly string[]): Answer<string> {
  const tree = await repository.git.text(["rev-parse", `${of}^{tree}`]);
  if (!tree.ok) return tree;
  const parts = { tree: tree.value, parents: [of, ...more], message: MESSAGE };
  return makeCommit(repository, parts, OURSELVES, TIME);
}

/**
 * A commit with the files of another one that has in its history, besides, those of our branches that the other one says by other
 * commits; that one itself where there are none. What stands on such a branch joins it without what both say.
 */
export async function knowing(
  repository: Repository,
  into: string,
  branches: readonly string[] = [],
): Answer<string> {
  const apart = await standsApart(repository, into, branches);
  if (!apart.ok) return apart;
  let known = into;
  const said: string[] = [];
  const left = new Set(apart.value);
  // What one of them is found to be said tells more of those that stand on it.
  for (let grew = left.size > 0; grew; ) {
    grew = false;
    for (const tip of left) {
      const is = await isContained(repository, tip, known);
      if (!is.ok) return is;
      if (!is.value) continue;
      left.delete(tip);
      said.push(tip);
      const more = await withHistories(repository, into, said);
      if (!more.ok) return more;
      known = more.value;
      grew = true;
    }
  }
  return ok(known);
}
