import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { readBounded } from "../../file/index.ts";
import type { CallOptions } from "./call.ts";
import { change, type Repository } from "./repository.ts";

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
}

async function innerRepositories(repository: Repository, options: CallOptions): Answer<readonly Inner[]> {
  const listed = await repository.git.fields(["ls-files", "-s", "-t", "-z"], options);
  if (!listed.ok) return listed;
  // `S 160000 <id> 0<tab><path>`
  const links = listed.value.filter(line => line.startsWith("160000", 2));
  return ok(
    links.map(line => ({ path: line.slice(line.indexOf("\t") + 1), isPassedOver: line.startsWith("S") })),
  );
}

/** Calls `update-index` with a list of paths; with none it is not called. */
async function update(
  repository: Repository,
  options: CallOptions,
  how: readonly string[],
  inner: readonly Inner[],
): Answer<unknown> {
  if (inner.length === 0) return ok(undefined);
  const input = `${inner.map(({ path }) => path).join("\0")}\0`;
  return change(repository, ["update-index", ...how, "-z", "--stdin"], { ...options, input });
}

/**
 * Takes everything that stands in a folder into our index. `git add` would look into every repository in it by a `git status`
 * there, under that one's own configuration, which may start programs: only the commits they stand on are read, and they are
 * passed over for the rest.
 */
export async function addAll(repository: Repository, index: string, options: CallOptions): Answer<unknown> {
  const how = ["add", "-A", "--", "."];
  const add = () => change(repository, how, options);
  if (!mayHoldRepositories(index)) return add();
  const found = await innerRepositories(repository, options);
  if (!found.ok) return found;
  if (found.value.length === 0) return add();
  // Flags that a crash left would hide where they stand.
  const hidden = found.value.filter(({ isPassedOver }) => isPassedOver);
  const shown = await update(repository, options, ["--no-skip-worktree"], hidden);
  if (!shown.ok) return shown;
  const read = await update(repository, options, ["--add", "--remove"], found.value);
  if (!read.ok) return read;
  const inner = await innerRepositories(repository, options);
  if (!inner.ok) return inner;
  const passed = await update(repository, options, ["--skip-worktree"], inner.value);
  if (!passed.ok) return passed;
  // In a sparse checkout git would otherwise look at what it passes over and is there nevertheless.
  const added = await change(repository, ["-c", "sparse.expectFilesOutsideOfPatterns=true", ...how], options);
  const back = await update(repository, options, ["--no-skip-worktree"], inner.value);
  return added.ok ? back : added;
}
