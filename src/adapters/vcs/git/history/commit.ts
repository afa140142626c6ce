import {
  type Authorship,
  type LandedAttempt,
  ok,
  type Result,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { firstLine } from "../../../../text/index.ts";
import type { Repository } from "../repository/repository.ts";
import { makeCommit } from "./make-commit.ts";
import { readRef, settleRef } from "./refs.ts";

const TASK = "Espalier-Task";
const ATTEMPT = "Espalier-Attempt";
const VERIFIED = "Espalier-Verified";
const SEAL = "Espalier-Seal";
/** Commits of ours that are read at most. */
const MOST = 50_000;
/** Commits among which a landing that was just made is looked for; older ones are found when a run goes on. */
const NEWEST = 500;

/** What a commit says of an attempt, with the tree that it is said of. */
interface Claim {
  readonly tree: string;
  readonly task: string;
  readonly attempt: string;
  readonly verified: string;
}

/** The seal of a commit's claim; undefined where commits are not sealed. */
function sealOf({ seal }: Repository, { tree, task, attempt, verified }: Claim): string | undefined {
  return seal?.(`landed\n${JSON.stringify([tree, task, attempt, verified])}`);
}

/** The message of an attempt's commit; the trailers are what recovery and boxes are proved by. */
function messageOf(repository: Repository, tree: string, by: Authorship): string {
  // As it is read back.
  const task = firstLine(by.task, 100).trim();
  const verified = String(by.verified);
  const seal = sealOf(repository, { tree, task, attempt: by.attempt, verified });
  const trailers = [`${TASK}: ${task}`, `${ATTEMPT}: ${by.attempt}`, `${VERIFIED}: ${verified}`];
  if (seal !== undefined) trailers.push(`${SEAL}: ${seal}`);
  return `${task}: ${firstLine(by.title, 100)}\n\n${trailers.join("\n")}\n`;
}

/** Makes a commit of a tree; no branch moves. */
export async function commitTree(
  repository: Repository,
  tree: string,
  parents: readonly string[],
  message: string,
  at?: Date,
): Promise<Result<string, VcsFailure>> {
  const made = await makeCommit(repository, { tree, parents, message }, await repository.signature(), at);
  if (made.ok) repository.memory.noteCommit(made.value, tree);
  return made;
}

/** Makes the commit of an attempt's work; no branch moves. */
export async function commitWork(
  repository: Repository,
  tree: string,
  parent: string,
  by: Authorship,
  at?: Date,
): Promise<Result<string, VcsFailure>> {
  const made = await commitTree(repository, tree, [parent], messageOf(repository, tree, by), at);
  if (made.ok) repository.memory.noteCommit(made.value, tree, by.attempt);
  return made;
}

/** The attempt that a commit is of; empty where it is of none. */
export function attemptOf({ git }: Repository, commit: string): Promise<Result<string, VcsFailure>> {
  const format = `--format=%(trailers:key=${ATTEMPT},valueonly,separator=%x20)`;
  return git.text(["log", "-1", format, commit, "--"]);
}

/** The commit of an attempt among the newest of a branch; undefined when it is not there. */
export async function findAttempt(
  repository: Repository,
  attempt: string,
  ref: string,
): Promise<Result<string | undefined, VcsFailure>> {
  const { memory } = repository;
  const tip = await readRef(repository, ref);
  if (!tip.ok || tip.value === undefined) return tip;
  const known = memory.landedOn(ref, tip.value);
  if (known !== undefined) return ok(known.get(attempt));
  const format = `--format=%H %(trailers:key=${ATTEMPT},valueonly,separator=%x20)`;
  const found = await repository.git.text(["log", format, `--max-count=${NEWEST}`, tip.value, "--"]);
  if (!found.ok) return found;
  const lines = found.value.split("\n").map(line => line.split(" "));
  // Of two commits with one trailer the newer one counts, as everywhere.
  const landed = new Map(
    lines.toReversed().flatMap(([commit = "", ...named]) => named.map(one => [one, commit] as const)),
  );
  memory.noteLanded(ref, tip.value, landed);
  return ok(landed.get(attempt));
}

/** The attempts whose commits are among those that revisions name, newest first. */
export async function landedIn(
  repository: Repository,
  revisions: readonly string[],
): Promise<Result<readonly LandedAttempt[], VcsFailure>> {
  const value = (key: string) => `%(trailers:key=${key},valueonly,separator=%x20)`;
  const keys = [TASK, ATTEMPT, VERIFIED, SEAL].map(value);
  const format = `--format=${["%H", "%T", ...keys].join("%x1f")}`;
  const search = ["--fixed-strings", `--grep=${ATTEMPT}: `, `--max-count=${MOST}`, "-z"];
  const found = await repository.git.fields(["log", format, ...search, ...revisions, "--"]);
  if (!found.ok) return found;
  return ok(
    found.value.flatMap(line => {
      const [commit = "", tree = "", task = "", attempt = "", verified = "", seal] = line.split("\u001f");
      const own = sealOf(repository, { tree, task, attempt, verified });
      const isOurs = own === undefined || own === seal;
      return task === "" || attempt === "" || !isOurs
        ? []
        : [{ task, attempt, commit, verified: verified === "true" }];
    }),
  );
}

/**
 * Every attempt whose commit a branch holds, newest first; whoever counts on them may do so from then on. Of a repository with
 * a seal only commits that carry it, for that very tree.
 */
export async function attemptsIn(
  repository: Repository,
  branch: string,
): Promise<Result<readonly LandedAttempt[], VcsFailure>> {
  const found = await landedIn(repository, [branch]);
  if (!found.ok) return found;
  const settled = await settleRef(repository, branch);
  return settled.ok ? found : settled;
}
