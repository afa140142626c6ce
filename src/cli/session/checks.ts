import { readdirSync } from "node:fs";
import { EspalierError, EXIT } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { nearest } from "../../text/index.ts";
import type { PlanFile } from "../plan-file.ts";
import type { Project } from "../project.ts";

/** Names that only an earlier run leaves in a state folder. */
function isTrace(name: string): boolean {
  return name === "orchestrate.log" || name.includes(".corrupt-");
}

/** State was here before and could not be recovered: ticked boxes are then no proof of anything. */
export function requireTrust(project: Project, plan: PlanFile, trust: boolean): void {
  const lost = readdirSync(project.stateDir).some(isTrace);
  const ticked = plan.plan.tasks.filter(task => task.done).length;
  if (!lost || trust || ticked === 0) return;
  throw new EspalierError(
    "STATE_LOST",
    `the state could not be recovered, and nothing proves the ${ticked} ticked boxes of the task file`,
    {
      hint: "believe them with --trust-boxes, or untick what must be done again; the damaged files are kept in the state folder",
      exitCode: EXIT.waitingForPerson,
    },
  );
}

/** Throws unless `--only` names tasks of the plan and everything they need. */
export function checkOnly(run: RunState, only: readonly string[] | undefined): void {
  for (const id of only ?? []) {
    const state = run.byId.get(id);
    if (state === undefined) {
      throw new EspalierError("NO_SUCH_TASK", `--only names ${id}, which is not in the plan`, {
        hint: "espalier plan lists the tasks",
        exitCode: EXIT.usage,
      });
    }
    const missing = state.task.dependsOn.filter(dep => {
      const status = run.byId.get(dep)?.status;
      return status !== "completed" && status !== "skipped" && !only?.includes(dep);
    });
    if (missing.length > 0) {
      throw new EspalierError("ONLY_NEEDS", `--only ${id} needs ${missing.slice(0, 5).join(", ")} first`, {
        hint: `add ${missing.slice(0, 5).join(",")} to --only`,
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
  throw new EspalierError("NO_SUCH_PHASE", `--force-phase names ${phase}, which is no phase of the plan`, {
    hint: `its phases: ${labels.slice(0, 20).join(", ")}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    exitCode: EXIT.usage,
  });
}
