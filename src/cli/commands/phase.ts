import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import { replyText } from "../../engine/control/protocol.ts";
import {
  checkPhase,
  completedTasks,
  maskedWorkspaces,
  maskedWorld,
  phaseRequest,
} from "../../engine/index.ts";
import { configCommands } from "../../host/approval/approvable.ts";
import { requireApproval } from "../../host/approval/approval.ts";
import { judgeCaller, notAPerson, refusalEvent, requirePerson } from "../../host/approval/decider.ts";
import { askRunning } from "../../host/control/running.ts";
import { offlineRun } from "../../host/lead/offline-run.ts";
import { loadPlan, requireUsable } from "../../host/project/plan-file.ts";
import { findProject, lastTaskFile, type Project } from "../../host/project/project.ts";
import { requireRun } from "../../host/project/reader.ts";
import { engineOptions } from "../../host/project/settings.ts";
import { projectJail } from "../../host/run/jail.ts";
import { projectWorkspaces } from "../../host/run/workspaces.ts";
import { localWorld } from "../../host/run/world.ts";
import { openSession, type Session } from "../../host/session/open.ts";
import { projectRepository, repositoryCommands } from "../../host/session/repository.ts";
import { EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import { DEFAULT_POLICY, type RunState, restoreRun } from "../../run/index.ts";
import { nearest, reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, sayJson } from "../io.ts";
import { type RepositoryWords, repositoryWords } from "../views/repository-words.ts";
import { columnWidth, filled } from "../views/width.ts";
import { wordsFor } from "../views/words-for.ts";

function indexOf(run: Pick<RunState, "phases">, label: string, words: RepositoryWords): number {
  const at = run.phases.findIndex(phase => phase.label === label);
  if (at >= 0) return at;
  const labels = run.phases.map(phase => phase.label);
  const guess = nearest(label, labels);
  const known = labels.slice(0, 20).map(one => visible(one));
  const { message, hint } = words.noPhase(visible(label), known.join(", "), guess);
  throw new EspalierError("NO_SUCH_PHASE", message, { hint, exitCode: EXIT.usage });
}

/** The last run as its rows say it stands. */
function presentRun(project: Project): { run: RunState; open: string } {
  const { stored, plan } = requireRun(project);
  const run = restoreRun(plan, stored.tasks, { policy: DEFAULT_POLICY, forced: stored.run.forced });
  const rows = new Map(stored.tasks.map(row => [row.id, row]));
  for (const state of run.tasks) state.status = rows.get(state.task.id)?.status ?? state.status;
  // Nothing is open any more once all is done.
  return { run, open: stored.run.state === "completed" ? "" : stored.run.phase };
}

function summary(run: RunState, at: number, open: string) {
  const phase = run.phases[at]!;
  const tasks = phase.members.map(index => run.tasks[index]!);
  const counted = tasks.filter(({ status }) => status !== "skipped").length;
  const completed = tasks.filter(({ status }) => status === "completed").length;
  const { label, title } = phase;
  return { phase: label, title, open: label === open, completed, counted, forced: run.forced.has(label) };
}

/** `espalier phase list`. */
export async function list(io: Io, options: { json?: boolean }): Promise<number> {
  const project = findProject(io.cwd);
  const words = repositoryWords(project.config.locale);
  const { run, open } = presentRun(project);
  const phases = run.phases.map((_, at) => summary(run, at, open));
  if (options.json === true) sayJson(io, { phases });
  else {
    for (const { phase, title, open: isOpen, completed, counted, forced } of phases) {
      const marks = [isOpen ? words.open : "", forced ? words.forced : ""]
        .filter(mark => mark !== "")
        .join(", ");
      const name = title === "" ? visible(phase) : `${visible(phase)}  ${visible(title, 60)}`;
      say(io, `${name}  ${completed}/${counted}${marks === "" ? "" : `  (${marks})`}`);
    }
  }
  return EXIT.done;
}

/** `espalier phase show N`. */
export async function show(io: Io, label: string, options: { json?: boolean }): Promise<number> {
  const project = findProject(io.cwd);
  const { locale } = project.config;
  const words = repositoryWords(locale);
  const { run, open } = presentRun(project);
  const at = indexOf(run, label, words);
  const facts = summary(run, at, open);
  const tasks = (run.phases[at]?.members ?? []).map(index => {
    const { task, status, reason } = run.tasks[index]!;
    return {
      id: task.id,
      status,
      title: task.title,
      reason: reasonText(reason, options.json === true ? "en" : locale),
    };
  });
  if (options.json === true) sayJson(io, { ...facts, tasks });
  else {
    const names = wordsFor(locale).status;
    const width = columnWidth(tasks, ({ status }) => names[status], 20);
    say(io, words.phase(visible(facts.phase), visible(facts.title, 80)));
    say(io, words.completed(facts.completed, facts.counted, facts.open));
    for (const { id, status, title, reason } of tasks) {
      say(io, `  ${filled(names[status], width)}  ${visible(id)}  ${visible(title, 60)}`);
      if (reason !== "") say(io, `${" ".repeat(width + 4)}${visible(reason, 100)}`);
    }
  }
  return EXIT.done;
}

async function withSession<T>(io: Io, project: Project, use: (session: Session) => Promise<T>): Promise<T> {
  const file = lastTaskFile(project, requireRun(project).stored.run.file);
  const plan = loadPlan(file, true, project);
  requireUsable(file, plan);
  const repository = await projectRepository(project, file, io.env);
  const session = await openSession(project, file, plan, {
    invocation: {},
    env: io.env,
    advance: "asked",
    keepClaims: true,
    repository,
  });
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

/** `espalier phase force N`: lets a phase start although the one before is below its gate. */
export async function force(io: Io, label: string): Promise<number> {
  const project = findProject(io.cwd);
  const words = repositoryWords(project.config.locale);
  const running = await askRunning(project, { method: "force-phase", phase: label });
  if (running !== undefined) {
    if (!running.ok)
      throw new EspalierError("REFUSED", replyText(running, project.config.locale), { exitCode: EXIT.usage });
    say(io, replyText(running, project.config.locale));
    return EXIT.done;
  }
  const { decider } = await judgeCaller(callerOf(io), project);
  return withSession(io, project, async session => {
    if (decider.kind !== "person") {
      offlineRun(session).record([refusalEvent({ method: "force-phase" }, decider)]);
      throw notAPerson(decider, project.config.locale);
    }
    const { phase } = session.run.phases[indexOf(session.run, label, words)]!;
    const out = offlineRun(session).apply({ type: "force-phase", phase, by: "a person" });
    if (out.refused !== undefined)
      throw new EspalierError("REFUSED", reasonText(out.refused, project.config.locale), {
        exitCode: EXIT.usage,
      });
    say(io, words.mayStart(visible(label)));
    return EXIT.done;
  });
}

/** `espalier phase merge N`: checks a phase that was left on its branch and merges it into the target. */
export async function merge(io: Io, label: string, options: { yes?: boolean }): Promise<number> {
  const project = findProject(io.cwd);
  await requirePerson(callerOf(io), project);
  const words = repositoryWords(project.config.locale);
  return withSession(io, project, async session => {
    const at = indexOf(session.run, label, words);
    const { verify } = project.config.phase;
    const wanted = configCommands(project.config).filter(
      ({ text }) => text === verify || project.config.worktree.setup.includes(text),
    );
    const known = await projectRepository(project, session.file, io.env);
    const ofGit = known === undefined ? [] : repositoryCommands(project, known, io.env);
    const approvals = await requireApproval(callerOf(io), project, [...wanted, ...ofGit], {
      yes: options.yes === true,
    });
    const isAsIs = known === undefined || known.programs.length === 0;
    const repository = isAsIs
      ? known
      : await projectRepository(project, session.file, io.env, approvals.allows);
    if (repository === undefined) {
      const { message, hint } = words.noBranches;
      throw new EspalierError("NO_REPOSITORY", message, { hint, exitCode: EXIT.environment });
    }
    const warden = startWarden(randomName(16));
    try {
      const jail = await projectJail(project.config, io.env["PATH"]);
      const outside = localWorld({ session, agents: new Map(), approvals, warden, env: io.env, jail });
      const engine = engineOptions(project.config, session.invocation, session.runId, project.root);
      const world = maskedWorld(outside);
      const tell = (_code: string, message: Reason) =>
        say(io, visible(world.redact(reasonText(message, project.config.locale)), 300));
      const given = await projectWorkspaces({
        session,
        repository,
        options: engine,
        world: outside,
        tell,
        merge: "auto",
      });
      const workspaces = maskedWorkspaces(given, world.redact);
      const tasks = (session.run.phases[at]?.members ?? []).map(index => session.run.tasks[index]!.task.id);
      const never = new AbortController().signal;
      const signals = { cancel: never, kill: never };
      const check = (cwd: string) => checkPhase(world, engine, cwd, signals);
      const end = await workspaces.endPhase({
        phase: phaseRequest(session.run, at),
        tasks,
        completed: completedTasks(session.run),
        verify: check,
      });
      await workspaces.idle();
      if (end.kind === "refused") {
        throw new EspalierError("NOT_MERGED", reasonText(end.reason, project.config.locale), {
          exitCode: EXIT.waitingForPerson,
        });
      }
      const done =
        end.kind === "merged"
          ? words.merged(visible(label), end.into, end.commit.slice(0, 10))
          : words.nothingToMerge(visible(label));
      say(io, done);
      return EXIT.done;
    } finally {
      await warden.close();
    }
  });
}
