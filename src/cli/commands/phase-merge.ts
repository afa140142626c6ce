import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import { type Repository, surveyFolders } from "../../adapters/vcs/git/index.ts";
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
import { withLastRun } from "../../host/lead/offline.ts";
import type { Project } from "../../host/project/project.ts";
import { engineOptions } from "../../host/project/settings.ts";
import { projectJail } from "../../host/run/jail.ts";
import { readyToMerge, type Whereabouts, whereabouts } from "../../host/run/whereabouts.ts";
import { projectWorkspaces } from "../../host/run/workspaces.ts";
import { localWorld } from "../../host/run/world.ts";
import type { Session } from "../../host/session/open.ts";
import { approvedRepository, projectRepository, repositoryCommands } from "../../host/session/repository.ts";
import { EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import { reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say } from "../io.ts";
import { projectOf } from "../project.ts";
import { type RepositoryWords, repositoryWords } from "../views/repository-words.ts";
import { phaseIndex } from "./phase.ts";

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

/**
 * Ends one phase after the other, and says so of each but the `untidy`, which had been merged before; the first that cannot be
 * ends it. Throws EspalierError.
 */
async function mergeAll(
  io: Io,
  project: Project,
  { session, repository, approvals }: Ground,
  { untidy, phases, standing }: Ends,
  words: RepositoryWords,
): Promise<void> {
  const { locale } = project;
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
    for (const at of [...untidy, ...phases]) {
      const { label, members } = run.phases[at]!;
      const end = await workspaces.endPhase({
        phase: phaseRequest(run, at),
        tasks: members.map(index => run.tasks[index]!.task.id),
        completed: completedTasks(run),
        verify,
      });
      await workspaces.idle();
      if (untidy.includes(at)) continue;
      if (end.kind === "refused") {
        const why = reasonText(end.reason, locale);
        const left = standing.filter(index => index >= at).map(index => visible(run.phases[index]!.label));
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

/** Phases by their positions. */
interface Ends {
  /** Merged by a process that died before it had tidied up. */
  readonly untidy: readonly number[];
  /** To be merged. */
  readonly phases: readonly number[];
  /** On their branches, all done or not. */
  readonly standing: readonly number[];
}

/** What is to be ended: one phase, or all that are done, wait on their branches, and build on nothing unfinished, in their order. */
async function endsOf(
  { config }: Project,
  { session, repository }: Ground,
  found: Whereabouts | undefined,
  one: number | undefined,
): Promise<Ends> {
  const { target, phases = [] } = found ?? {};
  const at = (labels: readonly string[]) =>
    session.run.phases.flatMap(({ label }, index) => (labels.includes(label) ? [index] : []));
  const merged = phases.filter(({ state, branch }) => state === "merged" && branch !== undefined);
  const folders =
    merged.length === 0 || target === undefined ? undefined : await surveyFolders(repository, target);
  const stands = (folders?.ok === true ? folders.value : []).map(({ branch }) => branch);
  const untidy = merged.flatMap(({ phase, branch = "" }) =>
    config.git.branches === "delete" || stands.includes(branch) ? [phase] : [],
  );
  return {
    untidy: at(untidy).filter(index => index !== one),
    phases: one === undefined ? at(readyToMerge(phases)) : [one],
    standing: at(phases.flatMap(({ phase, state }) => (state === "merged" ? [] : [phase]))),
  };
}

/** `espalier phase merge N`, or `--all`: checks phases that were left on their branches and merges them into the target. */
export async function merge(
  io: Io,
  label: string | undefined,
  options: { yes?: boolean; all?: boolean },
): Promise<number> {
  const project = projectOf(io);
  const words = repositoryWords(project.locale);
  if ((label === undefined) !== (options.all === true)) {
    throw new EspalierError("USAGE", words.whichPhase, { exitCode: EXIT.usage });
  }
  const caller = callerOf(io);
  await requirePerson(caller, project);
  return withLastRun({ caller, project }, { inRepository: true }, async session => {
    const one = label === undefined ? undefined : phaseIndex(session.run, label, words);
    const ground = await approvedGround(io, project, session, options.yes === true, words);
    const found = await whereabouts(ground.repository, project, session.run, []);
    const ends = await endsOf(project, ground, found, one);
    if (ends.phases.length + ends.untidy.length > 0) await mergeAll(io, project, ground, ends, words);
    if (ends.phases.length === 0) say(io, words.noneWaits);
    const left = ends.standing.filter(index => !ends.phases.includes(index));
    if (one === undefined && left.length > 0) {
      const labels = left.map(index => visible(session.run.phases[index]!.label));
      say(io, words.notAllDone(labels.join(", ")));
    }
    return EXIT.done;
  });
}
