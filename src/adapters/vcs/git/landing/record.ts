import { because, ok, type RecordRequest, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { failed } from "../call/failure.ts";
import { putEntries } from "../files/index-entries.ts";
import { commitTree } from "../history/commit.ts";
import { changeRefs, headRef, needRef } from "../history/refs.ts";
import { foldersBeside, headBranch, inFolder } from "../places/folders.ts";
import { change, type Repository } from "../repository/repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** A regular file as a tree or an index has it. */
interface StoredFile {
  readonly mode: string;
  readonly id: string;
}

/** Reads `mode type id` or `mode id stage`; links, folders and files in conflict are none. */
function storedFile(line: string | undefined): StoredFile | undefined {
  const [mode = "", second = "", third = ""] = (line ?? "").split("\t")[0]?.split(" ") ?? [];
  if (!mode.startsWith("100")) return undefined;
  return second === "blob" ? { mode, id: third } : third === "0" ? { mode, id: second } : undefined;
}

/** The file rewritten and stored; undefined where rewriting changes nothing. */
async function rewrite(
  repository: Repository,
  { id }: StoredFile,
  request: RecordRequest,
): Answer<string | undefined> {
  const found = await repository.git.run(["cat-file", "blob", id]);
  if (!found.ok) return found;
  const bytes = request.rewrite(found.value.stdout);
  if (Buffer.compare(bytes, found.value.stdout) === 0) return ok(undefined);
  return change(repository, ["hash-object", "-w", "--no-filters", "--stdin"], { input: bytes });
}

function putInto(
  repository: Repository,
  { mode }: StoredFile,
  id: string,
  path: string,
  options: CallOptions,
): Answer<string> {
  return putEntries(repository, options, [`${mode} ${id}\t${path}`]);
}

/** A person's index takes part, and keeps what they have staged of the file besides. */
async function tellIndex(
  repository: Repository,
  request: RecordRequest,
  was: StoredFile,
  now: string,
  options: CallOptions,
): Answer<unknown> {
  const listed = await repository.git.fields(["ls-files", "-s", "-z", "--", request.path], options);
  if (!listed.ok) return listed;
  const staged = storedFile(listed.value[0]);
  if (staged === undefined) return ok(undefined);
  const id = staged.id === was.id ? ok(now) : await rewrite(repository, staged, request);
  if (!id.ok || id.value === undefined) return id;
  return putInto(repository, staged, id.value, request.path, options);
}

/**
 * Commits one file of a branch, rewritten, and nothing else of what a person has staged or changed. The file in the checkout
 * stays as it is. A file that the branch does not have is left alone.
 */
export async function recordFile(repository: Repository, request: RecordRequest): Answer<boolean> {
  return repository.refs.alone(async (): Answer<boolean> => {
    const { path, into, message } = request;
    const { gitDir, top } = repository.facts;
    const tip = await needRef(repository, headRef(into));
    if (!tip.ok) return tip;
    const elsewhere = foldersBeside(repository.facts).find(({ branch }) => branch === into);
    if (elsewhere !== undefined)
      return failed(because("branch-checked-out", { branch: into, path: elsewhere.path }));
    const listed = await repository.git.fields(["ls-tree", "-z", tip.value, "--", path]);
    if (!listed.ok) return listed;
    const was = storedFile(listed.value[0]);
    if (was === undefined) return ok(false);
    const id = await rewrite(repository, was, request);
    if (!id.ok) return id;
    if (id.value === undefined) return ok(false);
    const here = inFolder(gitDir, top);
    const own = { ...here, index: `${gitDir}/espalier-record` };
    const begun = await change(repository, ["read-tree", tip.value], own);
    const put = begun.ok ? await putInto(repository, was, id.value, path, own) : begun;
    const tree = put.ok ? await change(repository, ["write-tree"], own) : put;
    if (!tree.ok) return tree;
    const commit = await commitTree(repository, tree.value, [tip.value], `${message}\n`);
    if (!commit.ok) return commit;
    // The index first: dying in between leaves nothing but a staged change.
    const told =
      headBranch(gitDir) === into ? await tellIndex(repository, request, was, id.value, here) : ok(undefined);
    if (!told.ok) return told;
    const moves = [{ ref: headRef(into), from: tip.value, to: commit.value }];
    const moved = await changeRefs(repository, moves, message);
    return moved.ok ? ok(true) : moved;
  });
}
