import type { SqliteStore } from "../../adapters/store/index.ts";
import {
  type Aftermath,
  createGitVcs,
  mendFolders,
  mendRepository,
  type Repository,
  unreadableCommits,
} from "../../adapters/vcs/git/index.ts";
import {
  because,
  EXIT,
  few,
  type Reason,
  type Result,
  type StoredRun,
  type VcsFailure,
} from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";

/** Completions whose work is looked at to its last file at each start of a run; the others by their commits. */
const NEWEST = 200;

function read<T>(found: Result<T, VcsFailure>): T {
  if (found.ok) return found.value;
  throw errorFor("GIT_REFUSED", because("repository-unmended", { why: found.failure.reason }), {
    advice: because("mend-repository", { by: "fsck" }),
    exitCode: EXIT.environment,
  });
}

function told(found: Aftermath | undefined): Reason[] {
  if (found === undefined) return [];
  const { objects, refs, standing, index, files, kept = "" } = found;
  return [
    ...(objects.length > 0 ? [because("objects-cut", { objects: objects.length, kept })] : []),
    ...(refs.length > 0 ? [because("refs-cut", { refs: few(refs), kept })] : []),
    ...(index ? [because("index-anew", { kept })] : []),
    ...(files.length > 0 ? [because("files-put-back", { files: few(files), where: "checkout" })] : []),
    ...(standing.length > 0 ? [because("refs-cut-elsewhere", { refs: few(standing) })] : []),
  ];
}

/** What was found of a repository when a run is taken up again. */
export interface FoundRepository {
  readonly notes: readonly Reason[];
  /** Completed tasks whose work cannot be read, and why. */
  readonly unreadable: ReadonlyMap<string, Reason>;
}

/** A completed task, and the attempt and commit its work landed as. */
interface Completion {
  readonly task: string;
  readonly token: string;
  readonly commit: string;
  /** Where it landed; an older version did not say. */
  readonly branch?: string | undefined;
}

/** Completions whose commit is known, oldest first. */
export function landedCompletions(
  store: Pick<SqliteStore, "attempts">,
  { run, tasks }: StoredRun,
): readonly Completion[] {
  return tasks
    .filter(({ status }) => status === "completed")
    .flatMap(({ id: task }) => {
      const rows = store.attempts(run.id, task);
      const last = rows.ok ? rows.value.findLast(({ outcome }) => outcome === "done") : undefined;
      if (last?.commit === undefined) return [];
      const { token, commit, branch, endedAt: at } = last;
      return [{ task, token, commit, branch, at }];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** Commits that carry the same attempts now: a person may have rewritten the history since. */
async function rewritten(repository: Repository, lost: readonly Completion[]): Promise<Completion[]> {
  const { branch } = repository.facts;
  const found = branch === undefined ? undefined : await createGitVcs(repository).attemptsIn(branch);
  if (found?.ok !== true) return [];
  const now = new Map(found.value.map(({ attempt, commit }) => [attempt, commit]));
  return lost.flatMap(one => {
    const commit = now.get(one.token);
    return commit === undefined || commit === one.commit ? [] : [{ ...one, commit }];
  });
}

async function unreadableTasks(
  repository: Repository,
  landed: readonly Completion[],
  isAll: boolean,
): Promise<Map<string, Reason>> {
  const commits = [...new Set(landed.map(({ commit }) => commit))];
  const newest = new Set(isAll ? commits : commits.slice(-NEWEST));
  const gone = read(await unreadableCommits(repository, commits, commit => newest.has(commit)));
  const lost = landed.filter(({ commit }) => gone.has(commit));
  const others = lost.length === 0 ? [] : await rewritten(repository, lost);
  const goneToo = read(
    await unreadableCommits(
      repository,
      others.map(({ commit }) => commit),
      () => true,
    ),
  );
  const safe = new Set(others.flatMap(({ task, commit }) => (goneToo.has(commit) ? [] : [task])));
  return new Map(
    lost.flatMap(({ task, commit }) => {
      const object = (gone.get(commit) ?? commit).slice(0, 10);
      if (safe.has(task)) return [];
      return [[task, because("work-unreadable", { path: object, commit: commit.slice(0, 10) })]];
    }),
  );
}

/**
 * Mends what a power cut left of a repository before anything is asked of it, and looks whether the work of completed tasks
 * can be read. Throws EspalierError.
 */
export async function findRepository(
  repository: Repository,
  store: SqliteStore,
  stored: StoredRun,
): Promise<FoundRepository> {
  const mended = read(await mendRepository(repository));
  const landed = landedCompletions(store, stored);
  const unreadable = await unreadableTasks(repository, landed, mended !== undefined);
  // What git takes for there it would never write again.
  const again =
    unreadable.size > 0 && mended === undefined ? read(await mendRepository(repository, true)) : undefined;
  const notes = [...told(mended), ...told(again)];
  if (unreadable.size > 0)
    notes.push(because("completed-unreadable", { tasks: few([...unreadable.keys()]) }));
  return { notes, unreadable };
}

/** The same without a run to go on with, and files of worktrees that were cut short put back. Throws EspalierError. */
export async function mendBeforeWork(repository: Repository): Promise<Reason[]> {
  const notes = told(read(await mendRepository(repository)));
  const files = read(await mendFolders(repository));
  return files.length === 0
    ? notes
    : [...notes, because("files-put-back", { files: few(files), where: "worktrees" })];
}
