import { expectedPaths } from "../../plan/index.ts";
import { because, type Reason } from "../../ports/index.ts";
import { firstLine, reasonText, said, uncolored } from "../../text/index.ts";
import { vcsReason } from "../workspaces/index.ts";
import type { EngineOptions, HeardWorld, ShellEnd } from "../world.ts";
import { complaintLine } from "./last-line.ts";
import { testCommand } from "./test-command.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";

/** What stands behind a claim of DONE. */
export type Proof =
  /** Nothing was asked for: the completion stays unverified. */
  | { readonly kind: "none" }
  | { readonly kind: "passed"; readonly what: string; readonly detail: string }
  /** The command may not be run before a person has seen it. */
  | { readonly kind: "refused"; readonly what: string; readonly detail: string; readonly reason: Reason }
  /** The operating system could not start the command; says nothing about the task. */
  | { readonly kind: "stalled"; readonly what: string; readonly detail: string; readonly reason: Reason }
  /** A person has to look before anything more is run. */
  | { readonly kind: "halted"; readonly what: string; readonly detail: string; readonly reason: Reason }
  | { readonly kind: "failed"; readonly what: string; readonly detail: string; readonly reason: Reason };

type ProofRequest = Pick<AttemptRequest, "task" | "row" | "emit">;

/** What a command that failed is complained of with. */
export function failedCheck(name: string, end: ShellEnd, length = 80): Reason {
  const { exitCode, killed, tail } = end;
  return because("check-failed", {
    name,
    ...(exitCode === undefined ? {} : { exit: exitCode }),
    ...(killed === undefined ? {} : { killed }),
    said: complaintLine(uncolored(tail), length),
  });
}

/** Why a command of the project did not do what it was run for. */
export function whyNot(end: ShellEnd): string {
  const { refused, notStarted, killed, exitCode } = end;
  if (refused !== undefined) return reasonText(refused, "en");
  return notStarted ?? killed ?? `exit ${exitCode ?? "?"}`;
}

/** How a command ended, in a few words. */
export function howItEnded(end: ShellEnd): string {
  return end.killed === undefined ? `exit ${end.exitCode ?? "?"}` : `ended by ${end.killed}`;
}

/** Runs one command of the proof in a folder. */
export function runCheck(
  request: ProofRequest,
  command: string,
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
    command,
    cwd,
    env: world.env,
    token: row.token,
    limits,
    ...stop,
  });
}

function judge(name: string, command: string, end: ShellEnd): Proof {
  const what = `$ ${command}`;
  if (end.notStarted !== undefined)
    return { kind: "stalled", what, detail: end.notStarted, reason: said("system", end.notStarted) };
  if (end.refused !== undefined) return { kind: "refused", what, detail: "", reason: end.refused };
  const detail = `${howItEnded(end)}\n${uncolored(end.tail)}`.trim();
  if (end.exitCode === 0) return { kind: "passed", what, detail };
  return { kind: "failed", what, detail, reason: failedCheck(name, end) };
}

/** The commands that prove a task: its tests, then its verify command (else the project's), each once. */
function commandsFor(request: ProofRequest, options: EngineOptions): { name: string; command: string }[] {
  const { task } = request;
  const verify = task.verify ?? options.verify;
  const test = testCommand(task, options);
  return [
    ...(test === undefined || test === verify ? [] : [{ name: "test", command: test }]),
    ...(verify === undefined ? [] : [{ name: "verify", command: verify }]),
  ];
}

/** Whether a command proves a task's work: that its files are there says nothing about what is in them. */
export function hasProof(request: ProofRequest, options: EngineOptions): boolean {
  return commandsFor(request, options).length > 0;
}

/** Whether anything is asked of a task's work at all. */
export function isChecked(request: ProofRequest, options: EngineOptions): boolean {
  return expectedPaths(request.task.expects).length + commandsFor(request, options).length > 0;
}

/** Checks what stands in a folder: expected paths are there, then tests and verify command exit with 0. */
export async function checkIn(
  request: ProofRequest,
  place: Pick<Place, "cwd">,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Proof> {
  const paths = expectedPaths(request.task.expects);
  const missing = paths.filter(path => !world.exists(path, place.cwd));
  if (missing.length > 0) {
    const list = missing.join(", ");
    const reason = because("paths-missing", { paths: firstLine(list, 80) });
    return { kind: "failed", what: "expects:", detail: `missing: ${list}`, reason };
  }
  const passed: Extract<Proof, { kind: "passed" }>[] =
    paths.length === 0 ? [] : [{ kind: "passed", what: "expects:", detail: paths.join(", ") }];
  for (const { name, command } of commandsFor(request, options)) {
    const what = `$ ${command}`;
    if (stop.cancel.aborted)
      return { kind: "stalled", what, detail: "", reason: because("stopped-before", { name }) };
    const proof = judge(name, command, await runCheck(request, command, place.cwd, world, options, stop));
    if (proof.kind !== "passed") return proof;
    passed.push(proof);
  }
  const last = passed.at(-1);
  if (last === undefined) return { kind: "none" };
  const before = passed.slice(0, -1).map(({ what, detail }) => `${what}\n${detail}`);
  return { kind: "passed", what: [...before, last.what].join("\n"), detail: last.detail };
}

/** The work as it stands, sealed before anything is run on it; what is sealed is what will land. */
async function seal(request: ProofRequest, place: Place): Promise<Proof | undefined> {
  if (place.workspace === undefined) return undefined;
  const what = place.workspace.branch;
  const sealed = await place.workspace.seal();
  if (!sealed.ok) {
    const { kind } = sealed.failure;
    const reason = vcsReason(sealed.failure);
    const detail = "";
    if (kind === "config-changed") return { kind: "halted", what, detail, reason };
    return { kind: kind === "strayed" ? "failed" : "stalled", what, detail, reason };
  }
  place.sealed = sealed.value;
  const { unresolved, changed } = sealed.value;
  if (unresolved.length > 0) {
    const reason = because("conflict-left", { paths: firstLine(unresolved.join(", "), 60) });
    return { kind: "failed", what, detail: unresolved.join("\n"), reason };
  }
  if (request.task.expects?.includes("diff") === true && changed.length === 0)
    return {
      kind: "failed",
      what: "expects: diff",
      detail: "nothing was changed",
      reason: because("diff-expected", {}),
    };
  return undefined;
}

/** Checks a claim of DONE where the work was done. */
export async function prove(
  request: ProofRequest,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Proof> {
  const against = await seal(request, place);
  if (against !== undefined) return against;
  const proof = await checkIn(request, place, world, options, stop);
  const { workspace, sealed, red = "" } = place;
  // What the checks made is nobody's work; an agent's edits of what is not its own go the same way.
  const isTouched = proof.kind !== "none" || sealed?.leftOut !== false;
  if (workspace?.linked === true && sealed !== undefined && isTouched) {
    const tidied = await workspace.tidy(sealed.tree);
    if (!tidied.ok)
      return { kind: "stalled", what: workspace.branch, detail: "", reason: vcsReason(tidied.failure) };
  }
  return proof.kind === "passed" && red !== "" ? { ...proof, what: `${red}\nGREEN ${proof.what}` } : proof;
}
