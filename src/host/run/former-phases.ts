import { branchesOfPhases, isPhaseBranch, type NameRules } from "../../engine/index.ts";
import {
  type AttemptRow,
  type OwnBranch,
  ok,
  type Result,
  type Vcs,
  type VcsFailure,
} from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import type { Session } from "../session/open.ts";

/** The attempts of a task in this run, whether the plan still has it or not. */
export type AttemptsOf = (task: string) => readonly Pick<AttemptRow, "token" | "endedAt">[];

/** The same of a run that is open; of what cannot be read there are none. */
export function attemptsIn({ store, runId }: Pick<Session, "store" | "runId">): AttemptsOf {
  return task => {
    const rows = store.attempts(runId, task);
    return rows.ok ? rows.value : [];
  };
}

/**
 * Branches of phases that the plan has no more, as where a finished one was taken out of it or got another number, on which this run has
 * landed work that neither the target nor a branch of the plan's phases holds. What work landed on last stands first.
 */
export async function formerPhases(
  vcs: Pick<Vcs, "holds" | "attemptsIn">,
  rules: NameRules,
  standing: readonly OwnBranch[],
  { phases }: Pick<RunState, "phases">,
  attemptsOf: AttemptsOf,
): Promise<Result<readonly string[], VcsFailure>> {
  const labels = phases.map(({ label }) => label);
  const apart = standing.filter(({ held }) => !held);
  const ofPlan = [...branchesOfPhases(rules, labels, apart).values()].map(({ branch }) => branch);
  const found: { readonly branch: string; readonly at: number }[] = [];
  for (const { branch } of apart) {
    if (ofPlan.includes(branch) || !isPhaseBranch(rules, branch)) continue;
    const landed = await vcs.attemptsIn(branch);
    if (!landed.ok) return landed;
    const ends = landed.value.flatMap(({ task, attempt }) =>
      attemptsOf(task).flatMap(({ token, endedAt }) => (token === attempt ? [endedAt] : [])),
    );
    if (ends.length > 0) found.push({ branch, at: Math.max(...ends) });
  }
  const former: string[] = [];
  for (const { branch } of found.toSorted((a, b) => b.at - a.at)) {
    const held = await isHeld(vcs, branch, [...ofPlan, ...former]);
    if (!held.ok) return held;
    if (!held.value) former.push(branch);
  }
  return ok(former);
}

/** Whether one of these branches holds everything that another one does. */
async function isHeld(
  vcs: Pick<Vcs, "holds">,
  branch: string,
  others: readonly string[],
): Promise<Result<boolean, VcsFailure>> {
  for (const other of others) {
    const held = await vcs.holds(other, branch);
    if (!held.ok || held.value) return held;
  }
  return ok(false);
}
