import { join, relative } from "node:path";
import { randomName } from "../../adapters/local/random.ts";
import { readyWorktree } from "../../adapters/local/ready-worktree.ts";
import { localTaskFile } from "../../adapters/local/task-file.ts";
import { createGitVcs, type Repository } from "../../adapters/vcs/git/index.ts";
import {
  createWorkspaces,
  type EngineOptions,
  type StopSignals,
  tickedIn,
  tickTasks,
  type Workspaces,
  type World,
  whyNot,
} from "../../engine/index.ts";
import { ok, type Reason } from "../../ports/index.ts";
import { firstLine, textHash } from "../../text/index.ts";
import { gitError } from "../project/errors.ts";
import type { Session } from "../session/open.ts";
import { isBelow, targetBranch } from "../session/repository.ts";

export interface WorkspacesRequest {
  readonly session: Session;
  readonly repository: Repository;
  readonly options: Pick<EngineOptions, "limits">;
  readonly world: Pick<World, "shell" | "env">;
  readonly tell: (code: string, message: Reason, task?: string) => void;
}

/** Runs commands that a setting of the project names; says why one failed. */
function commandRunner(
  { world, options }: WorkspacesRequest,
  setting: string,
): (command: string, cwd: string, stop?: StopSignals) => Promise<string | undefined> {
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
    if (end.exitCode === 0) return undefined;
    const why = whyNot(end);
    const last = end.tail.trim().split("\n").at(-1) ?? "";
    return last === "" ? why : `${why}: ${firstLine(last, 120)}`;
  };
}

/** The branches and worktrees of a run. Throws EspalierError. */
export async function projectWorkspaces(request: WorkspacesRequest): Promise<Workspaces> {
  const { session, repository, tell } = request;
  const { project, file } = session;
  const { git, worktree, phase } = project.config;
  const { top, prefix } = repository.facts;
  const run = commandRunner(request, "worktree.setup");
  const tick = (bytes: Uint8Array, tasks: Iterable<string>) => tickedIn(bytes, file.display, tasks);
  const here = localTaskFile(file.path, file.display, project.stateDir);
  const tickHere = (tasks: ReadonlySet<string>) => tickTasks(here, tasks);
  const isReadyMade = worktree.setup.length + worktree.copy.length + worktree.link.length === 0;
  const cache = join(project.stateDir, "cache");
  const prepare = (path: string, stop?: StopSignals) =>
    readyWorktree({
      ...worktree,
      from: project.root,
      to: join(path, prefix),
      run: (command, cwd) => run(command, cwd, stop),
      cache,
    });
  const vcs = createGitVcs({ ...repository, seal: session.seal?.of });
  const forgotten = session.resumed ? ok(undefined) : await vcs.forgetLeft();
  if (!forgotten.ok) throw gitError(forgotten.failure);
  const made = await createWorkspaces(vcs, {
    names: { top, branch: git.branch, folder: git.folder },
    prefix,
    target: targetBranch(project, repository),
    landing: git.landing,
    lists: git.lists,
    generated: git.generated,
    run: commandRunner(request, "git.generated"),
    merge: phase.merge,
    branches: git.branches,
    boxes: isBelow(top, file.path) ? { path: relative(top, file.path), tick, tickHere } : undefined,
    prepare: isReadyMade ? undefined : prepare,
    preparedBy: textHash(JSON.stringify([worktree.setup, worktree.copy, worktree.link])),
    tell,
  });
  if (made.ok) return made.value;
  throw gitError(made.failure);
}
