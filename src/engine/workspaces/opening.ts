import {
  because,
  type FolderRequest,
  few,
  ok,
  type Reason,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../ports/index.ts";
import { ignoredIn, tellEntry, tellLeft, textsOf, type WorkspaceState } from "./state.ts";
import { tellElsewhere } from "./strayed.ts";
import type { StopSignals, Workspace, WorkspaceRequest } from "./types.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/**
 * Opens a folder, and tells where a history is kept that an agent had put in place of the branch's own, what was left of a move
 * that a crash cut short, and where a worktree is now that was nobody's.
 */
export async function openFolder(
  { vcs, rules }: Pick<WorkspaceState, "vcs" | "rules">,
  request: FolderRequest,
): Answer<WorkFolder> {
  const opened = await vcs.open(request);
  if (opened.ok && opened.value.rescued !== undefined)
    rules.tell(
      "RESCUED",
      because("branch-rewritten", { branch: request.branch, rescued: opened.value.rescued }),
    );
  if (opened.ok) tellEntry(rules, opened.value.entry);
  const { aside, loose } = opened.ok ? opened.value : {};
  if (loose !== undefined)
    rules.tell("RESCUED", because("work-rescued", { path: request.path, branch: loose }));
  if (aside !== undefined) rules.tell("RESCUED", because("worktree-aside", { path: request.path, aside }));
  return opened;
}

/** A folder as an attempt finds it. */
type Found = Pick<Workspace, "left" | "proved"> & { readonly folder: WorkFolder };

/**
 * Opens a folder for an attempt: with the proved work of an earlier one, as that left it, or anew. `keepAs` is a name for what
 * is taken out of it; undefined where there can be nothing.
 */
export async function openAsLeft(
  state: Pick<WorkspaceState, "vcs" | "rules" | "stop">,
  where: FolderRequest,
  request: Pick<WorkspaceRequest, "task" | "proved" | "isToProve" | "goesOn" | "stop">,
  keepAs: string | undefined,
): Answer<Found> {
  const opened = await openLeft(state, where, request, keepAs);
  if (!opened.ok || where.path === state.rules.names.top) return opened;
  const why = await prepareAgain(state, where.path, request.stop);
  // What is wrong with the lock files may be what is to be mended there.
  if (why !== undefined && request.stop?.cancel.aborted !== true)
    state.rules.tell("NOT_SET_UP", why, request.task);
  return opened;
}

/** Makes a folder fit once more where what landed since asks for other packages; says why that failed. */
export async function prepareAgain(
  { rules, stop: run }: Pick<WorkspaceState, "rules" | "stop">,
  path: string,
  stop = run,
): Promise<Reason | undefined> {
  return rules.prepareAgain?.(path, bothStops(run, stop));
}

function bothStops(one: StopSignals, other: StopSignals): StopSignals {
  return {
    cancel: AbortSignal.any([one.cancel, other.cancel]),
    kill: AbortSignal.any([one.kill, other.kill]),
  };
}

async function openLeft(
  state: Pick<WorkspaceState, "vcs" | "rules">,
  where: FolderRequest,
  {
    task,
    proved: commit,
    isToProve,
    goesOn,
  }: Pick<WorkspaceRequest, "task" | "proved" | "isToProve" | "goesOn">,
  keepAs: string | undefined,
): Answer<Found> {
  const { vcs, rules } = state;
  if (commit !== undefined) {
    const { claimant: _, ...asItStands } = where;
    // In the main checkout it is noted whose work stands there: what does not land is taken out again.
    const isMain = where.path === rules.names.top;
    const opened = await openFolder(state, isMain ? where : asItStands);
    const proved = opened.ok
      ? await vcs.findProved(opened.value, commit, isToProve === true ? where : undefined)
      : opened;
    if (!opened.ok) return opened;
    if (!proved.ok) return proved;
    if (opened.value.left?.kind === "kept") tellLeft(rules, opened.value.left, task);
    if (proved.value !== undefined) {
      const { base = opened.value.base, lists = [] } = proved.value;
      const { branch, from } = where;
      if (lists.length > 0)
        rules.tell(
          "BRANCH_JOINED",
          because("branch-joined", { branch, into: from, files: few(lists) }),
          task,
        );
      return ok({ folder: { ...opened.value, base }, proved: proved.value });
    }
  }
  const anew = keepAs === undefined || goesOn === true ? {} : { anew: keepAs };
  const opened = await openFolder(state, { ...where, ...anew });
  if (!opened.ok) return opened;
  const { left } = opened.value;
  if (left?.kind === "kept") tellLeft(rules, left, task);
  if (left !== undefined) return ok({ folder: opened.value, left });
  return ok({ folder: opened.value, ...("anew" in anew && { left: { kind: "none" as const } }) });
}

/** How a new folder is made fit to work in, where that has to be done; `stop` ends it, and so does the end of the run. */
export function readiness(
  { rules: { bring, prepare, preparedBy }, stop: run }: Pick<WorkspaceState, "rules" | "stop">,
  stop = run,
): Pick<FolderRequest, "bring" | "prepare" | "preparedBy"> {
  const brings = bring === undefined ? {} : { bring };
  if (prepare === undefined) return brings;
  const both = bothStops(run, stop);
  return {
    ...brings,
    prepare: path => prepare(path, both),
    ...(preparedBy === undefined ? {} : { preparedBy }),
  };
}

/** Takes out of a folder what is not to land, unless the task is to go on with it. */
export async function takeOut(
  state: Pick<WorkspaceState, "vcs" | "rules">,
  where: FolderRequest,
  { task, goesOn }: WorkspaceRequest,
  keepAs: string,
): Answer<void> {
  const emptied = goesOn === true ? ok(undefined) : await openLeft(state, where, { task }, keepAs);
  return emptied.ok ? ok(undefined) : emptied;
}

/** What an attempt does in a folder apart from the main checkout, wherever its work comes home to. */
export function workedIn(
  state: Pick<WorkspaceState, "vcs" | "rules" | "cwdIn" | "told">,
  folder: WorkFolder,
  request: Pick<WorkspaceRequest, "task" | "startedAt" | "isShell">,
): Omit<Workspace, "landed" | "land" | "setAside" | "leave" | "discard"> {
  const { vcs, rules, cwdIn } = state;
  const { task, isShell = false } = request;
  return {
    cwd: cwdIn(folder.path),
    branch: folder.branch,
    base: folder.base,
    linked: true,
    async seal() {
      const sealed = await vcs.snapshot(folder);
      if (sealed.ok) tellEntry(rules, sealed.value.entry, task);
      if (sealed.ok && sealed.value.changed.length === 0 && !isShell) await tellElsewhere(state, request);
      return sealed;
    },
    ignored: () => ignoredIn(vcs, folder),
    async noteIgnored(paths) {
      await vcs.noteIgnored?.(folder, paths);
    },
    ...textsOf(vcs),
    tidy: tree => vcs.restore(folder, tree),
    keepProved: (tree, by) => vcs.noteProved(folder, tree, by),
  };
}
