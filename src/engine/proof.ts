import { firstLine } from "../text/index.ts";
import type { AttemptRequest } from "./attempt.ts";
import type { EngineOptions, World } from "./world.ts";

/** What stands behind a claim of DONE. */
export type Proof =
  /** Nothing was asked for: the completion stays unverified. */
  | { readonly kind: "none" }
  | { readonly kind: "passed"; readonly what: string; readonly detail: string }
  /** The command may not be run before a person has seen it. */
  | { readonly kind: "refused"; readonly what: string; readonly detail: string; readonly reason: string }
  | { readonly kind: "failed"; readonly what: string; readonly detail: string; readonly reason: string };

/** The last line of a command's output that says anything. */
function lastWords(output: string): string {
  const lines = output.split("\n");
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = firstLine(lines[at] ?? "", 80);
    if (line !== "") return line;
  }
  return "";
}

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
  const what = `$ ${command}`;
  if (end.refused !== undefined) return { kind: "refused", what, detail: "", reason: end.refused };
  const how = end.killed === undefined ? `exit ${end.exitCode ?? "?"}` : `ended by ${end.killed}`;
  const detail = `${how}\n${end.tail}`.trim();
  if (end.exitCode === 0) return { kind: "passed", what, detail };
  const words = lastWords(end.tail);
  return { kind: "failed", what, detail, reason: `verify ${how}${words === "" ? "" : `: ${words}`}` };
}
