import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { randomName } from "../../adapters/local/random.ts";
import { watchFile } from "../../adapters/local/watch-file.ts";
import { instanceAt, startWarden, type Warden } from "../../adapters/process/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import {
  createQuestions,
  Engine,
  type EngineEnd,
  type EngineOptions,
  hardenStop,
  type Workspaces,
  type World,
} from "../../engine/index.ts";
import type { Phase } from "../../plan/index.ts";
import { because, EspalierError } from "../../ports/index.ts";
import { useResources } from "../../run/index.ts";
import { visible } from "../../text/index.ts";
import { type Approvals, permissionsKept } from "../approval/approval.ts";
import { beginWork, benchOf, keepSocket, refusalEvent } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { answer } from "../control/answer.ts";
import { createAttemptService } from "../control/attempt-service.ts";
import { openControl } from "../control/control.ts";
import { heardOutside, type Surroundings } from "../monitor/inside.ts";
import { projectNotifiers } from "../notify/notifiers.ts";
import { createNoticeView, type NoticeView } from "../notify/view.ts";
import { storeError } from "../project/errors.ts";
import { engineOptions, resourceRules, spendingOf } from "../project/settings.ts";
import type { Session } from "../session/open.ts";
import { type Aftermath, takenBy, toldOf } from "./aftermath.ts";
import { projectAgents } from "./agents.ts";
import { heldToPort } from "./brought-agents.ts";
import { chronicleOf } from "./chronicle.ts";
import { followTaskFile } from "./follow.ts";
import { projectJail } from "./jail.ts";
import { keepOutputs, outputSources } from "./keep-outputs.ts";
import { joinMachines, labelsAsked, type Machines } from "./machines.ts";
import { mergeInside } from "./merge-phases.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { phaseAfter } from "./phase-after.ts";
import { requireAgents, requireDiffs, unpriced, withChosenAgent } from "./require-agents.ts";
import { requireRunBlocks } from "./require-present.ts";
import { projectTelemetry, type Telemetry } from "./telemetry.ts";
import { whereaboutsAfter } from "./whereabouts.ts";
import { projectWorkspaces } from "./workspaces.ts";
import { localWorld } from "./world.ts";

/** A run as it ended, where its state could be written to the last. */
export type RunEnd = Extract<EngineEnd, { kind: "ended" }>;

/** What a run is conducted with. */
export interface RunRequest {
  readonly caller: Caller;
  readonly session: Session;
  readonly approvals: Approvals;
  /** The repository its tasks are worked in, where there is one. */
  readonly repository: Repository | undefined;
  /** Whether the run stays after its end, for a person to mend it, until a stop is asked for. */
  readonly stays: boolean;
  /** The state is believed as it stands. */
  readonly trusts: boolean;
}

/** A run that is about to begin, as those see it who show and steer it. */
export interface Running {
  readonly session: Session;
  readonly engine: Engine;
  readonly world: World;
  readonly options: EngineOptions;
  readonly around: Surroundings;
  /** What is left of it now besides its tasks. */
  aftermath(): Promise<Aftermath>;
}

/** What shows a run. */
export interface Face {
  /** Nothing happens any more, whatever it came to. */
  ended(): Promise<void>;
  /** The last word on a run that ended as runs do. */
  report(end: RunEnd): Promise<void>;
  /** Lets go of what it has open. */
  close(): Promise<void>;
}

interface Prepared extends Running {
  readonly around: Surroundings & Required<Pick<Surroundings, "chronicle" | "workers">>;
  readonly workspaces: Workspaces | undefined;
  readonly notices: NoticeView;
  readonly telemetry: Telemetry | undefined;
  readonly outbox: Outbox;
  readonly machines: Machines | undefined;
}

/** Makes everything that a run needs, and connects it; nothing is dispatched. Throws EspalierError. */
async function prepare(request: RunRequest, warden: Warden): Promise<Prepared> {
  const { caller, session, approvals, repository, stays, trusts } = request;
  const { env } = caller;
  const { project, run, invocation } = session;
  const { config, root, stateDir } = project;
  const jail = await projectJail(config, env["PATH"]);
  const own = caller.agents ?? [];
  const outbox = createOutbox();
  const machines = await joinMachines(session, repository, { env, trusts, approvals }, outbox.warn);
  const labels = machines === undefined ? labelsAsked(run) : [];
  if (labels.length > 0) outbox.warn("LABELS", because("labels-here", { labels }));
  const here = () =>
    new Map([
      ...projectAgents({ jail, config, invocation, approvals, warden, env, root, stateDir }),
      ...own.map(agent => [agent.name, heldToPort(agent)] as const),
    ]);
  const agents = machines?.agents ?? here();
  const usual = engineOptions(config, invocation, session.runId, root);
  const names = new Set([...usual.agents, ...(machines?.agents.keys() ?? [])]);
  const wished = { ...usual, agents: names, stays };
  const options = await withChosenAgent(wished, agents);
  // Only now it is known which agent an `auto` stands for, and which a machine has.
  useResources(run, resourceRules(config, options, run.policy.parallel, machines?.offers));
  if (machines !== undefined)
    await requireRunBlocks(run, options, () =>
      because("machines-have", { agents: [...machines.agents.keys()].filter(name => name !== "shell") }),
    );
  const found = await requireAgents(run, options, agents);
  requireDiffs(options, repository !== undefined);
  const budget = options.tree?.budget;
  for (const agent of found) outbox.note(agent);
  for (const agent of unpriced(found, agents, invocation.maxCost ?? config.budget.maxCost, usual.prices))
    outbox.warn("NO_PRICE", because("no-price", { agent }));
  const workers = createAttemptService(session, session.project.config.locale);
  const questions = createQuestions(SYSTEM_CLOCK, outbox.note, {
    patienceMs: config.limits.question,
    allows: permissionsKept(env, root, project.locale).allows,
  });
  const sources = budget === undefined ? undefined : outputSources(project, budget, env, outbox.warn);
  const local = localWorld({ session, agents, approvals, warden, env, jail });
  const fleet = machines?.fleet ?? local.fleet;
  const telemetry = await projectTelemetry(session, run, local, env, message =>
    outbox.warn("NOT_TOLD", message),
  );
  const world = {
    ...local,
    fleet: telemetry?.fleet(fleet) ?? fleet,
    ...sources,
    ...workers.world,
    questions,
    stillOurs: () => local.stillOurs() && machines?.ended() === undefined,
  };
  const workspaces =
    repository === undefined
      ? undefined
      : await projectWorkspaces({ session, repository, options, world, tell: outbox.warn });
  const afterPhase = phaseAfter(session, world, options);
  const settlePhases =
    workspaces !== undefined || options.phaseVerify !== undefined || afterPhase !== undefined;
  run.policy = { ...run.policy, settlePhases };
  run.spending = spendingOf(config, invocation, session.usage);
  const placed = {
    ...world,
    ...(workspaces === undefined ? {} : { workspaces }),
    ...(afterPhase === undefined ? {} : { afterPhase }),
  };
  const engine = new Engine(run, placed, options, session.facts, session);
  const chronicle = chronicleOf(session, world, env, outbox.note);
  engine.listen(chronicle.hear);
  if (budget !== undefined && sources !== undefined)
    engine.listen(keepOutputs(session, budget, sources.changed, () => world.clock.now(), outbox.warn));
  const grounds =
    workspaces === undefined || repository === undefined
      ? undefined
      : { session, run, repository, workspaces, world: placed, options, note: engine.note.bind(engine) };
  const around = {
    session,
    redact: world.redact,
    chronicle,
    questions,
    workers,
    merge: (phase: string | undefined) =>
      mergeInside(run.ended !== undefined && run.running.size === 0, grounds, phase),
  };
  const aftermath = async () => {
    const { aside, ...told } = toldOf(session.store, session.runId);
    const work =
      repository === undefined ? undefined : await whereaboutsAfter(repository, session, run, aside);
    const stored = session.store.load();
    const found = stored.ok ? stored.value : undefined;
    return { work, ...told, ...(found === undefined ? {} : { taken: takenBy(found, config.budget.prices) }) };
  };
  const notices = createNoticeView({
    notifiers: projectNotifiers({ project, approvals, caller, world, options }),
    run,
    clock: world.clock,
    everyMs: config.notify.every,
    aftermath,
    warn: message => outbox.warn("NOT_TOLD", message),
  });
  engine.listen(notices.event);
  if (telemetry !== undefined) engine.listen(telemetry.event);
  if (machines !== undefined) {
    engine.listen(machines.copies.changed);
    engine.listen(({ event }) => {
      if (event.type === "stopping") machines.stopping();
    });
  }
  return {
    session,
    engine,
    world,
    options,
    around,
    aftermath,
    workspaces,
    notices,
    telemetry,
    outbox,
    machines,
  };
}

/** Lets other processes ask and steer the run while it is used. */
async function withControl<T>(
  { caller }: RunRequest,
  { engine, session, around }: Prepared,
  use: () => Promise<T>,
): Promise<T> {
  const { env } = caller;
  const { project } = session;
  const { questions, workers } = around;
  const control = await openControl(project, request => answer(engine, request, around), {
    subscribe: heardOutside(engine, around),
    attend: questions.attend,
    bench: benchOf(project, env, false, (request, decider) => engine.note(refusalEvent(request, decider))),
  });
  const forget = control.ok ? keepSocket(project, env, control.value.path) : () => {};
  if (control.ok) session.lock.describe({ controlSocket: control.value.path });
  else {
    const reach = `Ctrl+C or "kill -TERM ${process.pid}" stops this run; "espalier stop" and "espalier task" cannot reach it`;
    caller.tell(`no control socket (${control.failure}): ${reach}`);
  }
  const closeWorkers = await workers.open(engine, project);
  try {
    return await use();
  } finally {
    await closeWorkers();
    forget();
    if (control.ok) await control.value.close();
  }
}

/** Starts the engine and waits for its end. */
async function perform({
  session,
  engine,
  world,
  workspaces,
  notices,
  telemetry,
  outbox,
  machines,
}: Prepared): Promise<EngineEnd> {
  const { project, file, invocation, resumed } = session;
  outbox.deliver(engine);
  const ending = engine.start(resumed);
  const isFollowed = (invocation.plan ?? project.config.plan) === "reconcile";
  const isThere = (phase: Phase) => workspaces === undefined || phase === 0;
  const changed = followTaskFile(engine, world.taskFile, session, isThere);
  const unwatch = isFollowed ? watchFile(file.path, changed) : () => {};
  const soften = hardenStop(engine, world.clock);
  try {
    const end = await ending;
    await Promise.all([workspaces?.idle(), notices.drained(), telemetry?.close()]);
    await machines?.copies.end(end.kind === "ended" && end.outcome === "completed");
    return end;
  } finally {
    soften();
    unwatch();
  }
}

/**
 * Conducts a run to its end: agents, control socket, task file, notices. `show` is called with the run before anything
 * is dispatched. Throws EspalierError.
 */
export async function conduct(
  request: RunRequest,
  show: (running: Running) => Face | Promise<Face>,
): Promise<RunEnd> {
  const { caller, session } = request;
  await beginWork(session.project, caller.env);
  const warden = startWarden(instanceAt(session.project.stateDir, randomName(16)));
  let face: Face | undefined;
  let prepared: Prepared | undefined;
  try {
    const begun = await prepare(request, warden);
    prepared = begun;
    const { world, around, notices } = begun;
    for (const note of session.notes) caller.tell(visible(note));
    const shown = await show(begun);
    face = shown;
    const end = await withControl(request, begun, async () => {
      try {
        return await perform(begun);
      } finally {
        await shown.ended();
      }
    });
    if (end.kind === "store-failed") {
      const failed = begun.machines?.ended() ?? storeError(end.failure);
      // Whoever took over is the only one to write now.
      if (end.failure.kind !== "fenced" && world.stillOurs()) around.chronicle.write(failed.message, false);
      notices.broke(world.redact(failed.message));
      throw failed;
    }
    await shown.report(end);
    return end;
  } catch (error) {
    if (error instanceof EspalierError) throw error;
    caller.tell("the run ended by a bug; its state is saved: espalier resume goes on");
    prepared?.notices.broke("a bug of Espalier");
    throw error;
  } finally {
    await Promise.all([prepared?.notices.drained(), prepared?.telemetry?.close()]);
    await face?.close();
    await warden.close();
  }
}
