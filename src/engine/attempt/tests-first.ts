import { because, fail, ok, type Result } from "../../ports/index.ts";
import { said } from "../../text/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { howItEnded, runCheck } from "./proof.ts";
import { testCommand } from "./test-command.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** Whether nothing has been worked on yet: what an earlier attempt left may well pass. */
async function isUntouched(request: AttemptRequest, place: Place): Promise<boolean> {
  if (place.workspace === undefined) return request.row.number === 1;
  const sealed = await place.workspace.seal();
  return sealed.ok && sealed.value.changed.length === 0;
}

/**
 * Runs a task's tests before any work (RED). A test of the task's own has to fail then; one of the whole project may pass,
 * because the task's test is not written yet. Returns what is to be kept as evidence.
 */
export async function testBefore(
  request: AttemptRequest,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Result<string, Verdict>> {
  const { task } = request;
  const command = testCommand(task, options);
  if (command === undefined || stop.cancel.aborted || !(await isUntouched(request, place))) return ok("");
  const end = await runCheck(request, command, place.cwd, world, options, stop);
  if (place.workspace?.linked === true) {
    // Nothing was here before the tests; what is here now is theirs.
    const base = await place.workspace.seal();
    if (base.ok && base.value.changed.length > 0) await place.workspace.tidy(place.workspace.base);
  }
  if (stop.cancel.aborted) return fail(verdict({ kind: "cancelled" }, "cancelled"));
  if (end.refused !== undefined) {
    const reason = end.refused;
    return fail(verdict({ kind: "needs-person", reason }, "failed", { reason }));
  }
  if (end.notStarted !== undefined) {
    const reason = said("system", end.notStarted);
    return fail(verdict({ kind: "stalled", reason }, "failed", { reason }));
  }
  const evidence = `RED $ ${command}\n${howItEnded(end)}\n${end.tail.slice(-1000)}`.trim();
  if (end.exitCode !== 0) return ok(evidence);
  if (task.test === undefined)
    return ok(`${evidence}\n(passed before any work: the project's tests, not its own)`);
  const reason = because("test-passes-first", {});
  return fail(verdict({ kind: "needs-person", reason }, "failed", { reason, evidence }));
}
