import { join } from "node:path";
import {
  type FolderRequest,
  ok,
  type Result,
  type Vcs,
  type VcsFailure,
  type WorkFolder,
} from "../../ports/index.ts";
import { featureIn, type NameRules, type Names, type PhaseName, phaseNames, taskNames } from "./names.ts";
import { endPhase } from "./phase-end.ts";
import type { Ground, GroundRequest, Grounds, PhaseRequest } from "./types.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** How a repository is worked in. */
export interface GroundRules {
  readonly names: NameRules;
  /** The project's folder below the checkout's top; empty for the top itself. */
  readonly prefix: string;
  /** The branch that finished phases are merged into. */
  readonly target: string;
  readonly landing: "rebase" | "merge";
  readonly merge: "auto" | "ask" | "never";
  readonly branches: "delete" | "keep";
  /** Repository paths of what Espalier itself writes there, committed at phase ends. */
  readonly ownFiles: readonly string[];
  /** Makes a new worktree fit to work in; says why that failed. Undefined where nothing has to be done. */
  readonly prepare: ((path: string) => Promise<string | undefined>) | undefined;
  /** Tells what a person should know. */
  readonly tell: (code: string, message: string, task?: string) => void;
}

/** One phase's branch and folder, and who is in it. */
export interface PhaseGround {
  readonly names: Names;
  readonly name: PhaseName;
  /** Its base moves with every landing. */
  folder: WorkFolder;
  /** A lone task that works in it. */
  occupant: { readonly task: string; readonly left: Promise<void> } | undefined;
  /** The task whose unlanded work may still stand in it. */
  leftover: string | undefined;
}

/** What `endPhase` and the attempts share. */
export interface Yard {
  readonly vcs: Vcs;
  readonly rules: GroundRules;
  /** Branches of ours that stand. */
  readonly own: Set<string>;
  readonly phases: Map<string, Promise<Result<PhaseGround, VcsFailure>>>;
  /** The folder below a checkout that stands for the project. */
  cwdIn(path: string): string;
  nameOf(phase: Omit<PhaseRequest, "before">): PhaseName;
  /** The phase's ground; made where it is not there. */
  groundOf(phase: PhaseRequest): Answer<PhaseGround>;
  /** Takes unlanded work of another task out of a phase's folder. */
  clear(ground: PhaseGround, unlessOf?: string): Answer<void>;
  /** Does something later, without anybody waiting for it. */
  later(work: Promise<unknown>): void;
}

/** Phase 0 works in the main checkout. */
export function isMain(phase: Pick<PhaseRequest, "label">): boolean {
  return phase.label === "0";
}

/** The branch a phase begins at: the last earlier phase that has not reached the target, else the target. */
async function beginning(yard: Yard, phase: PhaseRequest): Answer<string> {
  const { vcs, rules } = yard;
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return standing;
  const held = new Map(standing.value.map(one => [one.branch, one.held]));
  for (const earlier of phase.before.toReversed()) {
    const { branch } = phaseNames(rules.names, yard.nameOf(earlier));
    if (held.has(branch)) return ok(held.get(branch) === true ? rules.target : branch);
  }
  return ok(rules.target);
}

function readiness({ prepare }: GroundRules): Pick<FolderRequest, "prepare"> {
  return prepare === undefined ? {} : { prepare };
}

async function openPhase(yard: Yard, phase: PhaseRequest): Answer<PhaseGround> {
  const { vcs, rules, own } = yard;
  const name = yard.nameOf(phase);
  const names = phaseNames(rules.names, name);
  const from = own.has(names.branch) ? ok(rules.target) : await beginning(yard, phase);
  if (!from.ok) return from;
  const folder = await vcs.open({ ...names, from: from.value, ...readiness(rules) });
  if (!folder.ok) return folder;
  own.add(names.branch);
  return ok({ names, name, folder: folder.value, occupant: undefined, leftover: folder.value.claimant });
}

function createYard(vcs: Vcs, rules: GroundRules, own: Set<string>, cleaning: Set<Promise<unknown>>): Yard {
  const features = new Map<string, string>();
  const yard: Yard = {
    vcs,
    rules,
    own,
    phases: new Map(),
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
    groundOf(phase) {
      const open = yard.phases.get(phase.label);
      if (open !== undefined) return open;
      const opening = openPhase(yard, phase).then(opened => {
        if (!opened.ok) yard.phases.delete(phase.label);
        return opened;
      });
      yard.phases.set(phase.label, opening);
      return opening;
    },
    async clear(ground, unlessOf) {
      const task = ground.leftover;
      if (task === undefined || task === unlessOf) return ok(undefined);
      const { branch } = taskNames(rules.names, ground.name, task);
      const aside = await vcs.setAside(ground.folder, branch);
      if (!aside.ok) return aside;
      ground.leftover = undefined;
      if (aside.value.branch === undefined) return ok(undefined);
      own.add(aside.value.branch);
      rules.tell("SET_ASIDE", `unfinished work was moved to branch ${aside.value.branch}`, task);
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
  return yard;
}

/** The main checkout as a ground: committed to, never cleaned. */
async function mainGround(yard: Yard): Answer<Ground> {
  const { vcs, rules } = yard;
  const { top } = rules.names;
  const opened = await vcs.open({ branch: rules.target, path: top, from: rules.target });
  if (!opened.ok) return opened;
  const folder = opened.value;
  return ok({
    cwd: yard.cwdIn(top),
    branch: rules.target,
    base: folder.base,
    linked: false,
    landed: yard.cwdIn(top),
    seal: () => vcs.snapshot(folder),
    tidy: async () => ok(undefined),
    land: (tree, by) => vcs.land({ folder, tree, by, into: folder, how: rules.landing }),
    leave: () => vcs.inspect(),
  });
}

/** A phase's own folder, for a task that has it to itself. */
async function loneGround(yard: Yard, phase: PhaseGround, task: string): Answer<Ground> {
  const { vcs, rules } = yard;
  const left = Promise.withResolvers<void>();
  phase.occupant = { task, left: left.promise };
  const give = () => {
    if (phase.occupant?.left === left.promise) phase.occupant = undefined;
    left.resolve();
  };
  const cleared = await yard.clear(phase, task);
  const opened = cleared.ok
    ? await vcs.open({ ...phase.names, from: rules.target, ...readiness(rules), claimant: task })
    : cleared;
  if (!opened.ok) {
    give();
    return opened;
  }
  const folder = opened.value;
  phase.folder = folder;
  phase.leftover = task;
  return ok({
    cwd: yard.cwdIn(folder.path),
    branch: folder.branch,
    base: folder.base,
    linked: true,
    landed: yard.cwdIn(folder.path),
    seal: () => vcs.snapshot(folder),
    tidy: tree => vcs.restore(folder, tree),
    async land(tree, by) {
      const how = rules.landing;
      const landed = await vcs.land({ folder, tree, by, into: folder, how });
      if (landed.ok && landed.value.kind === "landed") {
        phase.folder = { ...folder, base: landed.value.commit };
        phase.leftover = undefined;
      }
      return landed;
    },
    leave() {
      give();
      return vcs.inspect();
    },
  });
}

/** A folder of the task's own, off the phase's branch. */
async function ownGround(yard: Yard, phase: PhaseGround, task: string): Answer<Ground> {
  const { vcs, rules } = yard;
  const names = taskNames(rules.names, phase.name, task);
  const opened = await vcs.open({ ...names, from: phase.names.branch, ...readiness(rules) });
  if (!opened.ok) return opened;
  const folder = opened.value;
  yard.own.add(names.branch);
  const retire = async () => {
    const heldBy = [phase.names.branch, rules.target];
    const gone = await vcs.retire({ ...names, heldBy, deleteBranch: true });
    if (gone.ok && gone.value.kept === undefined) yard.own.delete(names.branch);
    tellRescued(rules, gone, task);
  };
  return ok({
    cwd: yard.cwdIn(folder.path),
    branch: folder.branch,
    base: folder.base,
    linked: true,
    landed: yard.cwdIn(phase.folder.path),
    seal: () => vcs.snapshot(folder),
    tidy: tree => vcs.restore(folder, tree),
    async land(tree, by, { verify, afresh }) {
      while (phase.occupant !== undefined) await phase.occupant.left;
      const cleared = await yard.clear(phase);
      if (!cleared.ok) return cleared;
      const into = phase.folder;
      const how = rules.landing;
      const check = verify === undefined ? {} : { verify: (path: string) => verify(yard.cwdIn(path)) };
      const landed = await vcs.land({ folder, tree, by, into, how, afresh, ...check });
      if (landed.ok && landed.value.kind === "landed") {
        phase.folder = { ...into, base: landed.value.commit };
        yard.later(retire());
      } else if (landed.ok && landed.value.kind !== "landed" && landed.value.rescued !== undefined) {
        const where = landed.value.rescued;
        rules.tell("SET_ASIDE", `work that did not join was moved to branch ${where}; it is run again`, task);
      }
      return landed;
    },
    leave: () => vcs.inspect(),
  });
}

/** Tells where work went that was saved instead of being removed. */
export function tellRescued(
  rules: Pick<GroundRules, "tell">,
  gone: Awaited<ReturnType<Vcs["retire"]>>,
  task?: string,
): void {
  if (!gone.ok) {
    rules.tell("NOT_CLEARED", gone.failure.message, task);
    return;
  }
  const { branch, files, unmerged, kept } = gone.value;
  if (branch !== undefined) rules.tell("RESCUED", `uncommitted work was saved on branch ${branch}`, task);
  if (unmerged !== undefined)
    rules.tell("NOT_LANDED", `work that has not landed stays on branch ${unmerged}`, task);
  if (files !== undefined) rules.tell("RESCUED", `ignored files were moved to ${files}`, task);
  if (kept !== undefined) rules.tell("NOT_CLEARED", `a worktree stays: ${kept}`, task);
}

/** Grounds over a repository. Reads which branches of ours stand. */
export async function createGrounds(vcs: Vcs, rules: GroundRules): Answer<Grounds> {
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return standing;
  const cleaning = new Set<Promise<unknown>>();
  const own = new Set(standing.value.map(one => one.branch));
  const yard = createYard(vcs, rules, own, cleaning);
  const idle = async () => {
    while (cleaning.size > 0) await Promise.all(cleaning);
  };
  return ok({
    async open({ task, phase: request, alone }: GroundRequest) {
      if (isMain(request)) return mainGround(yard);
      const opened = await yard.groundOf(request);
      if (!opened.ok) return opened;
      const phase = opened.value;
      const hasOwn = own.has(taskNames(rules.names, phase.name, task).branch);
      return alone && !hasOwn && phase.occupant === undefined
        ? loneGround(yard, phase, task)
        : ownGround(yard, phase, task);
    },
    async endPhase(request) {
      await idle();
      return endPhase(yard, request);
    },
    inspect: () => vcs.inspect(),
    idle,
  });
}
