import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import { Engine, type EngineEnd } from "../../engine/index.ts";
import { EspalierError, EXIT, type RunOutcome } from "../../ports/index.ts";
import type { Approvals } from "../approval.ts";
import { storeError } from "../errors.ts";
import { type Io, warn } from "../io.ts";
import { engineOptions } from "../settings.ts";
import { projectAgents, requireAgents } from "./agents.ts";
import { answer } from "./answer.ts";
import { openControl } from "./control.ts";
import { followTaskFile } from "./follow.ts";
import type { Session } from "./open.ts";
import { onSignals } from "./signals.ts";
import { createViews } from "./views.ts";
import { localWorld } from "./world.ts";

const EXIT_OF: Readonly<Record<RunOutcome, number>> = {
  completed: EXIT.done,
  failed: EXIT.failedTasks,
  waiting: EXIT.waitingForPerson,
  interrupted: EXIT.interrupted,
};

async function withControl<T>(io: Io, engine: Engine, session: Session, use: () => Promise<T>): Promise<T> {
  const control = await openControl(session.project, request => answer(engine, request));
  if (control.ok) session.lock.describe({ controlSocket: control.value.path });
  else {
    const reach = `Ctrl+C or "kill -TERM ${process.pid}" stops this run; "espalier stop" and "espalier task" cannot reach it`;
    warn(io, `no control socket (${control.failure}): ${reach}`);
  }
  try {
    return await use();
  } finally {
    if (control.ok) await control.value.close();
  }
}

/** Runs a session to its end: agents, signals, control socket, views. Returns the exit code. */
export async function drive(
  io: Io,
  session: Session,
  approvals: Approvals,
  flags: { json: boolean },
): Promise<number> {
  const { project, run } = session;
  const options = engineOptions(project.config, session.invocation, session.runId, project.root);
  const warden = startWarden(randomName(16));
  const agents = projectAgents({
    config: project.config,
    invocation: session.invocation,
    approvals,
    warden,
    path: io.env["PATH"],
    root: project.root,
  });
  try {
    await requireAgents(run, options, agents);
    const world = localWorld({ session, agents, approvals, warden, env: io.env });
    const engine = new Engine(run, world, options, session.facts, session);
    const views = await createViews(io, { engine, world, session, options, json: flags.json });
    engine.listen(views.event);
    engine.onTaskFile = followTaskFile(engine, world.taskFile, session);
    const end = await withControl(io, engine, session, async (): Promise<EngineEnd> => {
      const release = onSignals((by, how) => {
        views.stopping();
        void engine.send({ type: "stop", by, how });
      });
      try {
        return await engine.start(session.resumed);
      } finally {
        release();
        await views.close();
      }
    });
    if (end.kind === "store-failed") throw storeError(end.failure);
    await views.report(end);
    return EXIT_OF[end.outcome];
  } catch (error) {
    if (error instanceof EspalierError) throw error;
    warn(io, "the run ended by a bug; its state is saved: espalier resume goes on");
    throw error;
  } finally {
    await warden.close();
  }
}
