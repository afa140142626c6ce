import { acquireLock } from "../../adapters/lock/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import { because, EXIT } from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import type { Caller } from "../caller.ts";
import { VERSION } from "../package.ts";
import { lockError } from "../project/errors.ts";
import { lastTaskFile, type Project } from "../project/project.ts";
import { readLastRun } from "../project/reader.ts";
import { projectRepository, targetBranch } from "./repository.ts";

/** A project's repository, and the branch its phases are merged into. */
export interface ProjectRepository {
  readonly repository: Repository;
  readonly target: string;
}

/** The repository around a project. Throws EspalierError where there is none to work in. */
export async function requireRepository(project: Project, env: Caller["env"]): Promise<ProjectRepository> {
  const last = readLastRun(project);
  const file = lastTaskFile(project, last?.stored.run);
  const repository = await projectRepository(project, file, env);
  if (repository === undefined) {
    throw errorFor("NO_REPOSITORY", because("no-worktrees", { root: project.root }), {
      advice: because("worktrees-need", {}),
      exitCode: EXIT.environment,
    });
  }
  return { repository, target: targetBranch(project, repository, last?.invocation ?? {}) };
}

/** Does something that no run may be under way for. Throws EspalierError (exit 4) when one is. */
export async function whileIdle<T>(project: Project, work: () => Promise<T>): Promise<T> {
  const locked = acquireLock(project.stateDir, { version: VERSION });
  if (!locked.ok) throw lockError(locked.failure);
  try {
    return await work();
  } finally {
    locked.value.release();
  }
}
