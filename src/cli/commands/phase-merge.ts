import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import {
  checkPhase,
  completedTasks,
  maskedWorkspaces,
  maskedWorld,
  phaseRequest,
} from "../../engine/index.ts";
import { configCommands } from "../../host/approval/approvable.ts";
import { type Approvals, requireApproval } from "../../host/approval/approval.ts";
import { requirePerson } from "../../host/approval/decider.ts";
import { findProject, type Project } from "../../host/project/project.ts";
import { engineOptions } from "../../host/project/settings.ts";
import { projectJail } from "../../host/run/jail.ts";
import { readyToMerge, whereabouts } from "../../host/run/whereabouts.ts";
import { projectWorkspaces } from "../../host/run/workspaces.ts";
import { localWorld } from "../../host/run/world.ts";
import type { Session } from "../../host/session/open.ts";
import { approvedRepository, projectRepository, repositoryCommands } from "../../host/session/repository.ts";
import { EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import { reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say } from "../io.ts";
import { type RepositoryWords, repositoryWords } from "../views/repository-words.ts";
import { phaseIndex, withSession } from "./phase.ts";

/** What merging was approved with. */
interface Ground {
  readonly session: Session;
  readonly repository: Repository;
  readonly approvals: Approvals;
}

/** The repository and what may be run for it. Throws EspalierError. */
async function approvedGround(
  io: Io,
  project: Project,
  session: Session,
  yes: boolean,
  words: RepositoryWords,
): Promise<Ground> {
  const { verify } = project.config.phase;
  const wanted = configCommands(project.config).filter(
    ({ text }) => text === verify || project.config.worktree.setup.includes(text),
  );
  const known = await projectRepository(project, session.file, io.env);
  const ofGit = known === undefined ? [] : repositoryCommands(project, known, io.env);
  const approvals = await requireApproval(callerOf(io), project, [...wanted, ...ofGit], { yes });
  const repository = await approvedRepository(project, session.file, io.env, { known, approvals });
  if (repository !== undefined) return { session, repository, approvals };
  const { message, hint } = words.noBranches;
  throw new EspalierError("NO_REPOSITORY", message, { hint, exitCode: EXIT.environment });
}

/** Merges one phase after the other, and says so of each; the first that cannot be ends it. Throws EspalierError. */
async function mergeAll(
  io: Io,
  project: Project,
  { session, repository, approvals }: Ground,
  phases: readonly number[],
  words: RepositoryWords,
): Promise<void> {
  const { locale } = project.config;
  const { run } = session;
  const warden = startWarden(randomName(16));
  try {
    const jail = await projectJail(project.config, io.env["PATH"]);
    const outside = localWorld({ session, agents: new Map(), approvals, warden, env: io.env, jail });
    const options = engineOptions(project.config, session.invocation, session.runId, project.root);
    const world = maskedWorld(outside);
    const tell = (_code: string, message: Reason) =>
      say(io, visible(world.redact(reasonText(message, locale)), 300));
    const given = await projectWorkspaces({
      session,
      repository,
      options,
      world: outside,
      tell,
      merge: "auto",
    });
    const workspaces = maskedWorkspaces(given, world.redact);
    const never = new AbortController().signal;
    const verify = (cwd: string) => checkPhase(world, options, cwd, { cancel: never, kill: never });
    for (const at of phases) {
      const { label, members } = run.phases[at]!;
      const end = await workspaces.endPhase({
        phase: phaseRequest(run, at),
        tasks: members.map(index => run.tasks[index]!.task.id),
        completed: completedTasks(run),
        verify,
      });
      await workspaces.idle();
      if (end.kind === "refused") {
        const why = reasonText(end.reason, locale);
        const left = phases.slice(phases.indexOf(at)).map(index => visible(run.phases[index]!.label));
        const message = phases.length === 1 ? why : words.notMerged(visible(label), why);
        const more = phases.length === 1 ? {} : { hint: words.mergeLeft(left.join(", ")) };
        throw new EspalierError("NOT_MERGED", message, { ...more, exitCode: EXIT.waitingForPerson });
      }
      const done =
        end.kind === "merged"
          ? words.merged(visible(label), end.into, end.commit.slice(0, 10))
          : words.nothingToMerge(visible(label));
      say(io, done);
    }
  } finally {
    await warden.close();
  }
}

/** The phases that are done, wait on their branches, and build on nothing unfinished; in their order. */
async function waiting(project: Project, { session, repository }: Ground): Promise<readonly number[]> {
  const found = await whereabouts(repository, project, session.run, []);
  const labels = new Set(readyToMerge(found?.phases ?? []));
  return session.run.phases.flatMap(({ label }, at) => (labels.has(label) ? [at] : []));
}

/** `espalier phase merge N`, or `--all`: checks phases that were left on their branches and merges them into the target. */
export async function merge(
  io: Io,
  label: string | undefined,
  options: { yes?: boolean; all?: boolean },
): Promise<number> {
  const project = findProject(io.cwd);
  const words = repositoryWords(project.config.locale);
  if ((label === undefined) !== (options.all === true)) {
    throw new EspalierError("USAGE", words.whichPhase, { exitCode: EXIT.usage });
  }
  await requirePerson(callerOf(io), project);
  return withSession(io, project, async session => {
    const one = label === undefined ? undefined : phaseIndex(session.run, label, words);
    const ground = await approvedGround(io, project, session, options.yes === true, words);
    const phases = one === undefined ? await waiting(project, ground) : [one];
    if (phases.length === 0) say(io, words.noneWaits);
    else await mergeAll(io, project, ground, phases, words);
    return EXIT.done;
  });
}
