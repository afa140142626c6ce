import { type Invocation, isElsewhere } from "../../host/project/invocation.ts";
import {
  loadPlan,
  type PlanFile,
  renderDiagnostics,
  requireFolders,
  requireUsable,
} from "../../host/project/plan-file.ts";
import { findTaskFile, lastTaskFile } from "../../host/project/project.ts";
import { hasState, noRun, readLastRun } from "../../host/project/reader.ts";
import { unticked } from "../../host/project/renamed.ts";
import { engineOptions, mergeInvocations } from "../../host/project/settings.ts";
import { lastOf, launch, type Origin, presentRun, type RunWish } from "../../host/run/launch.ts";
import { rehearse } from "../../host/run/rehearse.ts";
import { requireKnown } from "../../host/run/require-agents.ts";
import { oneFolderNote, oneFolderOf } from "../../host/session/one-folder.ts";
import { projectRepository } from "../../host/session/repository.ts";
import { because, EspalierError, EXIT, type RunOutcome } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { errorFor, reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { keepHeapSmall } from "../heap.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { type PageWish, wantsPage } from "../page.ts";
import { projectOf } from "../project.ts";
import { showRun } from "../run-face.ts";

export interface RunFlags extends Invocation, Omit<RunWish, "invocation" | "stays">, PageWish {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  /** Brings the run here first that another machine conducted; the run's name, where it is told. */
  readonly takeOver?: string | true;
}

const EXIT_OF: Readonly<Record<RunOutcome, number>> = {
  completed: EXIT.done,
  failed: EXIT.failedTasks,
  waiting: EXIT.waitingForPerson,
  interrupted: EXIT.interrupted,
};

function invocationOf(flags: RunFlags): Invocation {
  if (flags.plan !== undefined && flags.plan !== "reconcile" && flags.plan !== "frozen") {
    throw errorFor("USAGE", because("plan-choice", { said: visible(String(flags.plan), 80) }), {
      exitCode: EXIT.usage,
    });
  }
  const { agent, command, parallel, allowMissing, plan, maxTokens, maxCost, on } = flags;
  return { agent, command, parallel, allowMissing, plan, maxTokens, maxCost, on };
}

/** A task of a wave; where several agents work on it at once, with their names. */
function withAgents({ byId, policy }: RunState, id: string): string {
  const task = byId.get(id)?.task;
  const agents = task === undefined ? [] : (policy.resources?.agentsOf(task) ?? []);
  return agents.length < 2 ? id : `${id} (${agents.join(" | ")})`;
}

async function dryRun(io: Io, origin: Origin, wish: RunWish, isJson: boolean): Promise<number> {
  const { project, file, plan } = origin;
  const isOneFolder = (await projectRepository(project, file, io.env)) === undefined;
  const why = isOneFolder ? (oneFolderOf(project) ?? "outside") : undefined;
  requireFolders(file, plan, project, why);
  const shared = oneFolderNote(why, project, wish.invocation, plan.plan);
  if (shared !== undefined) warn(io, reasonText(shared, project.locale));
  const invocation = mergeInvocations(lastOf(origin)?.invocation ?? {}, wish.invocation);
  const run = presentRun(origin, wish, isOneFolder);
  const options = engineOptions(project.config, invocation, "", project.root);
  requireKnown(run, options);
  const waves = rehearse(run);
  const { estimateOf } = await import("../../host/run/estimate.ts");
  const estimate = estimateOf(origin, wish, run, waves.flat());
  if (isJson) sayJson(io, { dryRun: true, waves, ...(estimate === undefined ? {} : { estimate }) });
  else if (waves.length === 0) say(io, reasonText(because("nothing-to-dispatch", {}), project.locale));
  else
    for (const [at, wave] of waves.entries())
      say(io, `${String(at + 1).padStart(4)}  ${wave.map(id => withAgents(run, id)).join(", ")}`);
  if (isJson || estimate === undefined) return EXIT.done;
  const { estimateView } = await import("../views/estimate-view.ts");
  for (const line of estimateView(estimate, origin.project.locale)) say(io, line);
  return EXIT.done;
}

/** Whether the last run was of the same tasks, word for word but for their boxes: what was found in them has been told then. */
function isTold(last: ReturnType<typeof lastOf>, { tasks }: PlanFile["plan"]): boolean {
  const before = last?.plan.tasks ?? [];
  return (
    before.length === tasks.length &&
    tasks.every(
      ({ id, text }, at) => before[at]?.id === id && unticked(before[at]?.text ?? "") === unticked(text),
    )
  );
}

async function go(io: Io, found: Omit<Origin, "plan">, flags: RunFlags): Promise<number> {
  const { project, file } = found;
  const isJson = flags.json === true;
  // Before the plan is read: what the young generation has grown to by now, it keeps.
  if (flags.dryRun !== true) keepHeapSmall();
  const allowMissing = flags.allowMissing ?? lastOf(found)?.invocation.allowMissing === true;
  const plan = loadPlan(file, allowMissing, project);
  requireUsable(file, plan, project.locale);
  if (!isJson) {
    if (!isTold(lastOf({ ...found, plan }), plan.plan))
      for (const line of renderDiagnostics(file, plan, 10, project.locale)) warn(io, line);
    if (file.others.length > 0)
      warn(
        io,
        reasonText(because("other-task-files", { file: file.display, others: file.others }), project.locale),
      );
  }
  const { dashboard, port, public: publicOrigin, pair } = flags;
  const page = { dashboard, port, public: publicOrigin, pair };
  const wish = { ...flags, invocation: invocationOf(flags), stays: wantsPage(page) };
  const origin = { ...found, plan };
  if (flags.dryRun === true) return dryRun(io, origin, wish, isJson);
  const { outcome } = await launch(callerOf(io), origin, wish, running =>
    showRun(io, running, { json: isJson, ...page }),
  );
  return EXIT_OF[outcome];
}

/** `espalier run [FILE]`: starts a run, or goes on with the one of this task file. */
export function run(io: Io, named: string | undefined, flags: RunFlags): Promise<number> {
  const project = projectOf(io, named);
  const latest = readLastRun(project);
  const file = findTaskFile(project, io.cwd, named, latest?.stored.run);
  return go(io, { project, file, latest }, flags);
}

/** Times that a run is brought here while the other machine goes on with it and a person is asked here. */
const MOST_BROUGHT = 3;

/** Brings the run of another machine here, and goes on with it. Throws EspalierError. */
async function takeOverHere(io: Io, flags: RunFlags): Promise<number> {
  const { takeOver: wanted, on } = flags;
  if (on === undefined) throw errorFor("USAGE", because("take-over-needs-hub", {}), { exitCode: EXIT.usage });
  const [{ takeOver }, { COPY_OLD }] = await Promise.all([
    import("../../host/run/take-over.ts"),
    import("../../host/run/hub-copies.ts"),
  ]);
  let run = wanted === true ? undefined : wanted;
  for (let times = 1; ; times++) {
    const project = projectOf(io);
    const brought = await takeOver(callerOf(io), project, { on, run, isLast: times === MOST_BROUGHT });
    ({ run } = brought);
    warn(io, reasonText(brought.told, project.locale));
    try {
      return await goOn(io, { ...flags, adopt: true });
    } catch (error) {
      if (!(error instanceof EspalierError) || error.code !== COPY_OLD) throw error;
      warn(io, reasonText(because("brought-anew", {}), project.locale));
    }
  }
}

/** `espalier resume`: goes on with the last run, whatever its task file is. */
export function resume(io: Io, flags: RunFlags): Promise<number> {
  return flags.takeOver === undefined ? goOn(io, flags) : takeOverHere(io, flags);
}

async function goOn(io: Io, flags: RunFlags): Promise<number> {
  const project = projectOf(io);
  const latest = readLastRun(project);
  const on = flags.on ?? project.config.on;
  // What a checkpoint says needs no run before it: the clone may be new, or its state lost.
  if (latest === undefined && !hasState(project) && flags.from === undefined)
    throw noRun(project, isElsewhere({ on }) ? on : undefined);
  const file = lastTaskFile(project, latest?.stored.run);
  return go(io, { project, file, latest }, flags);
}
