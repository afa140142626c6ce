import type { Asked } from "../../engine/index.ts";
import type { Trouble } from "../../host/run/aftermath.ts";
import type { TakenAway } from "../../host/run/conducted.ts";
import { readyToMerge, type Whereabouts } from "../../host/run/phase-work.ts";
import type { Plan } from "../../plan/index.ts";
import type { AttemptRow, StoredRun } from "../../ports/index.ts";
import {
  blockages,
  byPhase,
  heldPhase,
  type PhaseFacts,
  type TaskFacts,
  tally,
  taskFacts,
} from "../../run/index.ts";
import { dateAndTime, shellWord, visible } from "../../text/index.ts";
import { ledTasks } from "../led.ts";
import { askedOf, workerText } from "./attempt-lines.ts";
import { countsLine } from "./counts-line.ts";
import { cell, heading, type Look, line } from "./look.ts";
import { isOfBudget, nextSteps, stepLines } from "./next-steps.ts";
import { elapsed } from "./terminal/clock-text.ts";
import { MARKS, markOf, markPiece, NOTICE } from "./terminal/marks.ts";
import type { Piece } from "./terminal/paint.ts";
import { columnWidth } from "./terminal/width.ts";
import { standing, troubleLines } from "./troubles.ts";
import { waitText } from "./waits.ts";
import { workLines } from "./work-lines.ts";

/** What `espalier status` shows. */
export interface StatusFacts {
  readonly stored: StoredRun;
  readonly plan: Plan;
  /** A process works on the run now. */
  readonly live: boolean;
  readonly maxAttempts: number;
  /** Share of a phase that must complete before the next one starts, 0–1. */
  readonly phaseGate: number;
  /** Wall clock, epoch milliseconds. */
  readonly now: number;
  /** The agents of the run are on other machines. */
  readonly isElsewhere?: boolean;
  /** What the project caps of what its tasks use. */
  readonly resources?: Readonly<Record<string, number>>;
  /** What agents ask of a person, oldest first. */
  readonly asked?: readonly Asked[];
  /** By task: the agent whose quota it waits for. */
  readonly awaited?: ReadonlyMap<string, string> | undefined;
  /** When work on it ended, epoch milliseconds; undefined while it goes on, and where it has not told. */
  readonly endedAt?: number | undefined;
  /** Where its work is; undefined while a process works on it, and where there are no branches. */
  readonly work?: Whereabouts | undefined;
  /** What failed besides its tasks. */
  readonly troubles?: readonly Trouble[];
  /** Where it goes on since another machine has taken it. */
  readonly away?: TakenAway;
  /** Show every task; otherwise phases without anything to tell are one line when there are many tasks. */
  readonly all: boolean;
}

/** Tasks up to which every phase is shown in full. */
const SHORT = 40;
/** Columns of a title beyond which it is cut even on a wide terminal. */
const TITLE = 60;
const LENGTH = 300;

/** What is worked out once for all parts of the view. */
interface Derived {
  readonly tasks: readonly TaskFacts[];
  readonly phases: readonly PhaseFacts[];
  readonly held: string | undefined;
  readonly attempts: ReadonlyMap<string, AttemptRow>;
  /** A lead has taken tasks and not reported them yet. */
  readonly led: boolean;
  /** The broken task behind each blocked one. */
  readonly roots: ReadonlyMap<string, string>;
}

function derive({ stored, plan, phaseGate, live }: StatusFacts): Derived {
  // What a process was doing when it died is done again: its tasks are ready for the next one.
  // What a lead has taken is its own between two of its commands, too.
  const attempts = new Map(stored.openAttempts.map(attempt => [attempt.task, attempt]));
  const led = ledTasks(stored);
  const goesOn = (task: string) => live || led.has(task);
  const tasks = taskFacts(plan, stored.tasks).map(facts =>
    facts.status !== "in_progress" || goesOn(facts.task.id) ? facts : { ...facts, status: "ready" as const },
  );
  const phases = byPhase(plan.phases, tasks);
  const roots = blockages(tasks).flatMap(({ by, tasks: held }) =>
    held.map(facts => [facts.task.id, by] as const),
  );
  return {
    tasks,
    phases,
    held: heldPhase(phases, phaseGate, new Set(stored.run.forced)),
    attempts,
    led: led.size > 0,
    roots: new Map(roots),
  };
}

function head(facts: StatusFacts, derived: Derived, look: Look): string[] {
  const { run } = facts.stored;
  const { words } = look;
  // A run whose process is gone without having ended was interrupted, whatever its row says.
  const stale = run.state === "running" && !facts.live;
  // A lead keeps its run as one that nobody works on: it may leave at any moment.
  const isLed = run.state === "interrupted" && (facts.live || derived.led);
  const state = stale ? words.run.interrupted : words.run[isLed ? "running" : run.state];
  const until =
    isLed || (run.state === "running" && facts.live) ? facts.now : (facts.endedAt ?? run.updatedAt);
  const phase = run.phase === "" ? "" : `  ${words.phase(visible(run.phase, LENGTH))}`;
  const calm = run.state === "completed" || isLed || (run.state === "running" && !stale);
  const lines = [
    line(
      look,
      { text: visible(run.project, LENGTH), style: "title" },
      { text: `  ${state}`, style: calm ? "green" : "yellow" },
      { text: `${phase}  ${elapsed(until - run.startedAt)}` },
      { text: `  ${visible(run.id, LENGTH)}  ${dateAndTime(run.startedAt)}`, style: "dim" },
    ),
    countsLine(tally(derived.tasks), look, ""),
  ];
  // Who has taken it over goes on with what it had under way.
  if (stale && facts.away === undefined) {
    const goesOn =
      facts.isElsewhere === true && facts.stored.openAttempts.some(one => one.machine !== undefined);
    const text = goesOn ? words.staleElsewhere : words.stale;
    lines.push(line(look, { text: `${NOTICE.sign} ${text}`, style: "yellow" }));
  }
  if (run.held === true && run.state !== "completed")
    lines.push(line(look, { text: `${MARKS.paused.sign} ${words.heldNow}`, style: "yellow" }));
  if (isOfBudget(run.reason) && !facts.live)
    lines.push(line(look, { text: `${MARKS.paused.sign} ${words.reason(run.reason)}`, style: "yellow" }));
  if (derived.held !== undefined) {
    const text = words.heldByGate(visible(derived.held, LENGTH));
    lines.push(line(look, { text: `${MARKS.paused.sign} ${text}`, style: "yellow" }));
  }
  return lines;
}

const named = (agent: string | undefined) => agent && visible(agent, LENGTH);

function noteOf(facts: TaskFacts, status: StatusFacts, derived: Derived, look: Look): Piece[] {
  const { words } = look;
  const attempt = derived.attempts.get(facts.task.id);
  const parts: Piece[] = [];
  const add = (text: string, style: Piece["style"]) =>
    parts.push({ text: "  " }, { text, style: style ?? "plain" });
  if (attempt !== undefined && facts.status === "in_progress")
    add(
      `${workerText(attempt, { ...status, labels: askedOf(facts.task, status) }, words)}  ${elapsed(status.now - attempt.startedAt)}`,
      "cyan",
    );
  for (const { task, kind, title } of status.asked ?? [])
    if (task === facts.task.id) add(visible(words.asks(kind, visible(title, LENGTH)), LENGTH), "yellow");
  if (facts.status === "completed" && facts.verified !== true) add(words.unverified, "yellow");
  if (facts.retries > 0) add(words.retryOf(facts.retries, status.maxAttempts), "yellow");
  if ((facts.status === "ready" || facts.status === "waiting") && facts.notBefore > status.now)
    add(waitText(facts, words, status.now, named(status.awaited?.get(facts.task.id))), "dim");
  const root = derived.roots.get(facts.task.id);
  if (root !== undefined) add(words.by(visible(root, LENGTH)), "dim");
  else if (facts.reason !== undefined)
    add(visible(words.reason(facts.reason), LENGTH), facts.status === "completed" ? "yellow" : "dim");
  return parts;
}

/** Why no machine has begun the attempt of a task, where that is known: a line of its own, below its row. */
function waitLines(
  { status, task }: TaskFacts,
  { isElsewhere }: StatusFacts,
  { attempts }: Derived,
  look: Look,
) {
  const { reason, machine } = attempts.get(task.id) ?? {};
  if (status !== "in_progress" || isElsewhere !== true || machine !== undefined || reason === undefined)
    return [];
  return [line(look, { text: `      ${visible(look.words.reason(reason), LENGTH)}`, style: "yellow" })];
}

/** In a long list a phase that is all done or all pending has nothing to tell. */
function isFolded(phase: PhaseFacts, facts: StatusFacts, derived: Derived): boolean {
  if (facts.all || derived.tasks.length <= SHORT) return false;
  const [first] = phase.tasks;
  const quiet = first?.status === "completed" || first?.status === "pending";
  return quiet && phase.tasks.every(task => task.status === first?.status);
}

function phaseBlock(phase: PhaseFacts, facts: StatusFacts, derived: Derived, look: Look): string[] {
  const { counts, total } = tally(phase.tasks);
  const title = line(
    look,
    { text: look.words.phase(visible(phase.label, LENGTH)), style: "bold" },
    { text: `  ${visible(phase.title, LENGTH)}` },
    { text: `  ${counts.completed}/${total - counts.skipped}`, style: "dim" },
  );
  if (isFolded(phase, facts, derived)) return [title];
  const idWidth = columnWidth(phase.tasks, row => visible(row.task.id, LENGTH), 20);
  const share = Math.floor((look.width - idWidth - 7) * 0.6);
  const titleWidth = columnWidth(
    phase.tasks,
    row => visible(row.task.title, LENGTH),
    Math.max(10, Math.min(TITLE, share)),
  );
  const rows = phase.tasks.flatMap(task => {
    const { id, title: name } = task.task;
    const row = line(
      look,
      { text: "  " },
      markPiece(markOf(task.status, task.verified)),
      { text: cell(look, visible(id, LENGTH), idWidth), style: "bold" },
      { text: `  ${cell(look, visible(name, LENGTH), titleWidth)}` },
      ...noteOf(task, facts, derived, look),
    );
    return [row, ...waitLines(task, facts, derived, look)];
  });
  return [title, ...rows];
}

/** `espalier status` as lines: where the run stands, its tasks by phase, and what waits for a person. */
export function statusView(facts: StatusFacts, look: Look): string[] {
  const { words } = look;
  const derived = derive(facts);
  // A folded phase is one line; a blank one stands around those that are not.
  const blocks = derived.phases.map(phase => phaseBlock(phase, facts, derived, look));
  const body = blocks.flatMap((block, at) => {
    const apart = block.length > 1 || at === 0 || (blocks[at - 1]?.length ?? 0) > 1;
    return apart ? ["", ...block] : block;
  });
  const complete = facts.stored.run.state === "completed";
  const live = facts.live || derived.led;
  const waiting = readyToMerge(facts.work?.phases ?? []);
  const troubles = standing(facts.troubles, complete);
  const { away } = facts;
  const steps =
    away === undefined
      ? nextSteps(
          {
            tasks: derived.tasks,
            gated: derived.held,
            live,
            complete,
            reason: facts.stored.run.reason,
            waiting,
            asked: facts.asked ?? [],
            troubles: troubles.map(({ kind }) => kind),
          },
          words,
        )
      : [{ command: `espalier resume --take-over --on ${shellWord(away.url)}`, why: words.why.bringBack }];
  const told =
    away === undefined ? [] : ["", look.paint("yellow", words.goesOnElsewhere(visible(away.host, LENGTH)))];
  const title = live ? words.headings.person : words.headings.next;
  const advice = steps.length === 0 ? [] : ["", heading(look, title), ...stepLines(steps, look)];
  return [
    ...head(facts, derived, look),
    ...told,
    ...body,
    ...troubleLines(troubles, look),
    ...workLines(facts.work, look),
    ...advice,
  ];
}
