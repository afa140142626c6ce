import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { splitFields } from "../call/call.ts";
import type { Repository } from "../repository/repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Objects among these that are not there, or not to be read. */
async function missing({ git }: Repository, names: readonly string[]): Answer<ReadonlySet<string>> {
  if (names.length === 0) return ok(new Set());
  const found = await git.text(["cat-file", "--batch-check=%(objecttype)"], {
    input: `${names.join("\n")}\n`,
  });
  if (!found.ok) return found;
  const lines = found.value.split("\n");
  return ok(new Set(lines.flatMap(line => (line.endsWith(" missing") ? [line.slice(0, -8)] : []))));
}

/** The trees and blobs that commits brought; undefined for one whose trees cannot be gone through. */
async function brought(
  repository: Repository,
  commits: readonly string[],
): Answer<Map<string, readonly string[] | undefined>> {
  const args = ["diff-tree", "-r", "-t", "-m", "--root", "--raw", "--no-renames", "-z", "--stdin"];
  const found = await repository.git.run(args, { input: `${commits.join("\n")}\n`, answers: [128] });
  if (!found.ok) return found;
  const { code, stdout } = found.value;
  if (code !== 0) {
    if (commits.length === 1) return ok(new Map(commits.map(commit => [commit, undefined])));
    // It stops at the first that is damaged: each half says for itself how far it comes.
    const half = Math.ceil(commits.length / 2);
    const first = await brought(repository, commits.slice(0, half));
    const rest = first.ok ? await brought(repository, commits.slice(half)) : first;
    return first.ok && rest.ok ? ok(new Map([...first.value, ...rest.value])) : rest;
  }
  const objects = new Map(commits.map(commit => [commit, [] as string[]]));
  let list: string[] | undefined;
  let isPath = false;
  for (const field of splitFields(stdout)) {
    if (isPath) isPath = false;
    else if (field.startsWith(":")) {
      const [, mode = "", , id = ""] = field.split(" ");
      isPath = true;
      if (mode !== "000000" && mode !== "160000") list?.push(id);
    } else list = objects.get(field);
  }
  return ok(objects);
}

/**
 * Commits that cannot be read with all they brought, and the first object of each that is not there. `whole` are looked at with
 * their trees and files; of the others it is seen that they are there.
 */
export async function unreadableCommits(
  repository: Repository,
  commits: readonly string[],
  whole: (commit: string) => boolean,
): Answer<ReadonlyMap<string, string>> {
  const unreadable = new Map<string, string>();
  if (commits.length === 0) return ok(unreadable);
  const gone = await missing(repository, commits);
  if (!gone.ok) return gone;
  for (const commit of gone.value) unreadable.set(commit, commit);
  const standing = commits.filter(commit => !unreadable.has(commit) && whole(commit));
  if (standing.length === 0) return ok(unreadable);
  const objects = await brought(repository, standing);
  if (!objects.ok) return objects;
  const lost = await missing(repository, [
    ...new Set([...objects.value.values()].flatMap(list => list ?? [])),
  ]);
  if (!lost.ok) return lost;
  for (const [commit, list] of objects.value) {
    const first = list === undefined ? commit : list.find(name => lost.value.has(name));
    if (first !== undefined) unreadable.set(commit, first);
  }
  return ok(unreadable);
}
