import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { OURSELVES } from "./commit-object.ts";
import { makeCommit } from "./make-commit.ts";
import type { Repository } from "./repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Commits that came to the other branch of which it is asked whether one does what a branch does. */
const MOST_COMMITS = 1_000;
/** What a branch does as one commit says nothing of its own: it is the same one each time it is asked for. */
const [MESSAGE, TIME] = ["What a branch does\n", new Date(0)];

/** Whether every commit that one has and the other lacks is there by another name. */
async function isDoneBy({ git }: Repository, tip: string, into: string): Answer<boolean> {
  const told = await git.text(["cherry", into, tip]);
  if (!told.ok) return told;
  return ok(told.value !== "" && told.value.split("\n").every(line => line.startsWith("- ")));
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
