import { because, fail, ok, type Result } from "../../ports/index.ts";
import { said } from "../../text/index.ts";
import type { EngineOptions, HeardWorld, ShellEnd } from "../world.ts";
import { cannotRun, howItEnded, runCheck } from "./check.ts";
import { testCommand } from "./proof-commands.ts";
import { readTestReport, reportText } from "./test-report.ts";
import type { AttemptRequest, Place, Red, StopSignals } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** Whether nothing has been worked on yet: what an earlier attempt left may well pass. */
async function isUntouched(request: AttemptRequest, place: Place): Promise<boolean> {
  if (request.sentBack !== undefined) return false;
  if (place.workspace === undefined) return request.row.number === 1;
  const sealed = await place.workspace.seal();
  return sealed.ok && sealed.value.changed.length === 0;
}

/** Whether a report shows a test that ran and failed, or passed; where it shows none, only the exit code tells. */
function redOf(command: string, end: ShellEnd, note: string): Red {
  const report = readTestReport(end.tail);
  const isProved = report !== undefined && report.failed > 0;
  const name = isProved ? "RED" : "RED unproven";
  const said = [howItEnded(end), reportText(report), end.tail.slice(-1000).trim(), note];
  const evidence = [`${name} $ ${command}`, ...said.filter(line => line !== "")].join("\n");
  return { evidence, report };
}

/**
 * Runs a task's tests before any work (RED). A test of the task's own has to fail then; one of the whole project may pass,
 * because the task's test is not written yet. Returns what is to be kept as evidence; nothing where no tests are asked.
 */
export async function testBefore(
  request: AttemptRequest,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Result<Red | undefined, Verdict>> {
  const { task } = request;
  const command = testCommand(task, options);
  if (command === undefined || stop.cancel.aborted || !(await isUntouched(request, place)))
    return ok(undefined);
  const end = await runCheck(request, { name: "test", command }, place.cwd, world, options, stop);
  if (place.workspace?.linked === true) {
    // Nothing was here before the tests; what is here now is theirs.
    const base = await place.workspace.seal();
    if (base.ok && base.value.changed.length > 0) await place.workspace.tidy(place.workspace.base);
  }
  if (stop.cancel.aborted) return fail(verdict({ kind: "cancelled" }, "cancelled"));
  const reason = end.refused ?? cannotRun("test", command, end);
  if (reason !== undefined)
    return fail(
      verdict({ kind: "needs-person", reason }, "failed", {
        reason,
        evidence: redOf(command, end, "").evidence,
      }),
    );
  if (end.notStarted !== undefined) {
    const why = said("system", end.notStarted);
    return fail(verdict({ kind: "stalled", reason: why }, "failed", { reason: why }));
  }
  if (end.exitCode !== 0) return ok(redOf(command, end, ""));
  if (readTestReport(end.tail)?.ran === 0)
    return ok(redOf(command, end, "(no test was there before the work)"));
  if (task.test === undefined)
    return ok(redOf(command, end, "(passed before any work: the project's tests, not its own)"));
  const passes = because("test-passes-first", {});
  const { evidence } = redOf(command, end, "");
  return fail(verdict({ kind: "needs-person", reason: passes }, "failed", { reason: passes, evidence }));
}
