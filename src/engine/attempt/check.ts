import { because, type CommandEnd, type Reason } from "../../ports/index.ts";
import { uncolored } from "../../text/index.ts";
import type { EngineOptions, HeardWorld, ShellEnd } from "../world.ts";
import { complaintLine } from "./last-line.ts";
import type { Check } from "./proof-commands.ts";
import type { AttemptRequest, StopSignals } from "./types.ts";

/** For whom a command of the proof is run. */
export type CheckRequest = Pick<AttemptRequest, "task" | "row" | "emit" | "baseline">;

/** How a command ended, and what it complained of. */
export function complaintOf({ exitCode, killed, tail }: ShellEnd, length: number): CommandEnd {
  return {
    ...(exitCode === undefined ? {} : { exit: exitCode }),
    ...(killed === undefined ? {} : { killed }),
    said: complaintLine(uncolored(tail), length),
  };
}

/** What a command that failed is complained of with. */
export function failedCheck(name: string, end: ShellEnd, length = 80): Reason {
  return because("check-failed", { name, ...complaintOf(end, length) });
}

/** Why a command of the project did not do what it was run for. */
export function whyFailed(name: string, end: ShellEnd): Reason {
  const { refused, notStarted } = end;
  if (refused !== undefined) return refused;
  return notStarted === undefined
    ? failedCheck(name, end)
    : because("said", { by: "system", text: `${name}: ${notStarted}` });
}

/** Exit codes by which a shell tells that a program cannot be executed, or is not there. */
const NOT_RUN: ReadonlySet<number | undefined> = new Set([126, 127]);

/** What stands against a command that did not run at all. */
export function notRun(name: string, end: ShellEnd): Reason | undefined {
  return NOT_RUN.has(end.exitCode)
    ? because("check-cannot-run", { name, ...complaintOf(end, 120) })
    : undefined;
}

/**
 * What stands against a check that cannot run in this place: nothing that an agent does to the work brings its program. A
 * script of the repository itself is work like any other.
 */
export function cannotRun(name: string, command: string, end: ShellEnd): Reason | undefined {
  const program = command.trimStart().split(/\s/, 1)[0] ?? "";
  const isWork = program.includes("/") && !program.startsWith("/");
  return isWork ? undefined : notRun(name, end);
}

/** How a command ended, in a few words. */
export function howItEnded(end: ShellEnd): string {
  return end.killed === undefined ? `exit ${end.exitCode ?? "?"}` : `ended by ${end.killed}`;
}

/** Runs one command of the proof in a folder. */
export function runCheck(
  request: CheckRequest,
  { name, command }: Check,
  cwd: string,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<ShellEnd> {
  const { task, row } = request;
  request.emit({ type: "verify-started", task: task.id, attempt: row.number, command });
  const { limits } = options;
  return world.shell({
    task: task.id,
    agent: row.agent,
    name,
    command,
    cwd,
    env: world.env,
    token: row.token,
    limits,
    ...stop,
  });
}
