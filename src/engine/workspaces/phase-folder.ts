import {
  because,
  few,
  type Landed,
  type LandRequest,
  ok,
  type Reason,
  type Result,
  type VcsFailure,
} from "../../ports/index.ts";
import { phaseNames } from "./names.ts";
import { openFolder, readiness } from "./opening.ts";
import { createSharedStop } from "./shared-stop.ts";
import { laneOf, listed, type PhaseWorkspace, type WorkspaceState } from "./state.ts";
import type { PhaseRequest, StopSignals, WorkspaceRequest } from "./types.ts";
import { vcsReason } from "./vcs-reason.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Where a phase's branch begins. */
interface Beginning {
  readonly from: string;
  /** Whether that is a branch of a phase that the plan has no more. */
  readonly isFormer: boolean;
}

/**
 * The branch a phase begins at: the last earlier phase that has not reached the target, one that has left the plan included, else the
 * target.
 */
async function beginning(state: WorkspaceState, phase: PhaseRequest): Answer<Beginning> {
  const { vcs, rules } = state;
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return standing;
  const held = new Map(standing.value.map(one => [one.branch, one.held]));
  const earlier = phase.before.map(one => phaseNames(rules.names, state.nameOf(one)).branch);
  const last = earlier.findLast(branch => held.has(branch));
  if (last !== undefined && held.get(last) === false) return ok({ from: last, isFormer: false });
  const former = (await rules.former?.(standing.value)) ?? ok([]);
  if (!former.ok) return former;
  const [from] = former.value;
  return ok({ from: from ?? rules.target, isFormer: from !== undefined });
}

async function openPhase(
  state: WorkspaceState,
  phase: PhaseRequest,
  stop: StopSignals,
): Answer<PhaseWorkspace> {
  const { rules, own } = state;
  const name = state.nameOf(phase);
  const names = phaseNames(rules.names, name);
  const isNew = !own.has(names.branch);
  const begins = isNew ? await beginning(state, phase) : ok({ from: rules.target, isFormer: false });
  if (!begins.ok) return begins;
  const { from, isFormer } = begins.value;
  const folder = await openFolder(state, { ...names, from, ...readiness(state, stop) });
  if (!folder.ok) return folder;
  own.add(names.branch);
  if (isFormer)
    rules.tell("FORMER_PHASE", because("phase-begins-at-former", { branch: names.branch, former: from }));
  const leftover = folder.value.claimant;
  // The target may have come further than that one.
  const caughtUp = isNew && !isFormer ? Promise.resolve(true) : undefined;
  const opened = { names, name, folder: folder.value, occupant: undefined, leftover };
  return ok({ ...opened, caughtUp, behind: undefined, tasks: new Set() });
}

/** Tells why a phase is not up to the target, unless that was told already. */
function tellBehind(state: WorkspaceState, phase: PhaseWorkspace, why: Reason): false {
  const told = JSON.stringify(why);
  if (phase.behind !== told) state.rules.tell("NOT_UP_TO_DATE", why);
  phase.behind = told;
  return false;
}

/** Brings a phase's branch up to the target, tells what came of that, and returns whether it is. */
async function bringUp(state: WorkspaceState, phase: PhaseWorkspace): Promise<boolean> {
  const { vcs, rules } = state;
  const { branch, path } = phase.names;
  const { target } = rules;
  let brought = await vcs.bringUp(phase.folder, target, listed(rules));
  if (brought.ok && brought.value.kind === "conflict" && phase.leftover !== undefined) {
    // What a task left open is that task's to join, on a branch of its own; for what landed, a person needs the folder without it.
    phase.folder = { ...phase.folder, base: brought.value.base };
    const cleared = await state.clear(phase);
    brought = cleared.ok ? await vcs.bringUp(phase.folder, target, listed(rules)) : cleared;
  }
  if (!brought.ok) {
    const why = vcsReason(brought.failure);
    return tellBehind(state, phase, because("phase-not-brought", { branch, target, why }));
  }
  if (brought.value.kind === "current") return true;
  phase.folder = { ...phase.folder, base: brought.value.base };
  if (brought.value.kind === "conflict") {
    const paths = few(brought.value.paths);
    return tellBehind(state, phase, because("phase-behind", { branch, target, paths, path }));
  }
  rules.tell("UP_TO_DATE", because("phase-brought-up", { branch, target }));
  const { lists = [] } = brought.value;
  if (lists.length > 0)
    rules.tell(
      "BRANCH_JOINED",
      because("branch-joined", { branch: target, into: branch, files: few(lists) }),
    );
  return true;
}

function tellOccupied(state: WorkspaceState, phase: PhaseWorkspace, task: string): void {
  const { branch } = phase.names;
  tellBehind(state, phase, because("phase-occupied", { branch, target: state.rules.target, task }));
}

/** Looks at a phase that an earlier process had begun: what others have made there, and what has become of the target since. */
async function goOnWith(state: WorkspaceState, phase: PhaseWorkspace): Promise<boolean> {
  const { vcs, rules } = state;
  const { branch, path } = phase.names;
  const stood = phase.leftover === undefined ? await vcs.standOnTip(phase.folder) : undefined;
  if (stood?.ok === false) {
    const why = vcsReason(stood.failure);
    return tellBehind(state, phase, because("phase-not-brought", { branch, target: rules.target, why }));
  }
  if (stood?.ok === true) {
    phase.folder = { ...phase.folder, base: stood.value.base };
    const { branch: rescue } = stood.value;
    if (rescue !== undefined) rules.tell("RESCUED", because("work-rescued", { path, branch: rescue }));
  }
  return bringUp(state, phase);
}

/** Resolves once nobody works in a phase's own folder; false when `end` came first. */
async function isVacant(state: WorkspaceState, phase: PhaseWorkspace, end: AbortSignal): Promise<boolean> {
  const ended = Promise.withResolvers<void>();
  end.addEventListener("abort", () => ended.resolve(), { once: true });
  while (phase.occupant !== undefined && !end.aborted) {
    const { task, left } = phase.occupant;
    tellOccupied(state, phase, task);
    await Promise.race([left, ended.promise]);
  }
  return !end.aborted;
}

/**
 * Before anybody works in a phase that an earlier process had begun: what a person has committed to the target since belongs to
 * what the work is made on and proved by. So does what they have committed when they have a task go on. Where that failed it is
 * tried again whenever nobody is in the way.
 */
export async function catchUp(
  state: WorkspaceState,
  phase: PhaseWorkspace,
  { task, isRenewed = false, stop = state.stop }: Pick<WorkspaceRequest, "task" | "isRenewed" | "stop">,
): Promise<void> {
  const isFirst = phase.caughtUp === undefined;
  phase.caughtUp ??= goOnWith(state, phase);
  const isUp = await phase.caughtUp;
  const lane = laneOf(state, phase);
  // Whoever solves a conflict does so on what has landed: that stands until it is through.
  if (isFirst || (isUp && !isRenewed) || lane.holder === task) return;
  const held = await state.vcs.holds(phase.names.branch, state.rules.target);
  const isInTheWay = phase.occupant !== undefined || !lane.isFree;
  if ((held.ok && held.value) || (isInTheWay && !isRenewed)) return;
  if (isRenewed) phase.behind = undefined;
  if (lane.holder !== undefined) tellOccupied(state, phase, lane.holder);
  const end = AbortSignal.any([state.stop.cancel, stop.cancel]);
  const again = async () => {
    if (!(await isVacant(state, phase, end))) return;
    phase.caughtUp = bringUp(state, phase);
    await phase.caughtUp;
  };
  await lane.pass(task, end, again, () => false);
}

/** Lands work in a phase's folder, which is made again where somebody has removed it. */
export async function landInPhase(
  state: WorkspaceState,
  phase: PhaseWorkspace,
  request: LandRequest,
  stop: StopSignals,
): Answer<Landed> {
  const { vcs, rules } = state;
  const { names } = phase;
  const landed = await vcs.land(request);
  if (landed.ok || landed.failure.reason.code !== "worktree-missing") return landed;
  if (landed.failure.reason.args.path !== names.path) return landed;
  const made = await openFolder(state, { ...names, from: rules.target, ...readiness(state, stop) });
  if (!made.ok) return made;
  phase.folder = made.value;
  return vcs.land({ ...request, into: phase.folder });
}

/** The phase's workspace: made where it is not there, once for all who ask, for as long as one of them waits for it. */
export async function workspaceOf(
  state: WorkspaceState,
  phase: PhaseRequest,
  stop: StopSignals = state.stop,
): Answer<PhaseWorkspace> {
  const { label } = phase;
  let opening = state.phases.get(label);
  if (opening === undefined) {
    const ends = createSharedStop();
    const opened = openPhase(state, phase, ends.signals).then(done => {
      if (!done.ok) state.phases.delete(label);
      return done;
    });
    opening = { opened, ends };
    state.phases.set(label, opening);
  }
  const { opened, ends } = opening;
  ends.join(stop);
  const done = await opened;
  // Those who waited for it before were ended, and so was what they waited for.
  const isTooLate = !done.ok && ends.signals.cancel.aborted && !stop.cancel.aborted;
  return isTooLate ? workspaceOf(state, phase, stop) : done;
}
