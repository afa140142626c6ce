import { randomName } from "../../adapters/local/random.ts";
import { instanceAt, startWarden } from "../../adapters/process/index.ts";
import { type Repository, surveyFolders } from "../../adapters/vcs/git/index.ts";
import { type ControlReply, replyWith } from "../../engine/control/protocol.ts";
import {
  checkPhase,
  completedTasks,
  type EngineOptions,
  maskedWorkspaces,
  maskedWorld,
  phaseRequest,
  type StopSignals,
  sentBackTo,
  type Workspaces,
  type World,
} from "../../engine/index.ts";
import { because, EspalierError, EXIT, few, type Reason, type RunEvent } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { errorFor, reasonText, visible } from "../../text/index.ts";
import { configCommands } from "../approval/approvable.ts";
import { type Approvals, requireApproval } from "../approval/approval.ts";
import { requirePerson } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { withLastRun } from "../lead/offline.ts";
import { type OfflineRun, offlineRun } from "../lead/offline-run.ts";
import type { Project } from "../project/project.ts";
import { engineOptions } from "../project/settings.ts";
import type { Session } from "../session/open.ts";
import { approvedRepository, projectRepository, repositoryCommands } from "../session/repository.ts";
import { attemptsIn } from "./former-phases.ts";
import { projectJail } from "./jail.ts";
import { readyToMerge, type Whereabouts } from "./phase-work.ts";
import { whereabouts } from "./whereabouts.ts";
import { projectWorkspaces } from "./workspaces.ts";
import { localWorld } from "./world.ts";

/** What phases are merged with. */
interface MergeGround {
  readonly session: Pick<Session, "project" | "invocation" | "store" | "runId">;
  readonly run: RunState;
  readonly repository: Repository;
  /** Both as they are heard masked. */
  readonly workspaces: Pick<Workspaces, "endPhase" | "idle">;
  readonly world: ReturnType<typeof maskedWorld>;
  readonly options: EngineOptions;
  /** Keeps what happened with the run, and tells it. */
  readonly note: (event: RunEvent) => void | Promise<void>;
}

/** What came of it, phases by their labels. */
interface MergeOutcome {
  readonly merged: readonly MergedPhase[];
  /** The first that could not be, which ends it. */
  readonly refused?: { readonly phase: string; readonly why: Reason };
  /** The first that is not merged because somebody ended it. */
  readonly stopped?: string;
  /** Still on their branches: behind the refused one, or not all done. */
  readonly left: readonly string[];
}

/** A phase that was ended: merged as a commit, or there was nothing to merge. */
export interface MergedPhase {
  readonly phase: string;
  readonly into?: string;
  readonly commit?: string;
}

/** Runs something that a person may stop: softly, then hard. */
type Stoppable = <T>(use: (stop: StopSignals) => Promise<T>) => Promise<T>;

/** Nobody stops it. */
const unstopped: Stoppable = use => {
  const { signal } = new AbortController();
  return use({ cancel: signal, kill: signal });
};

/** Phases by their positions. */
interface Ends {
  /** Merged by a process that died before it had tidied up. */
  readonly untidy: readonly number[];
  /** To be merged. */
  readonly phases: readonly number[];
  /** On their branches, all done or not. */
  readonly standing: readonly number[];
}

/** What is to be ended: one phase, or all that are done, wait on their branches, and build on nothing unfinished, in their order. */
async function endsOf(
  { session: { project }, run, repository }: MergeGround,
  found: Whereabouts | undefined,
  one: number | undefined,
): Promise<Ends> {
  const { target, phases = [] } = found ?? {};
  const at = (labels: readonly string[]) =>
    run.phases.flatMap(({ label }, index) => (labels.includes(label) ? [index] : []));
  const merged = phases.filter(({ state, branch }) => state === "merged" && branch !== undefined);
  const folders =
    merged.length === 0 || target === undefined ? undefined : await surveyFolders(repository, target);
  const stands = (folders?.ok === true ? folders.value : []).map(({ branch }) => branch);
  const untidy = merged.flatMap(({ phase, branch = "" }) =>
    project.config.git.branches === "delete" || stands.includes(branch) ? [phase] : [],
  );
  return {
    untidy: at(untidy).filter(index => index !== one),
    phases: one === undefined ? at(readyToMerge(phases)) : [one],
    standing: at(phases.flatMap(({ phase, state }) => (state === "merged" ? [] : [phase]))),
  };
}

/** Why a phase is not merged although its branch stands: a person has sent back work of it, and that is not done anew yet. */
function sentBack({ run, world, options }: MergeGround, at: number): Reason | undefined {
  const { label, members } = run.phases[at]!;
  for (const index of members) {
    const { task, status } = run.tasks[index]!;
    if (status === "completed" || status === "skipped") continue;
    const rows = world.store.attempts(options.runId, task.id);
    if (rows.ok && sentBackTo(rows.value, Number.POSITIVE_INFINITY) !== undefined)
      return because("phase-unended", { phase: label, task: task.id, status });
  }
  return undefined;
}

/**
 * Ends one phase after the other, of all that are ready or the named one, and tells of each but those that had been merged before;
 * the first that cannot be ends it.
 */
export async function mergeIn(
  ground: MergeGround,
  label: string | undefined,
  told: (one: MergedPhase) => void = () => {},
  stoppable: Stoppable = unstopped,
): Promise<MergeOutcome> {
  return stoppable(stop => mergeEach(ground, label, told, stop));
}

async function mergeEach(
  ground: MergeGround,
  label: string | undefined,
  told: (one: MergedPhase) => void,
  stop: StopSignals,
): Promise<MergeOutcome> {
  const { session, run, repository, workspaces, world, options, note } = ground;
  const labelOf = (index: number) => run.phases[index]!.label;
  const one = label === undefined ? undefined : run.phases.findIndex(phase => phase.label === label);
  if (one === -1)
    return {
      merged: [],
      refused: { phase: label!, why: because("phase-unknown", { phase: label! }) },
      left: [],
    };
  const ends = await endsOf(
    ground,
    await whereabouts(repository, { ...session, attempts: attemptsIn(session) }, run, []),
    one,
  );
  const verify = (cwd: string) => checkPhase(world, options, cwd, stop);
  const merged: MergedPhase[] = [];
  for (const at of [...ends.untidy, ...ends.phases]) {
    const phase = labelOf(at);
    const leftFrom = () => ends.standing.filter(index => index >= at).map(labelOf);
    if (stop.cancel.aborted && !ends.untidy.includes(at)) return { merged, stopped: phase, left: leftFrom() };
    const why = sentBack(ground, at);
    const request = {
      phase: phaseRequest(run, at),
      tasks: run.phases[at]!.members.map(index => run.tasks[index]!.task.id),
      completed: completedTasks(run),
      verify,
      merge: "auto" as const,
    };
    const end =
      why === undefined ? await workspaces.endPhase(request) : ({ kind: "refused", reason: why } as const);
    await workspaces.idle();
    if (ends.untidy.includes(at)) continue;
    // A check that was ended says nothing about the phase.
    if (end.kind === "refused" && stop.cancel.aborted) return { merged, stopped: phase, left: leftFrom() };
    if (end.kind === "refused") return { merged, refused: { phase, why: end.reason }, left: leftFrom() };
    merged.push(end.kind === "merged" ? { phase, into: end.into, commit: end.commit } : { phase });
    if (end.kind === "merged")
      await note({ type: "phase-merged", phase, into: end.into, commit: end.commit });
    told(merged.at(-1)!);
  }
  const left = one === undefined ? ends.standing.filter(index => !ends.phases.includes(index)) : [];
  return { merged, left: left.map(labelOf) };
}

/** Why nothing is merged here. */
const NO_BRANCHES: Reason = because("no-branches", {});

/** The repository and what may be run for it. Throws EspalierError. */
async function approvedGround(
  caller: Caller,
  { project, file }: Session,
  yes: boolean,
): Promise<{ readonly repository: Repository; readonly approvals: Approvals }> {
  const { config } = project;
  const wanted = configCommands(config).filter(
    ({ text }) => text === config.phase.verify || config.worktree.setup.includes(text),
  );
  const known = await projectRepository(project, file, caller.env);
  const ofGit = known === undefined ? [] : repositoryCommands(project, known, caller.env);
  const approvals = await requireApproval(caller, project, [...wanted, ...ofGit], { yes });
  const repository = await approvedRepository(project, file, caller.env, { known, approvals });
  if (repository !== undefined) return { repository, approvals };
  throw errorFor("NO_REPOSITORY", NO_BRANCHES, {
    advice: because("doctor-says-why", {}),
    exitCode: EXIT.environment,
  });
}

/** Who merges, and what. */
interface MergeWish {
  readonly caller: Caller;
  readonly project: Project;
  /** All that are ready, where none is named. */
  readonly phase?: string | undefined;
  /** Everything that would be asked for is approved. */
  readonly yes: boolean;
  readonly told?: (one: MergedPhase) => void;
  /** Has its person end it; without it nobody does. */
  readonly stoppable?: Stoppable;
}

/** Merges phases while no process works on the run: takes the lock for so long. Throws EspalierError. */
export async function mergePhases(wish: MergeWish): Promise<MergeOutcome> {
  const { caller, project, phase, yes, told, stoppable } = wish;
  const { env } = caller;
  await requirePerson(caller, project);
  return withLastRun({ caller, project }, { inRepository: true }, async session => {
    const { repository, approvals } = await approvedGround(caller, session, yes);
    const { run, invocation, runId } = session;
    const warden = startWarden(instanceAt(project.stateDir, randomName(16)));
    try {
      const jail = await projectJail(project.config, env["PATH"]);
      const outside = localWorld({ session, agents: new Map(), approvals, warden, env, jail });
      const options = engineOptions(project.config, invocation, runId, project.root);
      const world = maskedWorld(outside);
      const tell = (_code: string, message: Reason) =>
        caller.tell(visible(world.redact(reasonText(message, project.locale)), 300));
      const given = await projectWorkspaces({ session, repository, options, world: outside, tell });
      const workspaces = maskedWorkspaces(given, world.redact);
      let offline: OfflineRun | undefined;
      const note = async (event: RunEvent) => {
        offline ??= await offlineRun(session);
        offline.record([event]);
      };
      const ground = { session, run, repository, workspaces, world, options, note };
      return await mergeIn(ground, phase, told, stoppable);
    } finally {
      await warden.close();
    }
  });
}

/** What came of a merge, as an answer in one line. */
function mergeReply({ merged, refused, left }: MergeOutcome): ControlReply {
  const outcome = { merged, left, ...(refused === undefined ? {} : { refused }) };
  return replyWith(refused === undefined && merged.length > 0, because("merge-outcome", outcome));
}

/** Merges for somebody who is at no terminal: what nobody has approved yet is named, with what to type. Throws EspalierError. */
export async function mergeUnasked({
  caller,
  ...wish
}: Omit<MergeWish, "yes" | "told" | "stoppable">): Promise<ControlReply> {
  let wanted: readonly string[] = [];
  const approval: Caller["approval"] = {
    show(items) {
      wanted = items.map(({ text }) => text);
    },
  };
  try {
    return mergeReply(await mergePhases({ ...wish, caller: { ...caller, approval }, yes: false }));
  } catch (error) {
    if (!(error instanceof EspalierError) || error.code !== "APPROVAL_NEEDED") throw error;
    const { phase } = wish;
    const what = { commands: few(wanted, 3), ...(phase === undefined ? {} : { phase }) };
    return replyWith(false, because("merge-unapproved", what));
  }
}

/** Merges inside of the process that has the run, whose end it outlives; refused while the run goes on. */
export async function mergeInside(
  isOver: boolean,
  ground:
    | (Omit<MergeGround, "workspaces" | "world"> & { readonly workspaces: Workspaces; readonly world: World })
    | undefined,
  label: string | undefined,
): Promise<ControlReply> {
  if (!isOver) return replyWith(false, because("merge-after-run", {}));
  if (ground === undefined) return replyWith(false, NO_BRANCHES);
  const world = maskedWorld(ground.world);
  const workspaces = maskedWorkspaces(ground.workspaces, world.redact);
  return mergeReply(await mergeIn({ ...ground, world, workspaces }, label));
}
