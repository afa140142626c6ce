import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import { checkPhase, phaseRequest } from "../../engine/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { DEFAULT_POLICY, type RunState, restoreRun } from "../../run/index.ts";
import { nearest, visible } from "../../text/index.ts";
import { configCommands, requireApproval } from "../approval.ts";
import { type Io, say, sayJson } from "../io.ts";
import { loadPlan, requireUsable } from "../plan-file.ts";
import { lastTaskFile, openProject, type Project } from "../project.ts";
import { requireRun } from "../reader.ts";
import { askRunning } from "../running.ts";
import { projectGrounds } from "../session/grounds.ts";
import { offlineRun } from "../session/offline-run.ts";
import { openSession, type Session } from "../session/open.ts";
import { projectRepository } from "../session/repository.ts";
import { localWorld } from "../session/world.ts";
import { engineOptions } from "../settings.ts";

function indexOf(run: Pick<RunState, "phases">, label: string): number {
  const at = run.phases.findIndex(phase => phase.label === label);
  if (at >= 0) return at;
  const labels = run.phases.map(phase => phase.label);
  const guess = nearest(label, labels);
  throw new EspalierError("NO_SUCH_PHASE", `no phase ${visible(label)} in this plan`, {
    hint: `its phases: ${labels.slice(0, 20).join(", ")}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    exitCode: EXIT.usage,
  });
}

/** The last run as its rows say it stands. */
function presentRun(project: Project): { run: RunState; open: string } {
  const { stored, plan } = requireRun(project);
  const run = restoreRun(plan, stored.tasks, { policy: DEFAULT_POLICY, forced: stored.run.forced });
  const rows = new Map(stored.tasks.map(row => [row.id, row]));
  for (const state of run.tasks) state.status = rows.get(state.task.id)?.status ?? state.status;
  return { run, open: stored.run.phase };
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
  const { run, open } = presentRun(openProject(io.cwd));
  const phases = run.phases.map((_, at) => summary(run, at, open));
  if (options.json === true) sayJson(io, { phases });
  else {
    for (const { phase, title, open: isOpen, completed, counted, forced } of phases) {
      const marks = [isOpen ? "open" : "", forced ? "forced" : ""].filter(mark => mark !== "").join(", ");
      const name = title === "" ? visible(phase) : `${visible(phase)}  ${visible(title, 60)}`;
      say(io, `${name}  ${completed}/${counted}${marks === "" ? "" : `  (${marks})`}`);
    }
  }
  return EXIT.done;
}

/** `espalier phase show N`. */
export async function show(io: Io, label: string, options: { json?: boolean }): Promise<number> {
  const { run, open } = presentRun(openProject(io.cwd));
  const at = indexOf(run, label);
  const facts = summary(run, at, open);
  const tasks = (run.phases[at]?.members ?? []).map(index => {
    const { task, status, reason } = run.tasks[index]!;
    return { id: task.id, status, title: task.title, reason };
  });
  if (options.json === true) sayJson(io, { ...facts, tasks });
  else {
    say(io, `Phase ${visible(facts.phase)}${facts.title === "" ? "" : `: ${visible(facts.title, 80)}`}`);
    say(io, `${facts.completed}/${facts.counted} completed${facts.open ? ", open" : ""}`);
    for (const { id, status, title, reason } of tasks) {
      say(io, `  ${status.padEnd(11)} ${visible(id)}  ${visible(title, 60)}`);
      if (reason !== "") say(io, `              ${visible(reason, 100)}`);
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
  const project = openProject(io.cwd);
  const running = await askRunning(project, { method: "force-phase", phase: label });
  if (running !== undefined) {
    if (!running.ok) throw new EspalierError("REFUSED", running.message, { exitCode: EXIT.usage });
    say(io, running.message);
    return EXIT.done;
  }
  return withSession(io, project, async session => {
    const { phase } = session.run.phases[indexOf(session.run, label)]!;
    const out = offlineRun(session).apply({ type: "force-phase", phase, by: "a person" });
    if (out.refused !== undefined) throw new EspalierError("REFUSED", out.refused, { exitCode: EXIT.usage });
    say(io, `phase ${visible(label)} may start; "espalier resume" goes on`);
    return EXIT.done;
  });
}

/** `espalier phase merge N`: checks a phase that was left on its branch and merges it into the target. */
export async function merge(io: Io, label: string, options: { yes?: boolean }): Promise<number> {
  const project = openProject(io.cwd);
  return withSession(io, project, async session => {
    const at = indexOf(session.run, label);
    const { verify } = project.config.phase;
    const wanted = configCommands(project.config).filter(
      ({ text }) => text === verify || project.config.worktree.setup.includes(text),
    );
    const approvals = await requireApproval(io, project.root, wanted, { yes: options.yes === true });
    const repository = await projectRepository(project, session.file, io.env, approvals.allows);
    if (repository === undefined) {
      throw new EspalierError("NO_REPOSITORY", "this project's phases have no branches", {
        hint: "espalier doctor says why",
        exitCode: EXIT.environment,
      });
    }
    const warden = startWarden(randomName(16));
    try {
      const world = localWorld({ session, agents: new Map(), approvals, warden, env: io.env });
      const engine = engineOptions(project.config, session.invocation, session.runId, project.root);
      const tell = (_code: string, message: string) => say(io, visible(message, 300));
      const grounds = await projectGrounds({
        session,
        repository,
        options: engine,
        world,
        tell,
        merge: "auto",
      });
      const tasks = (session.run.phases[at]?.members ?? []).map(index => session.run.tasks[index]!.task.id);
      const never = new AbortController().signal;
      const signals = { cancel: never, kill: never };
      const check = (cwd: string) => checkPhase(world, engine, cwd, signals);
      const end = await grounds.endPhase({ phase: phaseRequest(session.run, at), tasks, verify: check });
      await grounds.idle();
      if (end.kind === "refused") {
        throw new EspalierError("NOT_MERGED", end.reason, { exitCode: EXIT.waitingForPerson });
      }
      const done =
        end.kind === "merged"
          ? `merged into ${end.into} (${end.commit.slice(0, 10)})`
          : "there is nothing to merge";
      say(io, `phase ${visible(label)}: ${done}`);
      return EXIT.done;
    } finally {
      await warden.close();
    }
  });
}
