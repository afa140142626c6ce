import { type Repository, type Standing, standingWork } from "../../adapters/vcs/git/index.ts";
import { keptWork, sentBackTo } from "../../engine/index.ts";
import { type AttemptRow, OBJECT_ID } from "../../ports/index.ts";
import { gitError } from "../project/errors.ts";

/** The attempts whose work of a task has landed, oldest first; their rows name the commits. */
export function landedAttempts(attempts: readonly AttemptRow[]): readonly AttemptRow[] {
  return attempts.filter(({ outcome, commit }) => outcome === "done" && commit !== undefined);
}

/** Where the work of an attempt is: in a commit that has landed or waits to, or, of a task's newest one, in its folder. */
type Whereabouts =
  | { readonly state: "landed" | "proved"; readonly commit: string }
  | { readonly state: "standing"; readonly branch: string };

/** Undefined where it is nowhere: a later attempt began on a clean tree. */
export function workAt(row: AttemptRow, isNewest: boolean): Whereabouts | undefined {
  const { commit, branch, outcome } = row;
  const kept = keptWork(row);
  // What is still to be proved stands in its folder.
  const isKept = kept !== undefined && kept.code !== "not-proved";
  if (commit !== undefined && (outcome === "done" || isKept))
    return { state: isKept ? "proved" : "landed", commit };
  return isNewest && branch !== undefined ? { state: "standing", branch } : undefined;
}

/** What a task has come to: what it began with, and what it made of it. */
export interface TaskWork {
  readonly state: Whereabouts["state"];
  readonly from: string;
  readonly to: Standing;
  /** What its proof said, where it has passed. */
  readonly proof: string;
  /** What a person had asked for by then who sent back what was made before. */
  readonly sentBack: string | undefined;
}

/** The work of a task's newest attempt that has any; undefined where none has. Throws EspalierError. */
export async function workOfTask(
  repository: Repository,
  attempts: readonly AttemptRow[],
): Promise<TaskWork | undefined> {
  for (const row of attempts.toReversed()) {
    const at = workAt(row, row === attempts.at(-1));
    const sentBack = sentBackTo(attempts, row.number)?.note;
    if (at?.state === "standing") {
      const work = await standingWork(repository, at.branch, row.task);
      if (!work.ok) throw gitError(work.failure);
      if (work.value === undefined) continue;
      const { base, tree } = work.value;
      return { state: at.state, from: base, to: { commit: base, tree }, proof: "", sentBack };
    } else if (at !== undefined && OBJECT_ID.test(at.commit)) {
      const { state, commit } = at;
      return { state, from: `${commit}^`, to: { commit }, proof: row.evidence, sentBack };
    }
  }
  return undefined;
}
