import { because, few, ok, type Result, type VcsFailure } from "../../ports/index.ts";
import { phaseNames } from "./names.ts";
import { openFolder, readiness } from "./opening.ts";
import { createSharedStop } from "./shared-stop.ts";
import type { PhaseWorkspace, WorkspaceState } from "./state.ts";
import type { PhaseRequest, StopSignals } from "./types.ts";
import { vcsReason } from "./vcs-reason.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** The branch a phase begins at: the last earlier phase that has not reached the target, else the target. */
async function beginning(state: WorkspaceState, phase: PhaseRequest): Answer<string> {
  const { vcs, rules } = state;
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return standing;
  const held = new Map(standing.value.map(one => [one.branch, one.held]));
  for (const earlier of phase.before.toReversed()) {
    const { branch } = phaseNames(rules.names, state.nameOf(earlier));
    if (held.has(branch)) return ok(held.get(branch) === true ? rules.target : branch);
  }
  return ok(rules.target);
}

async function openPhase(
  state: WorkspaceState,
  phase: PhaseRequest,
  stop: StopSignals,
): Answer<PhaseWorkspace> {
  const { rules, own } = state;
  const name = state.nameOf(phase);
  const names = phaseNames(rules.names, name);
  const from = own.has(names.branch) ? ok(rules.target) : await beginning(state, phase);
  if (!from.ok) return from;
  const folder = await openFolder(state, { ...names, from: from.value, ...readiness(state, stop) });
  if (!folder.ok) return folder;
  const isNew = !own.has(names.branch);
  own.add(names.branch);
  const leftover = folder.value.claimant;
  const caughtUp = isNew ? Promise.resolve() : undefined;
  const opened = { names, name, folder: folder.value, occupant: undefined, leftover };
  return ok({ ...opened, caughtUp, tasks: new Set() });
}

/** Brings a phase's branch up to the target, and tells what came of that. */
async function bringUp(state: WorkspaceState, phase: PhaseWorkspace): Promise<void> {
  const { vcs, rules } = state;
  const { branch, path } = phase.names;
  const { target } = rules;
  let brought = await vcs.bringUp(phase.folder, target);
  if (brought.ok && brought.value.kind === "conflict" && phase.leftover !== undefined) {
    // What a task left open is that task's to join, on a branch of its own; for what landed, a person needs the folder without it.
    phase.folder = { ...phase.folder, base: brought.value.base };
    const cleared = await state.clear(phase);
    brought = cleared.ok ? await vcs.bringUp(phase.folder, target) : cleared;
  }
  if (!brought.ok) rules.tell("NOT_UP_TO_DATE", vcsReason(brought.failure));
  else if (brought.value.kind === "conflict") {
    const paths = few(brought.value.paths);
    phase.folder = { ...phase.folder, base: brought.value.base };
    rules.tell("NOT_UP_TO_DATE", because("phase-behind", { branch, target, paths, path }));
  } else if (brought.value.kind === "brought") {
    phase.folder = { ...phase.folder, base: brought.value.base };
    rules.tell("UP_TO_DATE", because("phase-brought-up", { branch, target }));
  }
}

/**
 * Before anybody works in a phase that an earlier process had begun: what a person has committed to the target since belongs to
 * what the work is made on and proved by.
 */
export async function catchUp(state: WorkspaceState, phase: PhaseWorkspace): Promise<void> {
  phase.caughtUp ??= bringUp(state, phase);
  await phase.caughtUp;
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
