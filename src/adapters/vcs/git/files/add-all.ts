import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { readBounded } from "../../../file/index.ts";
import type { CallOptions } from "../call/call.ts";
import { saidIn } from "../call/failure.ts";
import { change, type Repository } from "../repository/repository.ts";
import { markPaths, putEntries } from "./index-entries.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/**
 * What an index file that names repositories holds: their mode; or the name of an extension by which entries stand in another
 * file, or a folder for all that is below it.
 */
const MARKS = [Buffer.from([0, 0, 0xe0, 0]), Buffer.from("link"), Buffer.from("sdir")];

/** Whether an index file may name repositories: the bytes may mean something else, but never the other way round. */
function mayHoldRepositories(index: string): boolean {
  const bytes = readBounded(index, { maxBytes: 1024 ** 3 });
  return !bytes.ok || MARKS.some(mark => Buffer.from(bytes.value).includes(mark));
}

/** A repository in a repository: a submodule, or what somebody made there. */
interface Inner {
  readonly path: string;
  /** Whether our index passes it over. */
  readonly isPassedOver: boolean;
  /** Whether it is there without a commit. */
  readonly isUnborn: boolean;
}

/** Stands in our index for the commit of a repository that has none; no commit has this name. */
function unborn({ facts: { head } }: Repository): string {
  return "1".padStart(head.length, "0");
}
/** What git says where it finds such a one. */
const NO_COMMIT = "does not have a commit checked out";

async function innerRepositories(repository: Repository, options: CallOptions): Answer<readonly Inner[]> {
  const listed = await repository.git.fields(["ls-files", "-s", "-t", "-z"], options);
  if (!listed.ok) return listed;
  // `S 160000 <id> 0<tab><path>`
  const links = listed.value.filter(line => line.startsWith("160000", 2));
  return ok(
    links.map(line => ({
      path: line.slice(line.indexOf("\t") + 1),
      isPassedOver: line.startsWith("S"),
      isUnborn: line.startsWith(unborn(repository), "S 160000 ".length),
    })),
  );
}

function pathsOf(inner: readonly Inner[]): string[] {
  return inner.map(({ path }) => path);
}

/**
 * Takes everything that stands in a folder into our index. `git add` would look into every repository in it by a `git status`
 * there, under that one's own configuration, which may start programs: only the commits they stand on are read, and they are
 * passed over for the rest.
 */
async function addPassing(repository: Repository, index: string, options: CallOptions): Answer<unknown> {
  // What stands outside of what a sparse checkout shows was made there, too.
  const how = ["add", "-A", "--sparse", "--", "."];
  const add = () => change(repository, how, options);
  if (!mayHoldRepositories(index)) return add();
  const found = await innerRepositories(repository, options);
  if (!found.ok) return found;
  if (found.value.length === 0) return add();
  // Flags that a crash left would hide where they stand.
  const hidden = found.value.filter(({ isPassedOver }) => isPassedOver);
  const shown = await markPaths(repository, options, ["--no-skip-worktree"], pathsOf(hidden));
  if (!shown.ok) return shown;
  const born = found.value.filter(({ isUnborn }) => !isUnborn);
  const read = await markPaths(repository, options, ["--add", "--remove"], pathsOf(born));
  if (!read.ok) return read;
  const inner = await innerRepositories(repository, options);
  if (!inner.ok) return inner;
  const passed = await markPaths(repository, options, ["--skip-worktree"], pathsOf(inner.value));
  if (!passed.ok) return passed;
  // In a sparse checkout git would otherwise look at what it passes over and is there nevertheless.
  const added = await change(repository, ["-c", "sparse.expectFilesOutsideOfPatterns=true", ...how], options);
  const back = await markPaths(repository, options, ["--no-skip-worktree"], pathsOf(inner.value));
  return added.ok ? back : added;
}

/** Takes repositories without a commit into our index, by a name that no commit has: git itself refuses them. */
async function addUnborn(repository: Repository, options: CallOptions): Answer<unknown> {
  const listed = await repository.git.fields(["ls-files", "--others", "--exclude-standard", "-z"], options);
  if (!listed.ok) return listed;
  // Of a repository only its folder is named.
  for (const path of listed.value.filter(one => one.endsWith("/")).map(one => one.slice(0, -1))) {
    const read = await markPaths(repository, options, ["--add"], [path]);
    const marked = read.ok
      ? read
      : await putEntries(repository, options, [`160000 ${unborn(repository)}\t${path}`]);
    if (!marked.ok) return marked;
  }
  return ok(undefined);
}

/** The same, whatever repositories stand there. */
export async function addAll(repository: Repository, index: string, options: CallOptions): Answer<unknown> {
  if (mayHoldRepositories(index)) {
    // They may have got one since, or be gone.
    const inner = await innerRepositories(repository, options);
    if (!inner.ok) return inner;
    const unborn = inner.value.filter(({ isUnborn }) => isUnborn);
    const forgotten = await markPaths(repository, options, ["--force-remove"], pathsOf(unborn));
    if (!forgotten.ok) return forgotten;
  }
  const added = await addPassing(repository, index, options);
  if (added.ok || !saidIn(added.failure).includes(NO_COMMIT)) return added;
  const marked = await addUnborn(repository, options);
  return marked.ok ? addPassing(repository, index, options) : marked;
}
