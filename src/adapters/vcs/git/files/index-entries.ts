import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { change, type Repository } from "../repository/repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** The entries of an index by their paths, all of them or those of some paths: `mode id stage` of each. */
export async function readEntries(
  repository: Repository,
  options: CallOptions,
  paths: readonly string[] = [],
): Answer<ReadonlyMap<string, string>> {
  const within = paths.length === 0 ? [] : ["--", ...paths];
  const listed = await repository.git.fields(["ls-files", "-s", "-z", ...within], options);
  if (!listed.ok) return listed;
  const parts = listed.value.map(line => [line, line.indexOf("\t")] as const);
  return ok(new Map(parts.map(([line, tab]) => [line.slice(tab + 1), line.slice(0, tab)])));
}

/** Has an index hold entries: `mode id<tab>path` of each, mode 0 for a path that it is to hold no more. */
export async function putEntries(
  repository: Repository,
  options: CallOptions,
  lines: readonly string[],
): Answer<string> {
  if (lines.length === 0) return ok("");
  const input = `${lines.join("\0")}\0`;
  return change(repository, ["update-index", "-z", "--index-info"], { ...options, input });
}

/** Has an index treat paths in some way, as `update-index` says it. */
export async function markPaths(
  repository: Repository,
  options: CallOptions,
  how: readonly string[],
  paths: readonly string[],
): Answer<unknown> {
  if (paths.length === 0) return ok(undefined);
  const input = `${paths.join("\0")}\0`;
  return change(repository, ["update-index", ...how, "-z", "--stdin"], { ...options, input });
}
