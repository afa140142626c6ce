import { type Repository, type Standing, standingWork } from "../../adapters/vcs/git/index.ts";
import { sentBackTo } from "../../engine/index.ts";
import { type AttemptRow, OBJECT_ID } from "../../ports/index.ts";
import { gitError } from "../project/errors.ts";

/** The attempts whose work of a task has landed, oldest first; their rows name the commits. */
export function landedAttempts(attempts: readonly AttemptRow[]): readonly AttemptRow[] {
  return attempts.filter(({ outcome, commit }) => outcome === "done" && commit !== undefined);
}

/** What a task has come to: what it began with, and what it made of it. */
export interface TaskWork {
  readonly from: string;
  readonly to: Standing;
  /** What its proof said, where it has landed. */
  readonly proof: string;
  /** What a person had asked for by then who sent back what was made before. */
  readonly sentBack: string | undefined;
}

/** What a task has landed, else what stands in its worktree; undefined for neither. Throws EspalierError. */
export async function workOfTask(
  repository: Repository,
  attempts: readonly AttemptRow[],
): Promise<TaskWork | undefined> {
  const landed = landedAttempts(attempts).at(-1);
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const sentBack = sentBackTo(attempts, (landed ?? last).number)?.note;
  const { commit = "", evidence: proof = "" } = landed ?? {};
  if (OBJECT_ID.test(commit)) return { from: `${commit}^`, to: { commit }, proof, sentBack };
  const work = last.branch === undefined ? undefined : await standingWork(repository, last.branch);
  if (work?.ok === false) throw gitError(work.failure);
  if (work?.value === undefined) return undefined;
  const { base, tree } = work.value;
  return { from: base, to: { commit: base, tree }, proof: "", sentBack };
}
