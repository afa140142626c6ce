import { join } from "node:path";
import {
  because,
  type Landed,
  type LandRequest,
  ok,
  type Result,
  type Vcs,
  type VcsFailure,
} from "../../ports/index.ts";
import { candidateWorkspace, clearCandidates } from "./candidate.ts";
import { generator, tellGenerated } from "./generate.ts";
import { holdLanded, holdTarget } from "./hold-landed.ts";
import { featureIn, phaseNames, taskNames } from "./names.ts";
import { openAsLeft, prepareAgain, readiness, takeOut, workedIn } from "./opening.ts";
import { endPhase } from "./phase-end.ts";
import { catchUp, landInPhase, workspaceOf } from "./phase-folder.ts";
import {
  ignoredIn,
  isMain,
  laneOf,
  leaveWorkspace,
  listed,
  type PhaseWorkspace,
  tellLeft,
  tellRescued,
  textsOf,
  type WorkspaceRules,
  type WorkspaceState,
} from "./state.ts";
import { tellStrayed } from "./strayed.ts";
import type { StopSignals, Workspace, WorkspaceRequest, Workspaces } from "./types.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

function createState(
  vcs: Vcs,
  rules: WorkspaceRules,
  own: Set<string>,
  cleaning: Set<Promise<unknown>>,
  stop: StopSignals,
): WorkspaceState {
  const features = new Map<string, string>();
  const state: WorkspaceState = {
    vcs,
    rules,
    stop,
    own,
    phases: new Map(),
    left: new Map(),
    told: new Set(),
    began: new Map(),
    home: rules.home,
    lost: undefined,
    lanes: new Map(),
    cwdIn: path => join(path, rules.prefix),
    nameOf({ label, title, feature }) {
      // A title that was edited since the branch was made must not lead to another branch.
      const known = [...own]
        .map(branch => featureIn(rules.names, label, branch))
        .find(one => one !== undefined);
      const chosen = features.get(label) ?? known ?? feature ?? (title === "" ? "work" : title);
      features.set(label, chosen);
      return { label, feature: chosen };
    },
    async clear(workspace, unlessOf) {
      const task = workspace.leftover;
      if (task === undefined || task === unlessOf) return ok(undefined);
      const { branch } = taskNames(rules.names, workspace.name, task);
      const aside = await vcs.setAside(workspace.folder, branch);
      if (!aside.ok) return aside;
      workspace.leftover = undefined;
      if (aside.value.branch === undefined) return ok(undefined);
      own.add(aside.value.branch);
      rules.tell(
        "SET_ASIDE",
        because("work-set-aside", { branch: aside.value.branch, why: "unfinished" }),
        task,
      );
      const { files } = aside.value;
      if (files !== undefined) rules.tell("RESCUED", because("files-rescued", { path: files }), task);
      return ok(undefined);
    },
    later(work) {
      const done: Promise<unknown> = work
        .catch(() => {})
        .then(() => {
          cleaning.delete(done);
        });
      cleaning.add(done);
    },
  };
  return state;
}

/** The main checkout as a workspace, which one project at a time works in. */
async function mainWorkspace(state: WorkspaceState, request: WorkspaceRequest): Answer<Workspace> {
  const { rules, stop } = state;
  const { task, stop: { cancel } = stop } = request;
  const taken = await rules.takeCheckout?.(task, AbortSignal.any([cancel, stop.cancel]));
  if (taken?.ok === false) return taken;
  const giveBack = taken?.value ?? (() => {});
  const opened = await openMain(state, request);
  if (!opened.ok) {
    giveBack();
    return opened;
  }
  const { leave } = opened.value;
  return ok({ ...opened.value, leave: () => leave().finally(giveBack) });
}

/** Committed to, and put back to how it was where the work does not come home. */
async function openMain(state: WorkspaceState, request: WorkspaceRequest): Answer<Workspace> {
  const { vcs, rules } = state;
  const { top } = rules.names;
  const { task } = request;
  const names = taskNames(rules.names, state.nameOf(request.phase), task);
  const where = { branch: rules.target, path: top, from: rules.target, claimant: task };
  const stands = await holdTarget(state, task);
  const held = stands.ok ? await holdLanded(state, state.home, task) : stands;
  const opened = held.ok ? await openAsLeft(state, where, request, names.branch) : held;
  if (!opened.ok) return opened;
  const { folder, left: here, ...found } = opened.value;
  state.home = folder.base;
  if (request.startedAt !== undefined && !state.began.has(task)) state.began.set(task, request.startedAt);
  // What was taken out when the attempt before ended is not there any more.
  const left = here?.kind === "none" ? (state.left.get(task) ?? here) : (here ?? state.left.get(task));
  let isHome = false;
  return ok({
    ...found,
    ...(left === undefined ? {} : { left }),
    cwd: state.cwdIn(top),
    branch: rules.target,
    base: folder.base,
    linked: false,
    landed: state.cwdIn(top),
    seal: () => vcs.snapshot(folder),
    ignored: () => ignoredIn(vcs, folder, state.began.get(task)),
    ...textsOf(vcs),
    tidy: async () => ok(undefined),
    keepProved: (tree, by) => vcs.noteProved(folder, tree, by),
    async land(tree, by, { verify, stop }) {
      // A person may have committed since it was proved.
      const check: Pick<LandRequest, "verify"> =
        verify === undefined ? {} : { verify: (path, others) => verify(state.cwdIn(path), others) };
      const isEnded = () => stop.cancel.aborted;
      const request = { folder, tree, by, into: folder, how: rules.landing, isEnded, ...check };
      const landed = await vcs.land(request);
      isHome = landed.ok && landed.value.kind === "landed";
      if (landed.ok && landed.value.kind === "landed") state.home = landed.value.commit;
      return landed;
    },
    setAside: async () => ok(undefined),
    async leave() {
      if (!isHome && request.goesOn !== true) {
        const stands = await holdTarget(state, task);
        if (!stands.ok) return stands;
        // Whoever works there next would commit it.
        const aside = await vcs.setAside(folder, names.branch);
        if (!aside.ok) return aside;
        const { branch: ref, files } = aside.value;
        if (ref !== undefined) {
          state.left.set(task, { kind: "kept", ref });
          tellLeft(rules, { ref, ...(files === undefined ? {} : { files }) }, task);
        }
        // What cannot be brought back is told, and the next task there waits.
        await holdLanded(state, state.home, task);
      }
      return leaveWorkspace(state, task);
    },
  });
}

/** A phase's own folder, for a task that has it to itself. */
async function loneWorkspace(
  state: WorkspaceState,
  phase: PhaseWorkspace,
  request: WorkspaceRequest,
): Answer<Workspace> {
  const { vcs, rules } = state;
  const { task } = request;
  const left = Promise.withResolvers<void>();
  phase.occupant = { task, left: left.promise };
  const give = () => {
    if (phase.occupant?.left === left.promise) phase.occupant = undefined;
    left.resolve();
  };
  const cleared = await state.clear(phase, task);
  const keepAs = phase.leftover === task ? taskNames(rules.names, phase.name, task).branch : undefined;
  const { target } = rules;
  const inserts = listed(rules);
  const where = {
    ...phase.names,
    from: target,
    holds: target,
    inserts,
    ...readiness(state),
    claimant: task,
  };
  const opened = cleared.ok ? await openAsLeft(state, where, request, keepAs) : cleared;
  if (!opened.ok) {
    give();
    return opened;
  }
  const { folder, ...found } = opened.value;
  phase.folder = folder;
  phase.leftover = task;
  return ok({
    ...found,
    ...workedIn(state, folder, request),
    landed: state.cwdIn(folder.path),
    async land(tree, by) {
      const how = rules.landing;
      const landed = await vcs.land({ folder, tree, by, into: folder, how });
      if (landed.ok && landed.value.kind === "landed") {
        phase.folder = { ...folder, base: landed.value.commit };
        phase.leftover = undefined;
      }
      return landed;
    },
    setAside: () => takeOut(state, where, request, taskNames(rules.names, phase.name, task).branch),
    leave() {
      give();
      return leaveWorkspace(state, task, folder);
    },
  });
}

/** Tells when work has no more to wait for its turn: by force, or once it was ended and nobody wants it any more. */
function ended({ cancel, kill }: StopSignals, isWanted: () => boolean): AbortSignal {
  const end = new AbortController();
  const look = () => {
    if (kill.aborted || (cancel.aborted && !isWanted())) end.abort();
  };
  for (const signal of [cancel, kill]) signal.addEventListener("abort", look, { once: true });
  look();
  return end.signal;
}

/** A folder of the task's own, off the phase's branch. */
async function ownWorkspace(
  state: WorkspaceState,
  phase: PhaseWorkspace,
  request: WorkspaceRequest,
): Answer<Workspace> {
  const { vcs, rules } = state;
  const { task } = request;
  const names = taskNames(rules.names, phase.name, task);
  const keepAs = state.own.has(names.branch) ? names.branch : undefined;
  const { target: holds } = rules;
  const inserts = listed(rules);
  const where = { ...names, from: phase.names.branch, holds, inserts, ...readiness(state, request.stop) };
  // What is left of a folder that is never ready is found by its branch.
  state.own.add(names.branch);
  phase.tasks.add(task);
  const opened = await openAsLeft(state, where, request, keepAs);
  if (!opened.ok) return opened;
  const { folder, ...found } = opened.value;
  const lane = laneOf(state, phase);
  const retire = async () => {
    const heldBy = [phase.names.branch, rules.target];
    const gone = await vcs.retire({ ...names, heldBy, deleteBranch: true });
    if (gone.ok && gone.value.kept === undefined) state.own.delete(names.branch);
    tellRescued(rules, gone, task);
  };
  return ok({
    ...found,
    ...workedIn(state, folder, request),
    landed: state.cwdIn(phase.folder.path),
    async land(tree, by, { verify, afresh, isProof, stop, isWanted }) {
      const out = ended(stop, isWanted);
      const land = async (): Answer<Landed> => {
        while (phase.occupant !== undefined) await phase.occupant.left;
        const cleared = await state.clear(phase);
        if (!cleared.ok) return cleared;
        const into = phase.folder;
        const how = rules.landing;
        const check: LandRequest["verify"] =
          verify &&
          (async (path, others) =>
            (await prepareAgain(state, path, stop)) ?? verify(state.cwdIn(path), others));
        const inserts = isProof ? "proved" : listed(rules);
        const generate = generator(rules, task, stop);
        const { path } = into;
        const kept = (branch: string) => rules.tell("RESCUED", because("work-rescued", { branch, path }));
        if (out.aborted || !isWanted()) return ok({ kind: "stopped" });
        const request: LandRequest = {
          folder,
          tree,
          by,
          into,
          how,
          afresh,
          inserts,
          kept,
          generate,
          isEnded: () => stop.cancel.aborted,
          ...(check === undefined ? {} : { verify: check }),
        };
        const landed = await landInPhase(state, phase, request, stop);
        if (landed.ok && landed.value.kind === "landed")
          phase.folder = { ...phase.folder, base: landed.value.commit };
        return landed;
      };
      // Whoever solves a conflict does so on what has landed: that must stand until its work is home.
      const isClash = (landed: Result<Landed, VcsFailure>) => landed.ok && landed.value.kind === "conflict";
      const landed = await lane.pass(task, out, land, isClash);
      if (landed === undefined) return ok({ kind: "stopped" });
      if (!landed.ok) return landed;
      if (landed.value.kind === "landed") {
        tellGenerated(rules, landed.value, task);
        state.later(retire());
      } else if (landed.value.kind !== "stopped" && landed.value.rescued !== undefined) {
        const where = landed.value.rescued;
        rules.tell("SET_ASIDE", because("work-set-aside", { branch: where, why: "conflict" }), task);
      }
      return landed;
    },
    setAside: () => takeOut(state, where, request, names.branch),
    leave: () => leaveWorkspace(state, task, folder),
  });
}

/** Fails where a person has begun a merge, or the like, in the folders that an attempt would work in, and not ended it. */
async function requireEnded(
  state: WorkspaceState,
  { task, phase, isAfterCrash = false }: WorkspaceRequest,
): Answer<void> {
  const { vcs, rules } = state;
  const name = state.nameOf(phase);
  const { path } = phaseNames(rules.names, name);
  if (isAfterCrash) {
    const forgotten = await vcs.forgetUnfinished({ path }, task);
    const own = forgotten.ok ? await vcs.forgetUnfinished(taskNames(rules.names, name, task)) : forgotten;
    if (!own.ok) return own;
  }
  const ended = await vcs.requireEnded(path);
  return ended.ok ? vcs.requireEnded(taskNames(rules.names, name, task).path) : ended;
}

/** Workspaces over a repository. Reads which branches of ours stand. */
export async function createWorkspaces(vcs: Vcs, rules: WorkspaceRules): Answer<Workspaces> {
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return standing;
  const cleaning = new Set<Promise<unknown>>();
  const own = new Set(standing.value.map(one => one.branch));
  const cancel = new AbortController();
  const kill = new AbortController();
  const stop = { cancel: cancel.signal, kill: kill.signal };
  const state = createState(vcs, rules, own, cleaning, stop);
  await tellStrayed({ vcs, rules });
  const idle = async () => {
    while (cleaning.size > 0) await Promise.all(cleaning);
  };
  return ok({
    async open(asked: WorkspaceRequest) {
      const { task, phase: request, alone } = asked;
      if (isMain(request)) return mainWorkspace(state, asked);
      const ended = asked.isTakenUp === true ? ok(undefined) : await requireEnded(state, asked);
      if (!ended.ok) return ended;
      const opened = await workspaceOf(state, request, asked.stop);
      if (!opened.ok) return opened;
      const phase = opened.value;
      if (asked.isTakenUp !== true) await catchUp(state, phase, asked);
      if (asked.candidate !== undefined) return candidateWorkspace(state, phase, asked, asked.candidate);
      await clearCandidates(state, phase.name, task);
      const hasOwn = own.has(taskNames(rules.names, phase.name, task).branch);
      if (alone && !hasOwn && phase.occupant === undefined) return loneWorkspace(state, phase, asked);
      // What it has left in the phase's folder comes along.
      const moved =
        asked.goesOn === true && phase.leftover === task && phase.occupant === undefined
          ? await state.clear(phase)
          : ok(undefined);
      return moved.ok ? ownWorkspace(state, phase, asked) : moved;
    },
    async endPhase(request) {
      await idle();
      return endPhase(state, request);
    },
    clear: ({ task, phase }) => clearCandidates(state, state.nameOf(phase), task),
    giveUp(task) {
      for (const lane of state.lanes.values()) lane.giveUp(task);
    },
    stop(how) {
      cancel.abort();
      if (how === "hard") kill.abort();
    },
    inspect: () => vcs.inspect(),
    idle,
  });
}
