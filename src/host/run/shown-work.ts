import {
  changedFiles,
  type FileChange,
  openReading,
  patchesOf,
  type Range,
  type Repository,
  rangeOfCommit,
  standingWork,
} from "../../adapters/vcs/git/index.ts";
import type { Plan } from "../../plan/index.ts";
import {
  type AttemptRow,
  because,
  EspalierError,
  fail,
  ok,
  type Reason,
  type Result,
} from "../../ports/index.ts";
import { findTaskFile, type Project } from "../project/project.ts";
import { projectRepository } from "../session/repository.ts";
import { landedAttempts, workAt } from "./task-work.ts";

/** Whose work is looked at: that of a task's newest attempt that has any, of one attempt, or of a phase. */
export type WorkWish = { readonly task: string; readonly attempt?: number } | { readonly phase: string };

/** Where the work of a wish is. */
export interface FoundWork {
  /**
   * In a branch, proved and not there yet, standing in a worktree, or nowhere. The commits of a phase may also lie `apart`: one
   * range of commits does not hold them all.
   */
  readonly state: "landed" | "proved" | "standing" | "nothing" | "apart";
  readonly attempt?: number;
  readonly commit?: string;
  /** Commits of tasks, and others between them. */
  readonly commits: number;
  readonly others: number;
}

/** Work with what differs, and the patch of each file as far as it was read. */
export interface ShownWork extends FoundWork {
  readonly files: readonly FileChange[];
  readonly patches: readonly (string | undefined)[];
}

type Answer<T> = Promise<Result<T, Reason>>;
type Git = Repository["git"];
type Found = FoundWork & { readonly range?: Range; readonly git?: Git };

/** What work is looked for in. */
export interface WorkGround {
  readonly project: Project;
  readonly env: NodeJS.ProcessEnv;
  readonly plan: Plan;
  /** The task file of the run. */
  readonly file: string;
  readonly attempts: (task: string) => readonly AttemptRow[];
}

const NOTHING: Found = { state: "nothing", commits: 0, others: 0 };

/** What stands in the worktree of an attempt that has not landed. */
async function standing({ project, env, file }: WorkGround, row: AttemptRow, branch: string): Answer<Found> {
  try {
    const repository = await projectRepository(project, findTaskFile(project, project.root, file), env);
    const work = repository === undefined ? undefined : await standingWork(repository, branch, row.task);
    if (work === undefined || repository === undefined) return ok(NOTHING);
    if (!work.ok) return fail(work.failure.reason);
    if (work.value === undefined) return ok(NOTHING);
    const { base: from, tree: to } = work.value;
    const { git } = repository;
    return ok({ state: "standing", attempt: row.number, commits: 0, others: 0, range: { from, to }, git });
  } catch (error) {
    if (error instanceof EspalierError)
      return fail(error.reason ?? because("said", { by: "system", text: error.message }));
    throw error;
  }
}

async function ofAttempt(ground: WorkGround, git: Git, row: AttemptRow, isNewest: boolean): Answer<Found> {
  const { number: attempt } = row;
  const at = workAt(row, isNewest);
  if (at === undefined) return ok({ ...NOTHING, attempt });
  if (at.state === "standing") return standing(ground, row, at.branch);
  const { state, commit } = at;
  const range = await rangeOfCommit(git, commit);
  return range.ok ? ok({ state, attempt, commit, commits: 1, others: 0, range: range.value }) : range;
}

async function ofTask(ground: WorkGround, git: Git, task: string, attempt?: number): Answer<Found> {
  const rows = ground.attempts(task);
  const newest = rows.at(-1);
  for (const row of rows.toReversed()) {
    if (attempt !== undefined && row.number !== attempt) continue;
    const found = await ofAttempt(ground, git, row, row === newest);
    if (!found.ok || found.value.state !== "nothing" || attempt !== undefined) return found;
  }
  return ok(NOTHING);
}

/** From before the first of some commits to the last: those of a phase stand in one line, also where others lie between them. */
async function ofCommits(git: Git, commits: readonly string[]): Answer<Found> {
  const [first, last] = await Promise.all([
    git.text(["merge-base", "--octopus", ...commits]),
    git.text(["merge-base", "--independent", ...commits]),
  ]);
  if (!first.ok) return fail(first.failure.reason);
  if (!last.ok) return fail(last.failure.reason);
  const apart = { ...NOTHING, state: "apart", commits: commits.length } as const;
  if (!commits.includes(first.value) || !commits.includes(last.value)) return ok(apart);
  const range = await rangeOfCommit(git, first.value);
  if (!range.ok) return range;
  const { from } = range.value;
  const to = last.value;
  const all = await git.text(["rev-list", "--count", "--first-parent", to, `^${first.value}`, "--"]);
  if (!all.ok) return fail(all.failure.reason);
  const others = Math.max(0, Number(all.value) + 1 - commits.length);
  return ok({ state: "landed", commit: to, commits: commits.length, others, range: { from, to } });
}

async function ofPhase({ plan, attempts }: WorkGround, git: Git, label: string): Answer<Found> {
  const tasks = plan.tasks.filter(({ phase, children }) => String(phase) === label && children === undefined);
  const rows = tasks.flatMap(({ id }) => landedAttempts(attempts(id)));
  const commits = [...new Set(rows.flatMap(({ commit }) => commit ?? []))];
  return commits.length === 0 ? ok(NOTHING) : ofCommits(git, commits);
}

/** How much of some work is read: every file with its patch, the files alone, or one file with its patch. */
export type WorkPart = "all" | "names" | { readonly path: string };

/** What somebody has made, as files with their patches. Read beside whatever works on it. */
export async function showWork(ground: WorkGround, wish: WorkWish, part: WorkPart): Answer<ShownWork> {
  const opened = openReading(ground.project.root, ground.env);
  if (!opened.ok) return opened;
  const found =
    "phase" in wish
      ? await ofPhase(ground, opened.value, wish.phase)
      : await ofTask(ground, opened.value, wish.task, wish.attempt);
  if (!found.ok) return found;
  const { range, git = opened.value, ...work } = found.value;
  if (range === undefined) return ok({ ...work, files: [], patches: [] });
  const all = await changedFiles(git, range);
  if (!all.ok) return all;
  if (part === "names" || all.value.length === 0) return ok({ ...work, files: all.value, patches: [] });
  if (part === "all") {
    const patches = await patchesOf(git, range, all.value);
    return patches.ok ? ok({ ...work, files: all.value, patches: patches.value }) : patches;
  }
  const { path } = part;
  const { from } = all.value.find(file => file.path === path) ?? {};
  const paths = from === undefined ? [path] : [path, from];
  // A path that became a folder brings along what lies in it.
  const there = await changedFiles(git, range, paths);
  if (!there.ok) return there;
  const patches = await patchesOf(git, range, there.value, paths);
  return patches.ok ? ok({ ...work, files: there.value, patches: patches.value }) : patches;
}
