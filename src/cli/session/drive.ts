import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import type { Chronicle } from "../../engine/chronicle/index.ts";
import { createQuestions, Engine, type EngineEnd, type Questions } from "../../engine/index.ts";
import { EspalierError, EXIT, type Reason, type RunOutcome } from "../../ports/index.ts";
import type { Approvals } from "../approval.ts";
import { storeError } from "../errors.ts";
import { type Io, warn } from "../io.ts";
import { engineOptions, spendingOf } from "../settings.ts";
import { projectAgents } from "./agents.ts";
import { answer } from "./answer.ts";
import { chronicleOf } from "./chronicle.ts";
import { openControl } from "./control.ts";
import { type PageWish, pageBeside } from "./dashboard.ts";
import { beginWork, benchOf, keepSocket, refusalEvent } from "./decider.ts";
import { followTaskFile } from "./follow.ts";
import { projectGrounds } from "./grounds.ts";
import { projectJail } from "./jail.ts";
import { keepOutputs, keptOutputs, projectArchive, projectTiers } from "./keep-outputs.ts";
import { heardOutside } from "./lookout-inside.ts";
import { createNoticeView, projectNotifiers } from "./notices.ts";
import type { Session } from "./open.ts";
import { requireAgents, withChosenAgent } from "./require-agents.ts";
import { onSignals } from "./signals.ts";
import { createViews } from "./views.ts";
import { createWorkerDesk, type WorkerDesk } from "./worker-desk.ts";
import { localWorld } from "./world.ts";

const EXIT_OF: Readonly<Record<RunOutcome, number>> = {
  completed: EXIT.done,
  failed: EXIT.failedTasks,
  waiting: EXIT.waitingForPerson,
  interrupted: EXIT.interrupted,
};

async function withControl<T>(
  io: Io,
  engine: Engine,
  {
    session,
    redact,
    chronicle,
    questions,
    workers,
  }: {
    readonly questions: Questions;
    readonly workers: WorkerDesk;
    readonly session: Session;
    readonly redact: (text: string) => string;
    readonly chronicle: Chronicle;
  },
  use: () => Promise<T>,
): Promise<T> {
  const control = await openControl(
    session.project,
    request => answer(engine, request, { chronicle, questions, workers }),
    {
      subscribe: heardOutside(engine, { questions, redact }),
      attend: questions.attend,
      bench: benchOf(session.project, session.env, false, (request, decider) =>
        engine.note(refusalEvent(request, decider)),
      ),
    },
  );
  const forget = control.ok ? keepSocket(session.project, session.env, control.value.path) : () => {};
  if (control.ok) session.lock.describe({ controlSocket: control.value.path });
  else {
    const reach = `Ctrl+C or "kill -TERM ${process.pid}" stops this run; "espalier stop" and "espalier task" cannot reach it`;
    warn(io, `no control socket (${control.failure}): ${reach}`);
  }
  const closeWorkers = await workers.open(engine, session.project);
  try {
    return await use();
  } finally {
    await closeWorkers();
    forget();
    if (control.ok) await control.value.close();
  }
}

/** Runs a session to its end: agents, signals, control socket, views. Returns the exit code. */
export async function drive(
  io: Io,
  session: Session,
  approvals: Approvals,
  repository: Repository | undefined,
  wishes: PageWish & { readonly json: boolean },
): Promise<number> {
  const { project, run } = session;
  const wished = {
    ...engineOptions(project.config, session.invocation, session.runId, project.root),
    stays: wishes.dashboard === true,
  };
  await beginWork(project, io.env);
  const warden = startWarden(randomName(16));
  const jail = await projectJail(project.config, io.env["PATH"]);
  const agents = projectAgents({
    jail,
    config: project.config,
    invocation: session.invocation,
    approvals,
    warden,
    env: io.env,
    root: project.root,
    stateDir: project.stateDir,
  });
  let page: { close(): Promise<void> } | undefined;
  try {
    const options = await withChosenAgent(wished, agents);
    await requireAgents(run, options, agents);
    const budget = options.tree?.budget;
    const workers = createWorkerDesk(session);
    const questions = createQuestions(SYSTEM_CLOCK, event => engine.note(event));
    let tell = (_code: string, _message: Reason, _task?: string): void => {};
    const world = {
      ...localWorld({ session, agents, approvals, warden, env: io.env, jail }),
      ...(budget === undefined
        ? {}
        : {
            kept: keptOutputs(projectTiers(project, budget)),
            archive: projectArchive(project, budget, (code, message) => tell(code, message)),
          }),
      ...workers.world,
      questions,
    };
    const grounds =
      repository === undefined
        ? undefined
        : await projectGrounds({
            session,
            repository,
            options,
            world,
            tell: (code, message, task) => tell(code, message, task),
          });
    const settlePhases = grounds !== undefined || options.phaseVerify !== undefined;
    run.policy = { ...run.policy, settlePhases };
    run.spending = spendingOf(project.config, session.invocation, session.usage);
    const placed = grounds === undefined ? world : { ...world, grounds };
    const engine = new Engine(run, placed, options, session.facts, session);
    tell = (code, message, task) => engine.warn(code, message, task);
    const chronicle = chronicleOf(session, world, io.env, event => engine.note(event));
    engine.listen(chronicle.hear);
    if (budget !== undefined) engine.listen(keepOutputs(session, budget, () => world.clock.now(), tell));
    const shared = { session, redact: world.redact, chronicle, questions, workers };
    page = await pageBeside(io, engine, shared, wishes);
    const views = await createViews(io, { engine, world, session, options, json: wishes.json });
    engine.listen(views.event);
    const notifiers = projectNotifiers({ config: project.config, approvals, env: io.env, world, options });
    const notices = createNoticeView(notifiers, run, message => engine.warn("NOT_TOLD", message));
    engine.listen(notices.event);
    engine.onTaskFile = followTaskFile(engine, world.taskFile, session);
    const end = await withControl(io, engine, shared, async (): Promise<EngineEnd> => {
      const release = onSignals((by, how) => {
        views.stopping();
        void engine.send({ type: "stop", by, how });
      });
      try {
        const ended = await engine.start(session.resumed);
        await Promise.all([grounds?.idle(), notices.drained()]);
        return ended;
      } finally {
        release();
        await views.close();
      }
    });
    if (end.kind === "store-failed") {
      // Whoever took over is the only one to write now.
      if (end.failure.kind !== "fenced" && world.stillOurs())
        chronicle.write(storeError(end.failure).message, false);
      throw storeError(end.failure);
    }
    await views.report(end);
    return EXIT_OF[end.outcome];
  } catch (error) {
    if (error instanceof EspalierError) throw error;
    warn(io, "the run ended by a bug; its state is saved: espalier resume goes on");
    throw error;
  } finally {
    await page?.close();
    await warden.close();
  }
}
