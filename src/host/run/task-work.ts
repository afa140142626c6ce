import { type Repository, type Standing, standingWork } from "../../adapters/vcs/git/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import { gitError } from "../project/errors.ts";

/** The attempt whose work of a task landed last; its row names the commit. */
export function landedAttempt(attempts: readonly AttemptRow[]): AttemptRow | undefined {
  return attempts.findLast(({ outcome, commit }) => outcome === "done" && commit !== undefined);
}

/** What a task has come to: what it began with, and what it made of it. */
export interface TaskWork {
  readonly from: string;
  readonly to: Standing;
  /** What its proof said, where it has landed. */
  readonly proof: string;
}

const OBJECT = /^[0-9a-f]{40,64}$/;

/** What a task has landed, else what stands in its worktree; undefined for neither. Throws EspalierError. */
export async function workOfTask(
  repository: Repository,
  attempts: readonly AttemptRow[],
): Promise<TaskWork | undefined> {
  const landed = landedAttempt(attempts);
  const { commit = "", evidence: proof = "" } = landed ?? {};
  if (OBJECT.test(commit)) return { from: `${commit}^`, to: { commit }, proof };
  const branch = attempts.at(-1)?.branch;
  const work = branch === undefined ? undefined : await standingWork(repository, branch);
  if (work?.ok === false) throw gitError(work.failure);
  if (work?.value === undefined) return undefined;
  const { base, tree } = work.value;
  return { from: base, to: { commit: base, tree }, proof: "" };
}
