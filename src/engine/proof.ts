import { firstLine } from "../text/index.ts";
import type { AttemptRequest } from "./attempt.ts";
import { lastLine } from "./last-line.ts";
import type { EngineOptions, World } from "./world.ts";

/** What stands behind a claim of DONE. */
export type Proof =
  /** Nothing was asked for: the completion stays unverified. */
  | { readonly kind: "none" }
  | { readonly kind: "passed"; readonly what: string; readonly detail: string }
  /** The command may not be run before a person has seen it. */
  | { readonly kind: "refused"; readonly what: string; readonly detail: string; readonly reason: string }
  /** The operating system could not start the command; says nothing about the task. */
  | { readonly kind: "stalled"; readonly what: string; readonly detail: string; readonly reason: string }
  | { readonly kind: "failed"; readonly what: string; readonly detail: string; readonly reason: string };

/** Paths that `expects:` names; `diff` and `none` ask for nothing that can be told apart in a shared checkout. */
function expectedPaths(expects: readonly string[] | undefined): readonly string[] {
  return (expects ?? []).filter(path => path !== "diff" && path !== "none");
}

/** Checks a claim: expected paths exist, then the task's verify command (else the project's) exits with 0. */
export async function prove(
  request: Pick<AttemptRequest, "task" | "row" | "emit">,
  world: World,
  options: EngineOptions,
  stop: { readonly cancel: AbortSignal; readonly kill: AbortSignal },
): Promise<Proof> {
  const { task, row } = request;
  const paths = expectedPaths(task.expects);
  const missing = paths.filter(path => !world.exists(path));
  if (missing.length > 0) {
    const list = missing.join(", ");
    return {
      kind: "failed",
      what: "expects:",
      detail: `missing: ${list}`,
      reason: `missing ${firstLine(list, 80)}`,
    };
  }
  const command = task.verify ?? options.verify;
  if (command === undefined) {
    return paths.length === 0
      ? { kind: "none" }
      : { kind: "passed", what: "expects:", detail: paths.join(", ") };
  }
  const what = `$ ${command}`;
  if (stop.cancel.aborted) return { kind: "stalled", what, detail: "", reason: "stopped before verify" };
  request.emit({ type: "verify-started", task: task.id, attempt: row.number, command });
  const end = await world.shell({
    task: task.id,
    command,
    cwd: options.cwd,
    env: world.env,
    token: row.token,
    limits: options.limits,
    ...stop,
  });
  if (end.notStarted !== undefined)
    return { kind: "stalled", what, detail: end.notStarted, reason: firstLine(end.notStarted, 100) };
  if (end.refused !== undefined) return { kind: "refused", what, detail: "", reason: end.refused };
  const how = end.killed === undefined ? `exit ${end.exitCode ?? "?"}` : `ended by ${end.killed}`;
  const detail = `${how}\n${end.tail}`.trim();
  if (end.exitCode === 0) return { kind: "passed", what, detail };
  const words = lastLine(end.tail, 80);
  return { kind: "failed", what, detail, reason: `verify ${how}${words === "" ? "" : `: ${words}`}` };
}
