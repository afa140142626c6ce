import { because } from "../../ports/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { type CheckRequest, complaintOf, failedCheck, runCheck } from "./check.ts";
import type { BrokenCheck, Place, StopSignals } from "./types.ts";

/** Runs the check on what an attempt began with, and puts its work back. */
async function ask(
  request: CheckRequest,
  { workspace, sealed, cwd }: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<BrokenCheck | undefined> {
  if (workspace === undefined || sealed === undefined || options.verify === undefined) return undefined;
  const cleared = await workspace.tidy(workspace.base);
  const check = { name: "verify", command: options.verify } as const;
  const end = cleared.ok ? await runCheck(request, check, cwd, world, options, stop) : undefined;
  await workspace.tidy(sealed.tree);
  if (stop.cancel.aborted || end?.exitCode === undefined || end.exitCode === 0) return undefined;
  const told = because("broken-before", { name: "verify", ...complaintOf(end, 80) });
  return { told, failure: failedCheck("verify", end) };
}

/** The variable that tells a check which task it proves: such a check may well fail before the work of that one. */
const TASK_VARIABLE = "ESPALIER_TASK";

/**
 * The project's check has failed after an attempt: whether it fails without the work as well. Asked in a worktree only; a task's
 * own check may well fail before its work.
 */
export async function brokenBefore(
  request: CheckRequest,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<BrokenCheck | undefined> {
  const { baseline, task } = request;
  if (baseline === undefined || task.verify !== undefined || place.workspace?.linked !== true)
    return undefined;
  if (options.verify?.includes(TASK_VARIABLE) === true) return undefined;
  const isFirst = baseline.known === undefined;
  baseline.known ??= ask(request, place, world, options, stop);
  const broken = await baseline.known;
  if (isFirst && broken !== undefined)
    request.emit({ type: "warning", code: "BROKEN_BEFORE", message: broken.told, task: task.id });
  return broken;
}
