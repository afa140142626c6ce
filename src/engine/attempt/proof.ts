import { expectedPaths } from "../../plan/index.ts";
import { because, few, type Reason, type VcsFailure } from "../../ports/index.ts";
import { alike } from "../../run/index.ts";
import { firstLine, reasonText, said, uncolored } from "../../text/index.ts";
import { vcsReason } from "../workspaces/index.ts";
import type { EngineOptions, HeardWorld, ShellEnd } from "../world.ts";
import { brokenBefore } from "./baseline.ts";
import { type CheckRequest, cannotRun, failedCheck, howItEnded, runCheck } from "./check.ts";
import { proofCommands, testCommand } from "./proof-commands.ts";
import { readTestReport, type TestReport } from "./test-report.ts";
import type { Place, StopSignals } from "./types.ts";
import { weakerTests } from "./weaker-tests.ts";

/** What stands behind a claim of DONE. */
export type Proof =
  /** Nothing was asked for, or what was asked for could not be, or showed nothing: the completion stays unverified. */
  | {
      readonly kind: "none";
      readonly what: string;
      readonly detail: string;
      /** The report of the only proof there is, which ran no test. */
      readonly tests?: TestReport;
    }
  | {
      readonly kind: "passed";
      readonly what: string;
      readonly detail: string;
      /** What the runner of its tests reported, where it is a known one. */
      readonly tests?: TestReport;
    }
  /** The command cannot be run here, or may not be before a person has seen it. */
  | { readonly kind: "refused"; readonly what: string; readonly detail: string; readonly reason: Reason }
  /** The operating system could not start the command; says nothing about the task. */
  | { readonly kind: "stalled"; readonly what: string; readonly detail: string; readonly reason: Reason }
  /** A person has to look before anything more is run. */
  | { readonly kind: "halted"; readonly what: string; readonly detail: string; readonly reason: Reason }
  | { readonly kind: "failed"; readonly what: string; readonly detail: string; readonly reason: Reason };

function judge(name: string, command: string, end: ShellEnd): Proof {
  const what = `$ ${command}`;
  if (end.notStarted !== undefined)
    return { kind: "stalled", what, detail: end.notStarted, reason: said("system", end.notStarted) };
  if (end.refused !== undefined) return { kind: "refused", what, detail: "", reason: end.refused };
  const detail = `${howItEnded(end)}\n${uncolored(end.tail)}`.trim();
  const tests = readTestReport(end.tail);
  if (end.exitCode === 0) return { kind: "passed", what, detail, ...(tests === undefined ? {} : { tests }) };
  const reason = cannotRun(name, command, end);
  if (reason !== undefined) return { kind: "refused", what, detail, reason };
  return { kind: "failed", what, detail, reason: failedCheck(name, end) };
}

/** Whether a command proves a task's work: that its files are there says nothing about what is in them. */
export function hasProof(request: CheckRequest, options: EngineOptions): boolean {
  return proofCommands(request.task, options).length > 0;
}

/** Whether anything is asked of a task's work at all. */
export function isChecked(request: CheckRequest, options: EngineOptions): boolean {
  return expectedPaths(request.task.expects).length + proofCommands(request.task, options).length > 0;
}

/**
 * Checks what stands in a folder: expected paths are there, then tests and verify command exit with 0. Commands that are `known` have
 * done so there before; those that do now come to them.
 */
export async function checkIn(
  request: CheckRequest,
  place: Pick<Place, "cwd">,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
  known = new Set<string>(),
): Promise<Proof> {
  const paths = expectedPaths(request.task.expects);
  const missing = paths.filter(path => !world.exists(path, place.cwd));
  if (missing.length > 0) {
    const list = missing.join(", ");
    const reason = because("paths-missing", { paths: firstLine(list, 80) });
    const detail = reasonText(because("paths-missing", { paths: list }), options.messages.locale);
    return { kind: "failed", what: "expects:", detail, reason };
  }
  const passed: Extract<Proof, { kind: "passed" }>[] =
    paths.length === 0 ? [] : [{ kind: "passed", what: "expects:", detail: paths.join(", ") }];
  for (const check of proofCommands(request.task, options)) {
    const { name, command } = check;
    if (known.has(command)) continue;
    const what = `$ ${command}`;
    if (stop.cancel.aborted)
      return { kind: "stalled", what, detail: "", reason: because("stopped-before", { name }) };
    const proof = judge(name, command, await runCheck(request, check, place.cwd, world, options, stop));
    if (proof.kind !== "passed") return proof;
    known.add(command);
    passed.push(proof);
  }
  const last = passed.at(-1);
  if (last === undefined) return { kind: "none", what: "", detail: "" };
  const before = passed.slice(0, -1).map(({ what, detail }) => `${what}\n${detail}`);
  const tests = passed.find(proof => proof.tests !== undefined)?.tests;
  const what = [...before, last.what].join("\n");
  // A verify command may prove more than its tests do.
  const isTest = last.what === `$ ${testCommand(request.task, options)}`;
  const isEmpty = isTest && passed.length === 1 && tests?.ran === 0;
  return {
    kind: isEmpty ? "none" : "passed",
    what,
    detail: last.detail,
    ...(tests === undefined ? {} : { tests }),
  };
}

/** What stands against a proof that version control cannot go on with. */
function unsealed(what: string, failure: VcsFailure): Exclude<Proof, { kind: "passed" | "none" }> {
  const base = { what, detail: "", reason: vcsReason(failure) };
  switch (failure.kind) {
    case "config-changed":
      return { kind: "halted", ...base };
    case "strayed":
      return { kind: "failed", ...base };
    case "foreign":
    case "unprepared":
    case "filter-failed":
    case "unfinished":
      return { kind: "refused", ...base };
    case "full":
    case "failed":
      return { kind: "stalled", ...base };
    default: {
      const never: never = failure;
      throw new Error(`unknown failure ${JSON.stringify(never)}`);
    }
  }
}

/** The work as it stands, sealed before anything is run on it; what is sealed is what will land. */
async function seal(
  request: CheckRequest,
  place: Place,
  { messages }: EngineOptions,
): Promise<Proof | undefined> {
  if (place.workspace === undefined) return undefined;
  const what = place.workspace.branch;
  const sealed = await place.workspace.seal();
  if (!sealed.ok) {
    return unsealed(what, sealed.failure);
  }
  place.sealed = sealed.value;
  const { unresolved, changed } = sealed.value;
  if (unresolved.length > 0) {
    const reason = because("conflict-left", { paths: firstLine(unresolved.join(", "), 60) });
    return { kind: "failed", what, detail: unresolved.join("\n"), reason };
  }
  if (request.task.expects?.includes("diff") === true && changed.length === 0) {
    const reason = because("diff-expected", {});
    return { kind: "failed", what: "expects: diff", detail: reasonText(reason, messages.locale), reason };
  }
  return undefined;
}

/** What was proved, beside what was asked of its tests before the work and what became of them. */
async function withTests(
  request: CheckRequest,
  place: Place,
  proof: Extract<Proof, { kind: "passed" | "none" }>,
  options: EngineOptions,
): Promise<Proof> {
  const { task } = request;
  const tell = (code: string, message: Reason) => {
    request.emit({ type: "warning", code, message, task: task.id });
    return reasonText(message, options.messages.locale);
  };
  const { kind, tests } = proof;
  if (kind === "none" && tests === undefined) return proof;
  if (
    kind === "passed" &&
    task.tdd === true &&
    task.phase !== 0 &&
    testCommand(task, options) === undefined
  ) {
    const missing = tell("TESTS_MISSING", because("tests-missing", {}));
    return { kind: "none", what: proof.what, detail: `${proof.detail}\n(${missing})` };
  }
  const told: string[] = [];
  if (kind === "none")
    told.push(tell("TESTS_MISSING", because("tests-empty", { runner: tests?.runner ?? "" })));
  const less = place.red === undefined ? undefined : await weakerTests(place, tests);
  if (less !== undefined) told.push(tell("TESTS_WEAKER", because("tests-weaker", less)));
  const detail = [proof.detail, ...told.map(line => `(${line})`)].join("\n");
  if (place.red === undefined) return { ...proof, detail };
  const green = tests?.ran === 0 ? "GREEN unproven" : "GREEN";
  return { ...proof, what: `${place.red.evidence}\n${green} ${proof.what}`, detail };
}

/** The same proof, beside files without which it may not hold: they are in no commit. */
async function withIgnored<P extends Extract<Proof, { kind: "passed" | "none" }>>(
  { task, emit }: CheckRequest,
  { workspace }: Place,
  proof: P,
  ignored: readonly string[],
  { messages }: EngineOptions,
): Promise<P> {
  if (ignored.length === 0) return proof;
  const message = because("work-ignored", { task: task.id, paths: few(ignored), first: ignored[0] ?? "" });
  emit({ type: "warning", code: "NOT_COMMITTED", message, task: task.id });
  await workspace?.noteIgnored?.(ignored);
  return { ...proof, detail: `${proof.detail}\n(${reasonText(message, messages.locale)})`.trim() };
}

/** Checks a claim of DONE where the work was done; `sealed` hears of it before anything is run on it. */
export async function prove(
  request: CheckRequest,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
  sealed: () => Promise<unknown> = async () => {},
): Promise<Proof> {
  const against = await seal(request, place, options);
  if (against !== undefined) return against;
  if (isChecked(request, options)) await sealed();
  // What the checks write is nobody's work.
  const ignored = (await place.workspace?.ignored?.()) ?? [];
  const proof = await checkIn(request, place, world, options, stop);
  const { workspace, sealed: work } = place;
  // What the checks made is nobody's work; an agent's edits of what is not its own go the same way.
  const isTouched = proof.kind !== "none" || work?.leftOut !== false;
  if (workspace?.linked === true && work !== undefined && isTouched) {
    const tidied = await workspace.tidy(work.tree);
    if (!tidied.ok) return unsealed(workspace.branch, tidied.failure);
  }
  if (proof.kind === "failed" && proof.what === `$ ${options.verify}`) {
    const broken = await brokenBefore(request, place, world, options, stop);
    if (broken === undefined) return proof;
    const detail = `${proof.detail}\n(${reasonText(broken.told, options.messages.locale)})`;
    // What fails in the same way without the work says nothing of it, however often it is done again.
    return alike(proof.reason, broken.failure)
      ? { kind: "refused", what: proof.what, detail, reason: broken.told }
      : { ...proof, detail };
  }
  if (proof.kind !== "passed" && proof.kind !== "none") return proof;
  return withTests(request, place, await withIgnored(request, place, proof, ignored, options), options);
}
