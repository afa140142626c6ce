import { readdirSync } from "node:fs";
import { because, EXIT, type LandedAttempt, type Reason, type TaskRow } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { errorFor, textHash as hashOf, nearest } from "../../text/index.ts";
import type { PlanFile } from "../project/plan-file.ts";
import type { Project } from "../project/project.ts";

/** Whether a state folder keeps files of the state that are damaged. */
export function isDamageKept({ stateDir }: Pick<Project, "stateDir">): boolean {
  return readdirSync(stateDir).some(name => name.includes(".corrupt-"));
}

/** Whether state was here before and could not be recovered. */
export function isStateLost(project: Pick<Project, "stateDir">): boolean {
  return isDamageKept(project) || readdirSync(project.stateDir).includes("orchestrate.log");
}

/** Boxes that the repository's history proves, as rows to begin a run with. */
export interface Proven {
  readonly rows: readonly TaskRow[];
  readonly note: Reason;
}

function provenRows(plan: PlanFile, verified: ReadonlyMap<string, boolean>): readonly TaskRow[] {
  return plan.plan.tasks.flatMap(task => {
    if (!task.done || !verified.has(task.id)) return [];
    const textHash = hashOf(task.text);
    const row = {
      id: task.id,
      retries: 0,
      attempts: 1,
      reason: undefined,
      sameError: 0,
      notBefore: 0,
      textHash,
    };
    return [{ ...row, status: "completed" as const, verified: verified.get(task.id) === true }];
  });
}

/**
 * Ticked boxes after a loss of state: those whose work the repository holds are believed, the others only on a person's
 * word. Undefined where nothing was lost, or where the boxes are to be believed as they stand. `isKept` tells whether damaged
 * files are there to be looked at. Throws EspalierError.
 */
export function requireTrust(
  { isLost, isKept }: { readonly isLost: boolean; readonly isKept: boolean },
  plan: PlanFile,
  trust: boolean,
  landed: readonly LandedAttempt[],
): Proven | undefined {
  const ticked = plan.plan.tasks.filter(task => task.done && task.children === undefined);
  if (trust || ticked.length === 0 || !isLost) return undefined;
  const verified = new Map(landed.map(one => [one.task, one.verified]));
  const unproven = ticked.filter(task => !verified.has(task.id)).map(task => task.id);
  if (unproven.length === 0) {
    const rows = provenRows(plan, verified);
    return {
      rows,
      note: because("state-rebuilt", { tasks: rows.length }),
    };
  }
  const lost = because("boxes-unproven", {
    ticked: ticked.length,
    proven: ticked.length - unproven.length,
    unproven: unproven.slice(0, 5),
    more: unproven.length > 5,
  });
  throw errorFor("STATE_LOST", lost, {
    advice: because("trust-boxes", isKept ? { isKept } : {}),
    exitCode: EXIT.waitingForPerson,
  });
}

/** Throws unless `--only` names tasks of the plan and everything they need. */
export function checkOnly(run: RunState, only: readonly string[] | undefined): void {
  for (const id of only ?? []) {
    const state = run.byId.get(id);
    if (state === undefined) {
      throw errorFor("NO_SUCH_TASK", because("only-unknown", { task: id }), {
        advice: because("plan-lists", {}),
        exitCode: EXIT.usage,
      });
    }
    const missing = state.task.dependsOn.filter(dep => {
      const status = run.byId.get(dep)?.status;
      return status !== "completed" && status !== "skipped" && !only?.includes(dep);
    });
    if (missing.length > 0) {
      const needs = missing.slice(0, 5);
      throw errorFor("ONLY_NEEDS", because("only-needs", { task: id, needs }), {
        advice: because("add-to-only", { tasks: needs }),
        exitCode: EXIT.usage,
      });
    }
  }
}

/** Throws unless the phase to be forced is one of the plan. */
export function checkForced(run: RunState, phase: string | undefined): void {
  if (phase === undefined || run.phases.some(({ label }) => label === phase)) return;
  const labels = run.phases.map(({ label }) => label);
  const guess = nearest(phase, labels);
  const near = guess === undefined ? {} : { nearest: guess };
  throw errorFor("NO_SUCH_PHASE", because("force-unknown", { phase }), {
    advice: because("phases-are", { labels: labels.slice(0, 20), ...near }),
    exitCode: EXIT.usage,
  });
}
