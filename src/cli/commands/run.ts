import { agentName, textHash } from "../../engine/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { freshRun, isEnded, type RunState, restoreRun } from "../../run/index.ts";
import { visible } from "../../text/index.ts";
import { agentFiles } from "../agent-files.ts";
import {
  type Approvals,
  configCommands,
  inWords,
  isApproved,
  planCommands,
  requireApproval,
  weakerProofs,
} from "../approval.ts";
import type { Invocation } from "../invocation.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { loadPlan, type PlanFile, renderDiagnostics, requireUsable } from "../plan-file.ts";
import { findTaskFile, lastTaskFile, openProject, type Project, type TaskPath } from "../project.ts";
import { hasState, noRun, type RunReading, readLastRun } from "../reader.ts";
import { mendBeforeWork } from "../session/after-power-cut.ts";
import { checkForced, checkOnly } from "../session/checks.ts";
import { requirePerson } from "../session/decider.ts";
import { drive } from "../session/drive.ts";
import { fromCheckpoint } from "../session/from-checkpoint.ts";
import { openSession, type Session } from "../session/open.ts";
import { rehearse } from "../session/rehearse.ts";
import { checkRepository, projectRepository, repositoryCommands } from "../session/repository.ts";
import { engineOptions, mergeInvocations, policyOf } from "../settings.ts";

export interface RunFlags extends Invocation {
  readonly only?: readonly string[];
  readonly forcePhase?: string;
  readonly trustBoxes?: boolean;
  readonly trustState?: boolean;
  readonly adopt?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
  /** A checkpoint to start a new run from. */
  readonly from?: string;
  readonly dashboard?: boolean;
  readonly port?: number;
}

function invocationOf(flags: RunFlags): Invocation {
  if (flags.plan !== undefined && flags.plan !== "reconcile" && flags.plan !== "frozen") {
    throw new EspalierError("USAGE", `--plan takes reconcile or frozen, not ${String(flags.plan)}`, {
      exitCode: EXIT.usage,
    });
  }
  const { agent, command, parallel, allowMissing, plan, maxTokens, maxCost } = flags;
  return { agent, command, parallel, allowMissing, plan, maxTokens, maxCost };
}

/** The run as a start would find it, without taking anything. */
function presentRun(
  project: Project,
  plan: PlanFile,
  last: RunReading | undefined,
  flags: RunFlags,
): RunState {
  const invocation = mergeInvocations(last?.invocation ?? {}, invocationOf(flags));
  const forced = [
    ...(last?.stored.run.forced ?? []),
    ...(flags.forcePhase === undefined ? [] : [flags.forcePhase]),
  ];
  const options = {
    policy: policyOf(project.config, invocation, "auto"),
    forced,
    ...(flags.only === undefined ? {} : { only: new Set(flags.only) }),
  };
  const run =
    last === undefined
      ? freshRun(plan.plan, options, textHash)
      : restoreRun(plan.plan, last.stored.tasks, { ...options, phase: last.stored.run.phase });
  checkOnly(run, flags.only);
  checkForced(run, flags.forcePhase);
  return run;
}

function dryRun(
  io: Io,
  project: Project,
  plan: PlanFile,
  last: RunReading | undefined,
  flags: RunFlags,
): number {
  const waves = rehearse(presentRun(project, plan, last, flags));
  if (flags.json === true) sayJson(io, { dryRun: true, waves });
  else if (waves.length === 0) say(io, "nothing would be dispatched");
  else for (const [at, wave] of waves.entries()) say(io, `${String(at + 1).padStart(4)}  ${wave.join(", ")}`);
  return EXIT.done;
}

/** As much of a run as a person is asked about before it begins. */
type Asking = Pick<Session, "project" | "plan" | "invocation" | "run" | "runId"> &
  Partial<Pick<Session, "weaker">>;

/** What the repository wants executed, and what the person has just typed. */
function commandsOf({ project, plan, invocation, weaker }: Asking, flags: RunFlags) {
  const wanted = [
    ...planCommands(plan.plan),
    ...weakerProofs(plan.plan, weaker ?? new Map()),
    ...configCommands(project.config),
  ];
  const { command } = invocation;
  if (command === undefined || flags.command !== undefined) return { wanted, typed: flags.command };
  // The state lies in the repository: a command line that stands there may have come with it.
  const known = inWords("command", words => ({ where: words.ofRunSoFar, text: command }));
  return { wanted: [...wanted, known], typed: undefined };
}

/** Whether any agent program works on the run: the shell reads no agent's configuration. */
function usesAgents({ run, project, invocation, runId }: Asking): boolean {
  const options = engineOptions(project.config, invocation, runId, project.root);
  return run.tasks.some(
    state =>
      !isEnded(state.status) && state.task.children === undefined && agentName(state, options) !== "shell",
  );
}

/** Whether flags say what only a person says: what is believed or passed over, and of a run there is, who works and for how much. */
function isDecision(flags: RunFlags, before: Invocation | undefined): boolean {
  const { forcePhase, from, trustBoxes, trustState, adopt } = flags;
  if (forcePhase !== undefined || from !== undefined) return true;
  if (trustBoxes === true || trustState === true || adopt === true) return true;
  if (before === undefined) return false;
  const kept = ["agent", "command", "maxTokens", "maxCost"] as const;
  return kept.some(name => flags[name] !== undefined && flags[name] !== before[name]);
}

async function go(
  io: Io,
  project: Project,
  file: TaskPath,
  latest: RunReading | undefined,
  flags: RunFlags,
): Promise<number> {
  const last = latest?.stored.run.file === file.display ? latest : undefined;
  const plan = loadPlan(file, flags.allowMissing ?? last?.invocation.allowMissing === true, project);
  requireUsable(file, plan);
  if (flags.json !== true) {
    for (const line of renderDiagnostics(file, plan, 10)) warn(io, line);
    if (file.others.length > 0) warn(io, `using ${file.display}; also found: ${file.others.join(", ")}`);
  }
  const invocation = invocationOf(flags);
  if (flags.dryRun === true) return dryRun(io, project, plan, last, flags);
  if (isDecision(flags, last?.invocation)) await requirePerson(io, project);
  const repository = await projectRepository(project, file, io.env);
  const ofGit = repository === undefined ? [] : repositoryCommands(project, repository, io.env);
  const approve = async (asking: Asking, known?: Approvals): Promise<Approvals> => {
    const { wanted, typed } = commandsOf(asking, flags);
    const shown = [...wanted, ...ofGit, ...(usesAgents(asking) ? agentFiles(project.root) : [])];
    if (known !== undefined && shown.every(one => isApproved(one, known))) return known;
    return requireApproval(io, project, shown, { yes: flags.yes === true, typed });
  };
  // Where nothing stands yet, a no leaves nothing behind; where something does, it is asked what it wants below.
  const isNew = latest === undefined && !hasState(project);
  const fresh = isNew ? presentRun(project, plan, undefined, flags) : undefined;
  const known =
    fresh === undefined ? undefined : await approve({ project, plan, invocation, run: fresh, runId: "" });
  const session = await openSession(project, file, plan, {
    invocation,
    env: io.env,
    repository,
    only: flags.only,
    force: flags.forcePhase,
    trustBoxes: flags.trustBoxes === true,
    trustState: flags.trustState === true,
    adopt: flags.adopt === true,
    from: flags.from === undefined ? undefined : fromCheckpoint(project, io.cwd, flags.from, plan.plan),
    approves: true,
    advance: "auto",
  });
  try {
    const approvals = await approve(session, known);
    // What was approved may run from now on: large files need their filter.
    const isAsIs = repository === undefined || repository.programs.length === 0;
    const approved = isAsIs ? repository : await projectRepository(project, file, io.env, approvals.allows);
    if (approved !== undefined) {
      const notes = [
        ...(await mendBeforeWork(approved)),
        ...(await checkRepository(project, approved, session.run)),
      ];
      for (const note of notes) warn(io, visible(note));
    }
    const { dashboard, port } = flags;
    return await drive(io, session, approvals, approved, { json: flags.json === true, dashboard, port });
  } finally {
    session.close();
  }
}

/** `espalier run [FILE]`: starts a run, or goes on with the one of this task file. */
export function run(io: Io, named: string | undefined, flags: RunFlags): Promise<number> {
  const project = openProject(io.cwd, named);
  const file = findTaskFile(project, io.cwd, named);
  return go(io, project, file, readLastRun(project), flags);
}

/** `espalier resume`: goes on with the last run, whatever its task file is. */
export function resume(io: Io, flags: RunFlags): Promise<number> {
  const project = openProject(io.cwd);
  const last = readLastRun(project);
  if (last === undefined && !hasState(project)) throw noRun(project);
  return go(io, project, lastTaskFile(project, last?.stored.run.file), last, flags);
}
