import { projectHome, writeJoined } from "../../adapters/home/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import { agentName, reviewerOf } from "../../engine/index.ts";
import { EspalierError } from "../../ports/index.ts";
import { freshRun, isEnded, type RunState, restoreRun } from "../../run/index.ts";
import { reasonText, textHash, visible } from "../../text/index.ts";
import { agentFiles } from "../approval/agent-files.ts";
import {
  type Approvable,
  configCommands,
  inWords,
  planCommands,
  weakerProofs,
} from "../approval/approvable.ts";
import { type Approvals, approvalsKept, isApproved, requireApproval } from "../approval/approval.ts";
import { requirePerson } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { tellApart } from "../notify/apart.ts";
import { type Invocation, isElsewhere, withHub } from "../project/invocation.ts";
import { type PlanFile, requireFolders } from "../project/plan-file.ts";
import type { Project, TaskPath } from "../project/project.ts";
import { hasState, type RunReading } from "../project/reader.ts";
import { isGone, isRunOf } from "../project/renamed.ts";
import { engineOptions, mergeInvocations, policyOf } from "../project/settings.ts";
import { mendBeforeWork } from "../session/after-power-cut.ts";
import { checkForced, checkOnly } from "../session/checks.ts";
import { fromCheckpoint } from "../session/from-checkpoint.ts";
import { oneFolderNote, oneFolderOf } from "../session/one-folder.ts";
import { openSession, type Session } from "../session/open.ts";
import {
  approvedRepository,
  checkRepository,
  projectRepository,
  repositoryCommands,
} from "../session/repository.ts";
import { conduct, type Face, type RunEnd, type Running } from "./conduct.ts";
import { requirePresent } from "./require-present.ts";
import { hubsOfState } from "./state-hubs.ts";

/** What is asked of a run besides what its project says. */
export interface RunWish {
  /** Settings of this run; they are kept with it. */
  readonly invocation: Invocation;
  /** Only these tasks. */
  readonly only?: readonly string[] | undefined;
  /** The label of a phase that may begin whatever became of the one before it. */
  readonly forcePhase?: string | undefined;
  /** Ticked boxes are believed where the state was lost. */
  readonly trustBoxes?: boolean | undefined;
  /** The state is believed as it stands. */
  readonly trustState?: boolean | undefined;
  /** Goes on with what another program's run left in the state folder. */
  readonly adopt?: boolean | undefined;
  /** A checkpoint to start a new run from, by name or path. */
  readonly from?: string | undefined;
  /** Everything that the repository wants executed is approved. */
  readonly yes?: boolean | undefined;
  /** Stays after the end until a stop is asked for. */
  readonly stays?: boolean | undefined;
}

/** What a run begins with: its plan, and the last run of the project as far as anything tells of one. */
export interface Origin {
  readonly project: Project;
  readonly file: TaskPath;
  readonly plan: PlanFile;
  /** The last run of the project, of whatever task file. */
  readonly latest: RunReading | undefined;
}

/** The last run, where it is one of this task file, as far as that can be told before its plan was read. */
export function lastOf({
  project,
  file,
  latest,
  plan,
}: Omit<Origin, "plan"> & Partial<Pick<Origin, "plan">>): RunReading | undefined {
  if (latest === undefined || latest.stored.run.file === file.display) return latest;
  const { run } = latest.stored;
  const isMoved =
    plan === undefined ? isGone(project.root, run) : isRunOf(project.root, run, file.display, plan.plan);
  return isMoved ? latest : undefined;
}

/** The run as a start would find it, without taking anything. Throws EspalierError. */
export function presentRun(
  { project, file, plan, latest }: Origin,
  wish: RunWish,
  isOneFolder: boolean,
): RunState {
  const last = lastOf({ project, file, latest, plan });
  const invocation = mergeInvocations(last?.invocation ?? {}, wish.invocation);
  const { only, forcePhase } = wish;
  const forced = [...(last?.stored.run.forced ?? []), ...(forcePhase === undefined ? [] : [forcePhase])];
  const options = {
    policy: policyOf(project.config, invocation, "auto", isOneFolder),
    forced,
    ...(only === undefined ? {} : { only: new Set(only) }),
  };
  const run =
    last === undefined
      ? freshRun(plan.plan, options, textHash)
      : restoreRun(plan.plan, last.stored.tasks, { ...options, phase: last.stored.run.phase });
  checkOnly(run, only);
  checkForced(run, forcePhase);
  return run;
}

/** As much of a run as a person is asked about before it begins. */
type Asking = Pick<Session, "project" | "plan" | "invocation" | "run" | "runId"> &
  Partial<Pick<Session, "weaker">>;

/** What the repository wants executed, and what the person has just typed. */
async function commandsOf(asking: Asking, given: Invocation, env: NodeJS.ProcessEnv) {
  const { project, plan, invocation, weaker } = asking;
  const wanted = [
    ...planCommands(plan.plan),
    ...weakerProofs(plan.plan, weaker ?? new Map()),
    ...configCommands(project.config),
    ...(await hubsOfState(asking, given, env)),
  ];
  const { command } = invocation;
  if (command === undefined || given.command !== undefined) return { wanted, typed: given.command };
  // The state lies in the repository: a command line that stands there may have come with it.
  const known = inWords("command", words => ({ where: words.ofRunSoFar, text: command }));
  return { wanted: [...wanted, known], typed: undefined };
}

/** Whether any agent program works on the run or reviews its work: the shell reads no agent's configuration. */
function usesAgents({ run, project, invocation, runId }: Asking): boolean {
  const options = engineOptions(project.config, invocation, runId, project.root);
  return run.tasks.some(
    state =>
      !isEnded(state.status) &&
      state.task.children === undefined &&
      (agentName(state, options) !== "shell" || reviewerOf(state.task, "exit", options) !== undefined),
  );
}

/** Whether a wish says what only a person says: what is believed or passed over, and of a run there is, who works and for how much. */
function isDecision(wish: RunWish, before: Invocation | undefined): boolean {
  const { forcePhase, from, trustBoxes, trustState, adopt } = wish;
  if (forcePhase !== undefined || from !== undefined) return true;
  if (trustBoxes === true || trustState === true || adopt === true) return true;
  if (before === undefined) return false;
  const kept = ["agent", "command", "maxTokens", "maxCost", "on"] as const;
  return kept.some(name => wish.invocation[name] !== undefined && wish.invocation[name] !== before[name]);
}

/** Asks for what is not approved yet of what a run would have executed. */
function approver(
  caller: Caller,
  { invocation, yes }: RunWish,
  ofGit: readonly Approvable[],
): (asking: Asking, known?: Approvals) => Promise<Approvals> {
  return async (asking, known) => {
    const { project } = asking;
    // Nobody reads commands for nothing.
    const options = engineOptions(project.config, asking.invocation, asking.runId, project.root);
    await requirePresent(asking.run, options, { caller, project, invocation: asking.invocation });
    const { wanted, typed } = await commandsOf(asking, invocation, caller.env);
    const shown = [...wanted, ...ofGit, ...(usesAgents(asking) ? agentFiles(project.root) : [])];
    if (known !== undefined && shown.every(one => isApproved(one, known))) return known;
    const kept = approvalsKept(caller.env, project.root);
    try {
      return await requireApproval(caller, project, shown, { yes: yes === true, typed });
    } catch (error) {
      const wanted = shown.filter(one => !isApproved(one, kept)).length;
      if (error instanceof EspalierError && error.code === "APPROVAL_NEEDED")
        await tellApart(caller, project, kept, { kind: "approval", wanted, command: "espalier run" });
      throw error;
    }
  };
}

/** The repository as it is worked in: what was approved may run from now on, and large files need their filter. */
async function mendedRepository(
  { project, file }: Origin,
  repository: Repository,
  { caller, session, approvals }: { caller: Caller; session: Session; approvals: Approvals },
): Promise<Repository | undefined> {
  const approved = await approvedRepository(project, file, caller.env, { known: repository, approvals });
  if (approved === undefined) return undefined;
  const notes = [
    ...(await mendBeforeWork(approved)).map(note => reasonText(note, project.locale)),
    ...(await checkRepository(project, approved, session.run, session.invocation)),
  ];
  for (const note of notes) caller.tell(visible(note));
  return approved;
}

/**
 * Starts a run, or goes on with the one of this task file, and conducts it to its end: asks what has to be asked, takes
 * the lock, mends what an earlier process left. `show` is called before anything is dispatched. Throws EspalierError.
 */
export async function launch(
  caller: Caller,
  origin: Origin,
  asked: RunWish,
  show: (running: Running) => Face | Promise<Face>,
): Promise<RunEnd> {
  const { project, file, plan, latest } = origin;
  const last = lastOf(origin)?.invocation;
  const wish = { ...asked, invocation: withHub(project.config, last ?? {}, asked.invocation) };
  const { invocation, from } = wish;
  const { env } = caller;
  if (isDecision(asked, last)) await requirePerson(caller, project);
  const repository = await projectRepository(project, file, env);
  const isOneFolder = repository === undefined;
  const why = isOneFolder ? (oneFolderOf(project) ?? "outside") : undefined;
  requireFolders(file, plan, project, why);
  const ofGit = repository === undefined ? [] : repositoryCommands(project, repository, env);
  const approve = approver(caller, wish, ofGit);
  // Where nothing stands yet, a no leaves nothing behind; where something does, it is asked what it wants below.
  const isNew = latest === undefined && !hasState(project);
  const known = isNew
    ? await approve({ project, plan, invocation, run: presentRun(origin, wish, isOneFolder), runId: "" })
    : undefined;
  const session = await openSession(project, file, plan, {
    invocation,
    env,
    repository,
    only: wish.only,
    force: wish.forcePhase,
    trustBoxes: wish.trustBoxes === true,
    trustState: wish.trustState === true,
    adopt: wish.adopt === true,
    from: from === undefined ? undefined : fromCheckpoint(project, caller.cwd, from, plan.plan),
    approves: true,
    takesUp: true,
    isOneFolder,
    advance: "auto",
  });
  try {
    const approvals = await approve(session, known);
    const { on } = session.invocation;
    if (on !== undefined && isElsewhere(session.invocation))
      writeJoined(projectHome(env, project.stateDir), { run: session.runId, on });
    const approved =
      repository === undefined
        ? undefined
        : await mendedRepository(origin, repository, { caller, session, approvals });
    const shared = oneFolderNote(why, project, session.invocation, plan.plan);
    if (shared !== undefined) caller.tell(visible(reasonText(shared, project.locale)));
    const stays = wish.stays === true;
    const trusts = wish.trustState === true;
    return await conduct({ caller, session, approvals, repository: approved, stays, trusts }, show);
  } finally {
    session.close();
  }
}
