import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { directFileCalls, sweepTemporaries } from "../../adapters/file/index.ts";
import { projectHome } from "../../adapters/home/index.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { excludeFromGit } from "../../adapters/local/git-exclude.ts";
import { acquireLock, type Lock } from "../../adapters/lock/index.ts";
import { attemptMarker, placeMarker, sweep } from "../../adapters/process/index.ts";
import { openState, type Seal, type Sealing, type SqliteStore } from "../../adapters/store/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import { keptWork, type OutOfQuota, type RunFacts } from "../../engine/index.ts";
import { carryAsked } from "../../plan/index.ts";
import {
  type AttemptRow,
  attemptTokens,
  type LandedAttempt,
  LEAD,
  type UsageRow,
} from "../../ports/index.ts";
import type { RunPolicy } from "../../run/index.ts";
import { reasonText } from "../../text/index.ts";
import { VERSION } from "../package.ts";
import { lockError, openError, storeError } from "../project/errors.ts";
import { awayFolder, type Invocation, isElsewhere } from "../project/invocation.ts";
import type { PlanFile } from "../project/plan-file.ts";
import type { Project, TaskPath } from "../project/project.ts";
import { isRunOf } from "../project/renamed.ts";
import { unreadSettings } from "../project/secrets.ts";
import { mergeInvocations, policyOf } from "../project/settings.ts";
import { readStoredPlan, storedPlanJson } from "../project/stored-plan.ts";
import { findRepository } from "./after-power-cut.ts";
import { checkForced, checkOnly, isDamageKept, isStateLost, requireTrust } from "./checks.ts";
import type { CheckpointOrigin } from "./from-checkpoint.ts";
import { importedFrom, legacyClaims } from "./imported.ts";
import { believedAttempts, cannotAsk, landedAttempts } from "./landed.ts";
import { recall } from "./recall.ts";
import {
  projectRepository,
  repositoryAround,
  requireTarget,
  targetBranch,
  targetFromHere,
} from "./repository.ts";
import { type Beginning, beginning } from "./restore.ts";
import { projectSealing } from "./sealing.ts";

/** Milliseconds after which nobody writes any more to a file that is about to take a task file's place. */
const RESTING = 1000;

/** Removes what a process left beside the task file that was killed while it ticked boxes. */
function tidyBeside({ path }: TaskPath): void {
  sweepTemporaries(dirname(path), directFileCalls, RESTING);
}

/** One process's hold on a project's run: the lock, the store, and the run as it stands. */
export interface Session extends Omit<Beginning, "notes"> {
  readonly project: Project;
  readonly file: TaskPath;
  readonly plan: PlanFile;
  readonly store: SqliteStore;
  readonly epoch: number;
  readonly lock: Lock;
  readonly facts: RunFacts;
  /** What the last failed attempt of each unfinished task left for the next one. */
  readonly feedback: ReadonlyMap<string, string>;
  /** Attempts whose work was proved and did not come home. */
  readonly kept: readonly AttemptRow[];
  /** What attempts of this run have reported, those that died with their process included. */
  readonly usage: readonly UsageRow[];
  /** Agents that were out of quota when it was left, and until when. */
  readonly outOfQuota: readonly OutOfQuota[];
  /** What the state is sealed with. */
  readonly seal: Seal | undefined;
  /** What a person should know about how the state came to be, in the language of the project. */
  readonly notes: readonly string[];
  /** The environment of whoever opened it. */
  readonly env: NodeJS.ProcessEnv;
  close(): void;
}

/** What an attempt took that ends with this session's first change. */
function usageOf({ task, number, agent, usage = {}, estimate }: AttemptRow): UsageRow {
  return { task, number, agent, usage, ...(estimate === undefined ? {} : { estimate }) };
}

export interface SessionRequest {
  readonly invocation: Invocation;
  readonly env: NodeJS.ProcessEnv;
  readonly advance: RunPolicy["advance"];
  readonly only?: readonly string[] | undefined;
  readonly force?: string | undefined;
  readonly trustBoxes?: boolean;
  /** The state is believed as it stands. */
  readonly trustState?: boolean;
  readonly adopt?: boolean;
  readonly keepClaims?: boolean;
  /** Attempts that go on on other machines are gone on with. */
  readonly takesUp?: boolean;
  /** Every command will be approved before anything starts. */
  readonly approves?: boolean;
  /** Begins a new run with what a checkpoint says. */
  readonly from?: CheckpointOrigin | undefined;
  /** The repository its tasks are worked in, where that is known already. */
  readonly repository?: Repository | undefined;
  /** All tasks work in one folder. */
  readonly isOneFolder?: boolean;
  /** How long another process is waited for, in milliseconds. */
  readonly waitMs?: number;
}

/** Whose landed work is looked for, in which run, and by what it is believed. */
interface LandedLook {
  readonly dead: readonly AttemptRow[];
  readonly begun: Invocation;
  readonly seal: Seal | undefined;
}

/** What the repository knows of landed work, that of dead attempts above all; nothing where there is none. */
async function landedIn(
  project: Project,
  file: TaskPath,
  { repository: known, env }: SessionRequest,
  { dead, begun, seal }: LandedLook,
): Promise<readonly LandedAttempt[]> {
  // Whoever closes the attempts of a dead process has to know what became of their work.
  const repository = known ?? (await projectRepository(project, file, env));
  if (repository !== undefined)
    return landedAttempts(repository, targetBranch(project, repository, begun), dead, seal);
  const landing = dead.find(({ folder }) => folder !== undefined);
  if (landing === undefined) return [];
  // Its branches were switched off meanwhile, or git is not to be found.
  const before = await repositoryAround(project, file, env);
  if (before === undefined) throw cannotAsk(project, landing);
  return landedAttempts(before, targetBranch(project, before, begun), dead, seal);
}

/** Attempts that live without their process: a hub has their orders, and nothing of them was proved here yet. */
async function livingElsewhere(project: Project, left: readonly AttemptRow[]): Promise<ReadonlySet<string>> {
  const folder = awayFolder(project.stateDir);
  if (left.length === 0 || !existsSync(folder)) return new Set();
  const { openAwayBook } = await import("../../adapters/fleet/away-book.ts");
  const book = openAwayBook(folder);
  const living = left.filter(({ token, commit }) => commit === undefined && book.has(token));
  return new Set(living.map(({ token }) => token));
}

function feedbackOf(begun: Beginning, store: SqliteStore): Map<string, string> {
  const feedback = new Map<string, string>();
  for (const state of begun.run.tasks) {
    if (state.retries === 0 || state.status === "completed") continue;
    const rows = store.attempts(begun.runId, state.task.id);
    const last = rows.ok ? rows.value.findLast(row => row.feedback !== "") : undefined;
    if (last !== undefined) feedback.set(state.task.id, last.feedback);
  }
  return feedback;
}

/** Work of tasks that go on which was proved and did not come home, as their last attempts have kept it. */
function keptOf(begun: Beginning, store: SqliteStore): readonly AttemptRow[] {
  const open = begun.run.tasks.filter(({ attempts, status }) => attempts > 0 && status !== "completed");
  return open.flatMap(({ task }) => {
    const rows = store.attempts(begun.runId, task.id);
    const last = rows.ok ? rows.value.at(-1) : undefined;
    return last !== undefined && last.endedAt > 0 && keptWork(last) !== undefined ? [last] : [];
  });
}

/**
 * Takes the lock, opens or recovers the state, ends what an earlier process left running, and restores the run or
 * begins one. Throws EspalierError; nothing stays open then.
 */
export async function openSession(
  project: Project,
  file: TaskPath,
  given: PlanFile,
  request: SessionRequest,
): Promise<Session> {
  const { waitMs } = request;
  // Before there is a folder: what another project of the repository commits just then would have it in it.
  excludeFromGit(project.root, project.stateDir);
  const locked = acquireLock(project.stateDir, {
    version: VERSION,
    ...(waitMs === undefined ? {} : { waitMs }),
  });
  if (!locked.ok) throw lockError(locked.failure);
  const lock = locked.value;
  let store: SqliteStore | undefined;
  let sealing: (Sealing & { close(): void }) | undefined;
  try {
    const trust = request.trustState === true;
    const sealed = projectSealing(project, request.env, trust || request.adopt === true);
    sealing = sealed.sealing;
    const opened = openState(project.stateDir, {
      project: project.root,
      now: SYSTEM_CLOCK.now(),
      sealing,
      trust,
      ...(request.adopt === true ? { adopt: true } : {}),
    });
    if (!opened.ok) throw openError(opened.failure);
    store = opened.value.store;
    tidyBeside(file);
    const epoch = store.claimEpoch();
    if (!epoch.ok) throw storeError(epoch.failure);
    const loaded = store.load();
    if (!loaded.ok) throw storeError(loaded.failure);
    const stored = loaded.value;
    // The agents of a lead are its own.
    const ours = (stored?.openAttempts ?? []).filter(attempt => attempt.agent !== LEAD);
    // What runs for a hub belongs to its worker, though that may be this machine.
    const living = await livingElsewhere(project, ours);
    const here = ours.filter(({ token }) => !living.has(token));
    // Another clone may work on the same attempts, where the run was taken over.
    const marks = here.flatMap(attemptTokens).map(attemptMarker);
    if (marks.length > 0) await sweep(marks, undefined, undefined, placeMarker(project.stateDir));
    const { repository } = request;
    const storedPlan = stored === undefined ? undefined : readStoredPlan(stored.run.plan);
    const had = storedPlan?.invocation ?? {};
    const { from } = request;
    const isSame = stored !== undefined && isRunOf(project.root, stored.run, file.display, given.plan);
    const goesOn = isSame && from === undefined;
    if (goesOn && repository === undefined) requireTarget(project, had, request.isOneFolder);
    const target = await targetFromHere(repository, goesOn ? had : {}, stored?.run.state === "completed");
    const found =
      stored === undefined || repository === undefined
        ? undefined
        : await findRepository(repository, store, stored);

    const { imported } = opened.value;
    const isLost = opened.value.isLost || isStateLost(project);
    // Anybody who writes to the repository makes such commits: they prove nothing against what is remembered.
    const canProve = !opened.value.isLost && sealing !== undefined;
    const legacy = opened.value.isLost ? undefined : legacyClaims(project);
    const claims = from ?? (imported === undefined ? legacy : importedFrom(project, imported));
    const fresh = stored === undefined;
    const mustLook = ours.length > 0 || (fresh && claims === undefined && isLost && canProve);
    const landed = mustLook
      ? await believedAttempts(
          seal => landedIn(project, file, request, { dead: ours, begun: had, seal }),
          ours,
          {
            seal: sealing?.seal,
            home: projectHome(request.env, project.stateDir),
            // What landed elsewhere carries the seal of that place, and is believed as its state is.
            believes: trust || (request.adopt === true && stored !== undefined),
          },
        )
      : [];
    const proven =
      fresh && claims === undefined
        ? requireTrust(
            { isLost, isKept: isDamageKept(project) },
            given,
            request.trustBoxes === true,
            canProve ? landed : [],
          )
        : undefined;
    // Research that workers asked for stands in no file: the run's own plan has it.
    const before = isSame ? storedPlan?.plan : undefined;
    const plan: PlanFile = { ...given, plan: carryAsked(given.plan, before) };
    const told = stored === undefined ? undefined : recall(store, stored.run.id);
    const begun = beginning(stored, {
      file,
      isSame,
      plan,
      policyOf: invocation => policyOf(project.config, invocation, request.advance, request.isOneFolder),
      invocation: before => mergeInvocations({ ...before, target }, request.invocation),
      only: request.only === undefined ? undefined : new Set(request.only),
      force: request.force,
      isFrozen: invocation => (invocation.plan ?? project.config.plan) === "frozen",
      keepClaims: request.keepClaims === true,
      outlives: (attempt, invocation) =>
        request.takesUp === true && isElsewhere(invocation) && living.has(attempt.token),
      approves: request.approves === true,
      imported: claims?.rows ?? proven?.rows,
      landed: new Map(landed.map(one => [one.attempt, one])),
      unreadable: found?.unreadable,
      conflicts: told?.conflicts ?? [],
      origin: from?.event,
      now: SYSTEM_CLOCK.now(),
    });
    checkOnly(begun.run, request.only);
    checkForced(begun.run, request.force);
    const unread = unreadSettings(project.root);
    return {
      ...begun,
      notes: [
        ...opened.value.report,
        ...(found?.notes ?? []),
        ...(sealed.note === undefined ? [] : [sealed.note]),
        ...((fresh || from !== undefined) && claims !== undefined ? [claims.note] : []),
        ...(proven === undefined ? [] : [proven.note]),
        ...begun.notes,
        ...(unread === undefined ? [] : [unread]),
      ].map(note => reasonText(note, project.locale)),
      project,
      file,
      plan,
      store,
      epoch: epoch.value,
      lock,
      facts: {
        startedAt: begun.startedAt,
        file: file.display,
        planHash: plan.hash,
        planJson: storedPlanJson(plan.plan, begun.invocation),
        leadTokens: begun.leadTokens,
      },
      feedback: feedbackOf(begun, store),
      kept: keptOf(begun, store),
      outOfQuota: told?.outOfQuota ?? [],
      env: request.env,
      seal: sealing?.seal,
      usage: stored?.run.id === begun.runId ? [...stored.usage, ...begun.crashed.map(usageOf)] : [],
      close() {
        tidyBeside(file);
        opened.value.store.close();
        sealing?.close();
        lock.release();
      },
    };
  } catch (error) {
    store?.close();
    sealing?.close();
    lock.release();
    throw error;
  }
}
