import { randomName } from "../../adapters/local/random.ts";
import { startWarden } from "../../adapters/process/index.ts";
import { startControl } from "../../engine/control/server.ts";
import { Engine, type EngineEnd, type TaskFile } from "../../engine/index.ts";
import { diffPlans, readPlan } from "../../plan/index.ts";
import { EspalierError, EXIT, type RunOutcome } from "../../ports/index.ts";
import type { Approvals } from "../approval.ts";
import { storeError } from "../errors.ts";
import { type Io, warn } from "../io.ts";
import { sha256 } from "../plan-file.ts";
import { engineOptions } from "../settings.ts";
import { projectAgents, requireAgents } from "./agents.ts";
import { answer } from "./answer.ts";
import { controlPath } from "./control-path.ts";
import type { Session } from "./open.ts";
import { onSignals } from "./signals.ts";
import { storedPlanJson } from "./stored-plan.ts";
import { createViews } from "./views.ts";
import { localWorld } from "./world.ts";

const EXIT_OF: Readonly<Record<RunOutcome, number>> = {
  completed: EXIT.done,
  failed: EXIT.failedTasks,
  waiting: EXIT.waitingForPerson,
  interrupted: EXIT.interrupted,
};

/** Reads the task file again after it changed on disk and hands what is new to the run. */
function followTaskFile(
  engine: Engine,
  file: TaskFile,
  session: Session,
  warnPerson: (message: string) => void,
): () => void {
  let known = session.plan.plan;
  return () => {
    const bytes = file.read();
    if (!bytes.ok) {
      warnPerson(`the task file cannot be read (${bytes.failure}); the run goes on with the plan it has`);
      return;
    }
    const { plan, diagnostics } = readPlan(bytes.value, {
      path: session.file.display,
      allowMissing: session.invocation.allowMissing === true,
    });
    const error = diagnostics.find(diagnostic => diagnostic.severity === "error");
    if (error !== undefined) {
      warnPerson(
        `the task file has an error now (line ${error.line}: ${error.message}); the run goes on with the plan it has`,
      );
      return;
    }
    const { added, removed, changed } = diffPlans(known, plan);
    if (added.length + removed.length + changed.length === 0) return;
    known = plan;
    engine.notePlan(sha256(bytes.value), storedPlanJson(plan, session.invocation));
    void engine.send({ type: "plan-changed", plan });
  };
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
    engine.onTaskFile = followTaskFile(engine, world.taskFile, session, message =>
      engine.warn("TASK_FILE", message),
    );
    const control = await startControl(controlPath(project), request => answer(engine, request));
    session.lock.describe({ controlSocket: control.path });
    const release = onSignals((by, how) => {
      views.stopping();
      void engine.send({ type: "stop", by, how });
    });
    let end: EngineEnd;
    try {
      end = await engine.start(session.resumed);
    } finally {
      release();
      await views.close();
      await control.close();
    }
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
