import { createGitVcs, goneBranches, type Repository } from "../../adapters/vcs/git/index.ts";
import { branchesOfPhases } from "../../engine/index.ts";
import { EspalierError, ok } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { lastTaskFile, type Project } from "../project/project.ts";
import { requireRun } from "../project/reader.ts";
import type { Session } from "../session/open.ts";
import { nameRules, projectRepository, targetBranch } from "../session/repository.ts";
import { type AttemptsOf, attemptsIn, formerPhases } from "./former-phases.ts";
import type { AsideWork, PhaseWork, Whereabouts } from "./phase-work.ts";

/** Of what was set aside, what is still there; a task's leftovers are of no more use once it has completed. */
async function standing(
  { git }: Repository,
  { byId }: Pick<RunState, "byId">,
  aside: readonly AsideWork[],
): Promise<readonly AsideWork[]> {
  if (aside.length === 0) return aside;
  const listed = await git.text(["for-each-ref", "--format=%(refname)", "refs/heads", "refs/espalier/left"]);
  const refs = new Set(listed.ok ? listed.value.split("\n") : []);
  return aside.filter(({ where, task }) => {
    if (where.startsWith("refs/")) return refs.has(where) && byId.get(task ?? "")?.status !== "completed";
    return where.startsWith("/") || refs.has(`refs/heads/${where}`);
  });
}

/** The same for whoever has not opened the repository; undefined where there is none that can be asked. */
export async function whereaboutsHere(
  env: NodeJS.ProcessEnv,
  project: Project,
  run: Parameters<typeof whereabouts>[2],
  aside: readonly AsideWork[],
): Promise<Whereabouts | undefined> {
  try {
    const latest = requireRun(project);
    const file = lastTaskFile(project, latest.stored.run);
    const repository = await projectRepository(project, file, env);
    return repository === undefined
      ? undefined
      : await whereabouts(repository, { project, ...latest }, run, aside);
  } catch (error) {
    // What is wrong with the repository is told by those who have to work in it.
    if (error instanceof EspalierError) return undefined;
    throw error;
  }
}

/**
 * The same for whoever has worked in the repository: where its configuration has changed meanwhile it is asked as it is now, since the
 * run has ended and nobody works on there.
 */
export async function whereaboutsAfter(
  repository: Repository,
  session: Pick<Session, "project" | "invocation" | "file" | "env" | "store" | "runId">,
  run: Parameters<typeof whereabouts>[2],
  aside: readonly AsideWork[],
): Promise<Whereabouts | undefined> {
  const of = { ...session, attempts: attemptsIn(session) };
  const found = await whereabouts(repository, of, run, aside);
  if (found !== undefined) return found;
  try {
    const afresh = await projectRepository(session.project, session.file, session.env);
    return afresh === undefined ? undefined : await whereabouts(afresh, of, run, aside);
  } catch (error) {
    if (error instanceof EspalierError) return undefined;
    throw error;
  }
}

/** Where the work of a run is now; undefined where the repository does not tell. */
export async function whereabouts(
  repository: Repository,
  {
    project,
    invocation,
    attempts,
  }: Pick<Session, "project" | "invocation"> & { readonly attempts: AttemptsOf },
  run: Pick<RunState, "phases" | "tasks" | "byId">,
  aside: readonly AsideWork[],
): Promise<Whereabouts | undefined> {
  const target = targetBranch(project, repository, invocation);
  const vcs = createGitVcs(repository);
  const branches = await vcs.branches(target);
  if (!branches.ok) return undefined;
  const gone = await goneBranches(repository);
  if (!gone.ok) return undefined;
  const labels = run.phases.map(({ label }) => label).filter(label => label !== "0");
  const rules = nameRules(project, repository);
  const standsOn = branchesOfPhases(rules, labels, branches.value);
  const stoodOn = branchesOfPhases(
    rules,
    labels,
    gone.value.map(one => ({ branch: one })),
  );
  const tasksOf = ({ members }: RunState["phases"][number]) => members.map(index => run.tasks[index]!);
  // Only what was begun and waits on no branch can have come to the target by its own commits.
  const isAsked = run.phases.some(
    phase =>
      phase.label !== "0" &&
      standsOn.get(phase.label)?.held !== false &&
      tasksOf(phase).some(({ status, attempts }) => status === "completed" || attempts > 0),
  );
  const landed = isAsked ? await vcs.attemptsIn(target) : ok([]);
  if (!landed.ok) return undefined;
  const there = new Set(landed.value.map(({ task }) => task));
  const phases = run.phases.flatMap((phase): PhaseWork[] => {
    const { label } = phase;
    const own = standsOn.get(label);
    const tasks = tasksOf(phase);
    const on = own === undefined ? {} : { branch: own.branch };
    const isDone = tasks.every(({ status }) => status === "completed" || status === "skipped");
    if (own?.held === false) return [{ phase: label, state: isDone ? "waits" : "unfinished", ...on }];
    const isByOthers = own === undefined ? stoodOn.has(label) : own.byOthers === true;
    const isThere = label !== "0" && (isByOthers || tasks.some(({ task }) => there.has(task.id)));
    return isThere ? [{ phase: label, state: "merged", ...on }] : [];
  });
  const former = await formerPhases(vcs, rules, branches.value, run, attempts);
  if (!former.ok) return undefined;
  const left = former.value.map(branch => ({ where: branch }));
  return { target, phases, aside: [...left, ...(await standing(repository, run, aside))] };
}
