import { askRunning } from "../../host/control/running.ts";
import { isElsewhere } from "../../host/project/invocation.ts";
import type { Project } from "../../host/project/project.ts";
import { type RunReading, readEvents, requireRun } from "../../host/project/reader.ts";
import { endIn, NOTHING_TOLD, type Told, toldIn } from "../../host/run/aftermath.ts";
import type { TakenAway } from "../../host/run/conducted.ts";
import { oneFolderOf } from "../../host/session/one-folder.ts";
import { EXIT, type TaskRow, type TaskStatus } from "../../ports/index.ts";
import { shownRun, thinLine } from "../../run/index.ts";
import { reasonText } from "../../text/index.ts";
import { awaitedBy } from "../awaited.ts";
import { type Io, isInteractive, say } from "../io.ts";
import { ledTasks } from "../led.ts";
import { projectOf } from "../project.ts";
import { lookOf } from "../views/look.ts";

/** The shape `espalier status --json` prints. */
function statusJson({ stored, plan }: RunReading, alive: boolean, away: TakenAway | undefined) {
  const rows = new Map<string, TaskRow>(stored.tasks.map(row => [row.id, row]));
  const counts: Partial<Record<TaskStatus, number>> = {};
  for (const row of stored.tasks) counts[row.status] = (counts[row.status] ?? 0) + 1;
  const { id, phase: label, reason } = stored.run;
  const phase = plan.phases.find(candidate => String(candidate.phase) === label)?.phase ?? label;
  /** Another machine goes on with it, as far as was heard here; `host` where it is known. */
  const takenOver = away === undefined ? null : { hub: away.url, host: away.host === "" ? null : away.host };
  return {
    run: { id, state: runState(stored.run.state, alive), phase, reason: reasonText(reason, "en"), takenOver },
    counts,
    tasks: plan.tasks.flatMap(task => {
      const row = rows.get(task.id);
      if (row === undefined) return [];
      const { status, retries } = row;
      const { dependsOn, parallelWith } = task;
      return [
        {
          id: task.id,
          phase: task.phase,
          status,
          dependsOn,
          parallelWith,
          retries,
          verified: row.verified ?? null,
        },
      ];
    }),
  };
}

/** A run that says it is running, while no process runs it, was killed; one that a lead holds goes on. */
function runState(state: string, alive: boolean): string {
  if (state !== "running" && state !== "interrupted") return state;
  return alive ? "running" : "interrupted";
}

function thin({ stored, plan }: RunReading): string[] {
  return shownRun(plan, stored).tasks.map(thinLine);
}

interface StatusOptions {
  readonly json?: boolean;
  readonly thin?: boolean;
  readonly all?: boolean;
  readonly watch?: boolean;
}

/** Where the work of a run is that nobody works on; undefined where it is nowhere but in the project's folder. */
async function workOf({ env }: Io, project: Project, reading: RunReading, told: Told) {
  if (oneFolderOf(project) !== undefined) return undefined;
  const { leftWork } = await import("../left-work.ts");
  return leftWork(env, project, reading, told);
}

/** Where the run goes on that another machine has taken from this folder. */
async function awayFrom({ stateDir }: Project, { stored }: RunReading) {
  const { takenAway } = await import("../../host/run/conducted.ts");
  return takenAway(stateDir, stored.run.id);
}

/** What agents of the process that works on the run wait for. */
async function askedIn(project: Project) {
  const { openQuestions } = await import("../../host/control/open-questions.ts");
  return (await openQuestions(project)) ?? [];
}

/** The run as it stands now, as text, and whether a process works on it. */
async function present(
  io: Io,
  project: Project,
  options: StatusOptions,
): Promise<{ text: string; alive: boolean }> {
  const reading = requireRun(project);
  const alive = (await askRunning(project, { method: "ping" })) !== undefined;
  const away = isElsewhere(reading.invocation) && !alive ? await awayFrom(project, reading) : undefined;
  if (options.json === true) {
    const goesOn = alive || ledTasks(reading.stored).size > 0;
    return { text: JSON.stringify(statusJson(reading, goesOn, away), null, 2), alive };
  }
  if (options.thin === true) return { text: thin(reading).join("\n"), alive };
  const { statusView } = await import("../views/status-view.ts");
  const { config } = project;
  const isLeft = !alive && ledTasks(reading.stored).size === 0;
  const { id } = reading.stored.run;
  const told = (isLeft
    ? readEvents(project, id, events => ({ ...toldIn(events), endedAt: endIn(events) }))
    : undefined) ?? { ...NOTHING_TOLD, endedAt: undefined };
  const facts = {
    ...reading,
    asked: alive ? await askedIn(project) : [],
    endedAt: told.endedAt,
    work: isLeft ? await workOf(io, project, reading, told) : undefined,
    troubles: told.troubles,
    awaited: isLeft ? told.awaited : awaitedBy(project, reading.stored),
    live: alive,
    maxAttempts: config.maxAttempts,
    phaseGate: config.phaseGate,
    now: Date.now(),
    isElsewhere: isElsewhere(reading.invocation),
    resources: config.resources,
    ...(away === undefined ? {} : { away }),
    all: options.all === true,
  };
  return { text: statusView(facts, lookOf(io.stdout, io.env, project.locale)).join("\n"), alive };
}

/** Milliseconds between two looks of `--watch`. */
const LOOK_AGAIN = 1000;
const CLEAR = "\u001b[H\u001b[2J";

/** `espalier status`. With `--watch` it is shown again whenever it changes, until no process works on the run. */
export async function status(io: Io, options: StatusOptions): Promise<number> {
  const project = projectOf(io);
  let shown: string | undefined;
  for (;;) {
    const { text, alive } = await present(io, project, options);
    if (text !== shown && text !== "")
      say(io, shown !== undefined && isInteractive(io) ? `${CLEAR}${text}` : text);
    shown = text;
    if (options.watch !== true || !alive) return EXIT.done;
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN));
  }
}
