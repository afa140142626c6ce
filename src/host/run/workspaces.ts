import { join, relative } from "node:path";
import { isBelow } from "../../adapters/file/index.ts";
import { bringOver } from "../../adapters/local/bring-over.ts";
import { randomName } from "../../adapters/local/random.ts";
import { setUp, setUpAgain } from "../../adapters/local/set-up-worktree.ts";
import { localTaskFile } from "../../adapters/local/task-file.ts";
import { createGitVcs, lostLandings, noteProject, type Repository } from "../../adapters/vcs/git/index.ts";
import {
  createWorkspaces,
  type EngineOptions,
  type StopSignals,
  tickedIn,
  tickTasks,
  type Workspaces,
  type World,
  whyFailed,
} from "../../engine/index.ts";
import { because, type FolderRequest, few, ok, type Reason, type Vcs } from "../../ports/index.ts";
import { textHash } from "../../text/index.ts";
import { gitError } from "../project/errors.ts";
import { landedCompletions } from "../session/after-power-cut.ts";
import { checkoutTurns } from "../session/checkout-turn.ts";
import type { Session } from "../session/open.ts";
import { nameRules, targetBranch } from "../session/repository.ts";
import { toldOf } from "./aftermath.ts";
import { attemptsIn, formerPhases } from "./former-phases.ts";

export interface WorkspacesRequest {
  readonly session: Session;
  readonly repository: Repository;
  readonly options: Pick<EngineOptions, "limits">;
  readonly world: Pick<World, "shell" | "env">;
  readonly tell: (code: string, message: Reason, task?: string) => void;
}

/** Runs commands that a setting of the project names; says why one failed, which is called by a name. */
function commandRunner(
  { world, options }: WorkspacesRequest,
  setting: string,
  nameOf: (command: string) => string,
): (command: string, cwd: string, stop?: StopSignals) => Promise<Reason | undefined> {
  const never = new AbortController().signal;
  return async (command, cwd, stop = { cancel: never, kill: never }) => {
    const { limits } = options;
    const env = { ...world.env, ESPALIER_WORKTREE: cwd };
    const token = randomName(20);
    const end = await world.shell({
      task: "setup",
      name: setting,
      command,
      cwd,
      env,
      token,
      limits,
      ...stop,
    });
    return end.exitCode === 0 ? undefined : whyFailed(nameOf(command), end);
  };
}

/** Brings the copies and links of a worktree up to what the main checkout has, and tells what stays otherwise. */
function bringing({ session, tell }: WorkspacesRequest, prefix: string): NonNullable<FolderRequest["bring"]> {
  const { root, config } = session.project;
  const { copy, link } = config.worktree;
  return (path, notes) => {
    const brought = bringOver({ copy, link, from: root, to: join(path, prefix), notes });
    if (!brought.ok) return brought;
    const { changed, kept, dropped } = brought.value;
    if (kept.length > 0) tell("COPY_KEPT", because("copy-kept", { paths: few(kept), path }));
    if (dropped.length > 0) tell("COPY_KEPT", because("copy-dropped", { paths: few(dropped), path }));
    return ok(changed.map(one => join(prefix, one)));
  };
}

/**
 * Where the target stood when the process before this one was cut off in the middle of work in the main checkout, if this run had brought
 * it there.
 */
async function cutOffAt(vcs: Vcs, session: Session, target: string): Promise<string | undefined> {
  const begun = session.resumed ? await vcs.begunOn?.(target) : undefined;
  if (begun?.ok !== true || begun.value === undefined) return undefined;
  return completionsOf(session).find(({ commit }) => commit === begun.value)?.commit;
}

function completionsOf({ store }: Session): ReturnType<typeof landedCompletions> {
  const stored = store.load();
  return stored.ok && stored.value !== undefined ? landedCompletions(store, stored.value) : [];
}

/** Tells of tasks that are completed and whose work the target holds no more, since the process before this one worked there. */
async function tellLost({ session, repository, tell }: WorkspacesRequest, target: string): Promise<void> {
  const here = session.resumed ? completionsOf(session).filter(({ branch }) => branch === target) : [];
  const landings = here.map(({ token: attempt, commit }) => ({ attempt, commit }));
  if (landings.length === 0) return;
  const told = new Set(toldOf(session.store, session.runId).aside.map(({ where }) => where));
  const lost = await lostLandings(repository, target, landings, rescue => told.has(rescue));
  // What is wrong with the repository is told by those who have to work in it.
  if (!lost.ok || lost.value.kept.length === 0) return;
  const { attempts, kept } = lost.value;
  const tasks = here.filter(({ token }) => attempts.has(token)).map(({ task }) => task);
  tell("LANDED_LOST", because("landed-gone", { branch: target, tasks: few(tasks), kept }), tasks[0]);
}

/** The branches and worktrees of a run. Throws EspalierError. */
export async function projectWorkspaces(request: WorkspacesRequest): Promise<Workspaces> {
  const { session, repository, tell } = request;
  const { project, file } = session;
  const { git, worktree, phase } = project.config;
  const { top, prefix } = repository.facts;
  const run = commandRunner(request, "worktree.setup", command => `worktree.setup ${command}`);
  const tick = (bytes: Uint8Array, tasks: Iterable<string>) => tickedIn(bytes, file.display, tasks);
  const here = localTaskFile(file.path, file.display, project.stateDir);
  const tickHere = (tasks: ReadonlySet<string>) => tickTasks(here, tasks);
  const cache = join(project.stateDir, "cache");
  const setup = (path: string, stop: StopSignals) => ({
    setup: worktree.setup,
    to: join(path, prefix),
    run: (command: string, cwd: string) => run(command, cwd, stop),
    cache,
    notes: join(cache, "set-up"),
  });
  const vcs = createGitVcs({ ...repository, seal: session.seal?.of });
  const passed = await vcs.forgetPassing();
  if (!passed.ok) throw gitError(passed.failure);
  const forgotten = session.resumed ? ok(undefined) : await vcs.forgetLeft();
  if (!forgotten.ok) throw gitError(forgotten.failure);
  noteProject(repository, { taskFile: relative(top, file.path), branch: git.branch });
  const target = targetBranch(project, repository, session.invocation);
  const home = await cutOffAt(vcs, session, target);
  // What an attempt was taking away when it was cut off is brought back before the next one.
  if (home === undefined) await tellLost(request, target);
  const names = nameRules(project, repository);
  const attemptsOf = attemptsIn(session);
  const made = await createWorkspaces(vcs, {
    names,
    prefix,
    target,
    home,
    former: standing => formerPhases(vcs, names, standing, session.run, attemptsOf),
    landing: git.landing,
    lists: git.lists,
    generated: git.generated,
    run: commandRunner(request, "git.generated", command => command),
    merge: phase.merge,
    branches: git.branches,
    boxes: isBelow(top, file.path) ? { path: relative(top, file.path), tick, tickHere } : undefined,
    bring: bringing(request, prefix),
    prepare: worktree.setup.length === 0 ? undefined : (path, stop) => setUp(setup(path, stop)),
    prepareAgain: (path, stop) => setUpAgain(setup(path, stop)),
    preparedBy: textHash(JSON.stringify([worktree.setup, worktree.copy, worktree.link])),
    takeCheckout: checkoutTurns(repository, tell),
    tell,
  });
  if (made.ok) return made.value;
  throw gitError(made.failure);
}
