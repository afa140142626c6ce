import { rmSync } from "node:fs";
import { joinInserts } from "../../../../delta/index.ts";
import {
  type LandRequest,
  type MergeRequest,
  ok,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { temporaryName } from "../../../file/index.ts";
import { putEntries } from "../files/index-entries.ts";
import { enter } from "../files/snapshot.ts";
import { inFolder } from "../places/folders.ts";
import { change, type Repository } from "../repository/repository.ts";
import { type JoinConflict, type Joined, join, type Stage } from "./join.ts";
import { isList } from "./list-history.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Bytes of a side beyond which a file is left to those who can read it. */
const LARGEST = 4 * 1024 ** 2;

/** A file that was in conflict, and what it is now. */
export interface JoinedFile {
  readonly conflict: JoinConflict;
  readonly mode: string;
  /** Of its content. */
  readonly id: string;
}

/** The two sides of a conflict as they can be read line by line; undefined where they are something else than one file. */
function sidesOf({
  stages: { base, ours, theirs },
  isText,
}: JoinConflict):
  | { readonly base: Stage | undefined; readonly ours: Stage; readonly theirs: Stage }
  | undefined {
  if (!isText || ours === undefined || theirs === undefined) return undefined;
  const modes = new Set([base?.mode ?? ours.mode, ours.mode, theirs.mode]);
  return modes.size === 1 && ours.mode.startsWith("100") ? { base, ours, theirs } : undefined;
}

/** A file's bytes as characters; undefined where it is too large. */
async function readSide({ git }: Repository, { id }: Stage): Answer<string | undefined> {
  const found = await git.run(["cat-file", "blob", id]);
  if (!found.ok) return found;
  const { stdout } = found.value;
  return ok(stdout.length > LARGEST ? undefined : stdout.toString("latin1"));
}

/** Whether the repository leaves it to git how the file is joined. */
async function isPlain(
  repository: Repository,
  into: Pick<WorkFolder, "path">,
  path: string,
): Answer<boolean> {
  const entered = enter(repository, into);
  if (!entered.ok) return entered;
  const options = inFolder(entered.value.gitDir, into.path);
  const found = await repository.git.fields(["check-attr", "-z", "merge", "--", path], options);
  return found.ok ? ok(["unspecified", "set", "text"].includes(found.value[2] ?? "")) : found;
}

/** Joins one file's insertions; undefined where there is more to it. */
async function joinFile(repository: Repository, conflict: JoinConflict): Answer<JoinedFile | undefined> {
  const sides = sidesOf(conflict);
  if (sides === undefined) return ok(undefined);
  const base = sides.base === undefined ? ok(undefined) : await readSide(repository, sides.base);
  const ours = await readSide(repository, sides.ours);
  const theirs = await readSide(repository, sides.theirs);
  if (!base.ok) return base;
  if (!ours.ok) return ours;
  if (!theirs.ok) return theirs;
  const isRead = sides.base === undefined || base.value !== undefined;
  if (!isRead || ours.value === undefined || theirs.value === undefined) return ok(undefined);
  const text = joinInserts(base.value, ours.value, theirs.value);
  if (text === undefined) return ok(undefined);
  const input = Buffer.from(text, "latin1");
  const id = await change(repository, ["hash-object", "-w", "--no-filters", "--stdin"], { input });
  return id.ok ? ok({ conflict, mode: sides.ours.mode, id: id.value }) : id;
}

/** A tree with some of its files replaced. */
export async function treeWith(
  repository: Repository,
  tree: string,
  files: readonly JoinedFile[],
): Answer<string> {
  const { gitDir, top } = repository.facts;
  const own = { ...inFolder(gitDir, top), index: temporaryName(gitDir) };
  const begun = await change(repository, ["read-tree", tree], own);
  if (!begun.ok) return begun;
  const lines = files.map(({ conflict, mode, id }) => `${mode} ${id}\t${conflict.path}`);
  const put = await putEntries(repository, own, lines);
  const written = put.ok ? await change(repository, ["write-tree"], own) : put;
  rmSync(own.index, { force: true });
  return written;
}

/** What a join comes to where insertions of both sides may stand beside each other. */
export interface JoinedInserts extends Joined {
  /** Files that were in conflict and are joined. */
  readonly joined: readonly JoinConflict[];
}

/**
 * Joins the files of a conflict in which neither side changed a line that was there: all of them where the result is going to be
 * proved, else those that are lists. The others stay in conflict.
 */
export async function joinBeside(
  repository: Repository,
  { tree, conflicts }: Joined,
  tip: string,
  {
    into,
    inserts,
    generate,
  }: Pick<LandRequest, "inserts" | "generate"> & { readonly into: Pick<WorkFolder, "path"> },
): Answer<JoinedInserts> {
  if (inserts === undefined || conflicts.length === 0) return ok({ tree, conflicts, joined: [] });
  const files: JoinedFile[] = [];
  for (const conflict of conflicts) {
    const { path } = conflict;
    if (sidesOf(conflict) === undefined || generate?.(path) !== undefined) continue;
    const listed = inserts === "proved" || inserts(path) ? ok(true) : await isList(repository, path, tip);
    if (!listed.ok) return listed;
    const plain = listed.value ? await isPlain(repository, into, path) : ok(false);
    if (!plain.ok) return plain;
    const file = plain.value ? await joinFile(repository, conflict) : ok(undefined);
    if (!file.ok) return file;
    if (file.value !== undefined) files.push(file.value);
  }
  const joined = files.map(file => file.conflict);
  if (joined.length === 0) return ok({ tree, conflicts, joined });
  const made = await treeWith(repository, tree, files);
  if (!made.ok) return made;
  return ok({ tree: made.value, conflicts: conflicts.filter(one => !joined.includes(one)), joined });
}

/** What two lines of history come to: one commit or tree, with the lists whose lines stand beside each other, or the paths in conflict. */
export type Met =
  | { readonly to: string; readonly lists: readonly string[] }
  | { readonly paths: readonly string[] };

/** Joins two commits where nobody is to solve what is in conflict. */
export async function meet(
  repository: Repository,
  ours: string,
  theirs: string,
  how: Pick<MergeRequest, "inserts"> & { readonly into: Pick<WorkFolder, "path"> },
): Answer<Met> {
  const joined = await join(repository, ours, theirs);
  if (!joined.ok) return joined;
  const beside = await joinBeside(repository, joined.value, ours, how);
  if (!beside.ok) return beside;
  const { tree, conflicts, joined: lists } = beside.value;
  const paths = (some: readonly JoinConflict[]) => some.map(({ path }) => path);
  return ok(conflicts.length > 0 ? { paths: paths(conflicts) } : { to: tree, lists: paths(lists) });
}
