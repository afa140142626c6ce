import type { Taken, Trouble } from "../../host/run/aftermath.ts";
import { readyToMerge, type Whereabouts } from "../../host/run/phase-work.ts";
import type { PhaseInfo } from "../../plan/index.ts";
import type { Reason, RunOutcome } from "../../ports/index.ts";
import {
  blockages,
  byPhase,
  heldPhase,
  inScope,
  type PhaseFacts,
  type RunState,
  type Tally,
  type TaskFacts,
  tally,
} from "../../run/index.ts";
import { duration, visible } from "../../text/index.ts";
import { countsLine } from "./counts-line.ts";
import { cell, heading, type Look, line } from "./look.ts";
import { isOfBudget, nextSteps, type Step, stepLines } from "./next-steps.ts";
import { section } from "./section.ts";
import { bar } from "./terminal/bar.ts";
import { MARKS, type Mark, NOTICE } from "./terminal/marks.ts";
import type { Piece } from "./terminal/paint.ts";
import { alignRight, columnWidth } from "./terminal/width.ts";
import { standing, troubleLines } from "./troubles.ts";
import { waitText } from "./waits.ts";
import type { Words } from "./words/words.ts";
import { workLines } from "./work-lines.ts";

/** What the report at the end of a run is made of. */
export interface ReportFacts {
  readonly project: string;
  readonly outcome: RunOutcome;
  /** The engine's own words, used where the tasks do not explain the outcome. */
  readonly reason: Reason | undefined;
  readonly phases: readonly PhaseInfo[];
  /** The tasks this run was about. */
  readonly tasks: readonly TaskFacts[];
  /** Label of the phase that waits for a person because the one before it ended below its gate. */
  readonly gated: string | undefined;
  readonly ms: number;
  /** Where its work is; undefined where there are no branches. */
  readonly work?: Whereabouts | undefined;
  /** What its attempts took. */
  readonly taken?: Taken | undefined;
  /** What failed besides its tasks. */
  readonly troubles?: readonly Trouble[];
  /** Tasks whose work nobody could review. */
  readonly unreviewed?: readonly string[];
  /** By task: the agent whose quota it waits for. */
  readonly awaited?: ReadonlyMap<string, string>;
  /** Where the run's log is, as people open it. */
  readonly log: string;
  /** Where the raw output of an attempt is; undefined when there is none. */
  readonly attemptLog: (task: string, attempt: number) => string | undefined;
}

/** Completed tasks that are named one by one. */
const FEW = 8;
const LENGTH = 300;

/** The facts of a run in memory. */
export function reportFacts(
  run: RunState,
  more: Pick<
    ReportFacts,
    "ms" | "log" | "attemptLog" | "work" | "taken" | "troubles" | "unreviewed" | "awaited"
  >,
): ReportFacts {
  const tasks = run.tasks.filter(state => inScope(run, state));
  return {
    project: run.plan.project,
    outcome: run.ended?.outcome ?? "interrupted",
    reason: run.ended?.reason,
    phases: run.plan.phases,
    tasks,
    gated: heldPhase(byPhase(run.plan.phases, tasks), run.policy.phaseGate, run.forced),
    ...more,
  };
}

const OUTCOME: Readonly<Record<RunOutcome, Mark>> = {
  completed: MARKS.completed,
  failed: MARKS.failed,
  waiting: MARKS.paused,
  interrupted: NOTICE,
};

/** What the run took; a run of commands alone took nothing. */
function takenLines(taken: ReportFacts["taken"], look: Look): string[] {
  if (taken === undefined || (taken.tokens === 0 && taken.cost === undefined)) return [];
  const { attempts, cost, unpriced } = taken;
  const tokens = `${taken.estimated > 0 ? "≈ " : ""}${Math.round(taken.tokens).toLocaleString("en-US")}`;
  const price = cost === undefined ? undefined : `$${cost.toFixed(2)}`;
  return [line(look, { text: `  ${look.words.taken(attempts, tokens, price, unpriced)}` })];
}

function head(facts: ReportFacts, counted: Tally, look: Look): string[] {
  const { sign, style } = OUTCOME[facts.outcome];
  const { ended, endedUndone } = look.words;
  const isUndone = facts.outcome === "failed" && counted.counts.failed === 0;
  const text = (isUndone ? endedUndone : ended[facts.outcome])(duration(facts.ms));
  return [
    // The verdict is never cut, whatever the width.
    `${look.paint(style, sign)} ${look.paint("bold", visible(facts.project, 60))}  ${look.paint(style, text)}`,
    countsLine(counted, look, "  "),
    ...takenLines(facts.taken, look),
  ];
}

function phaseTable(phases: readonly PhaseFacts[], look: Look): string[] {
  const rows = phases.map(phase => {
    const { counts, total } = tally(phase.tasks);
    const counted = total - counts.skipped;
    const broken = counts.failed + counts.blocked + counts.cancelled;
    const name = [look.words.phase(visible(phase.label, LENGTH)), visible(phase.title, LENGTH)];
    return { name: name.filter(part => part !== "").join("  "), counts, counted, broken };
  });
  const width = columnWidth(
    rows,
    row => row.name,
    // In a pipe nothing is cut, so that only the widest name keeps the bars below each other.
    Number.isFinite(look.width)
      ? Math.max(10, Math.min(40, look.width - (look.width < 60 ? 18 : 34)))
      : LENGTH,
  );
  return rows.map(({ name, counts, counted, broken }) =>
    line(
      look,
      { text: `  ${cell(look, name, width)}  ` },
      ...bar({ completed: counts.completed, broken, running: 0, total: counted }, look.width < 60 ? 0 : 16),
      { text: ` ${alignRight(`${counts.completed}/${counted}`, 7)}` },
      { text: broken > 0 ? `  ${MARKS.failed.sign}${broken}` : "", style: "red" },
    ),
  );
}

function taskHead(facts: TaskFacts, mark: Mark): Piece[] {
  return [
    { text: `  ${mark.sign} `, style: mark.style },
    { text: visible(facts.task.id, LENGTH), style: "bold" },
    { text: `  ${visible(facts.task.title, LENGTH)}` },
  ];
}

function brokenTask(facts: TaskFacts, report: ReportFacts, look: Look): string[] {
  const lines = [line(look, ...taskHead(facts, MARKS[facts.status]))];
  const tries = facts.retries > 0 ? `  (${look.words.attempts(facts.retries)})` : "";
  const reason = visible(look.words.reason(facts.reason), LENGTH);
  if (reason !== "" || tries !== "") lines.push(`      ${reason}${look.paint("dim", tries)}`);
  const log = facts.attempts > 0 ? report.attemptLog(facts.task.id, facts.attempts) : undefined;
  // A path is never cut: it is there to be opened.
  if (log !== undefined) lines.push(look.paint("dim", `      ${visible(log)}`));
  return lines;
}

function idList(tasks: readonly TaskFacts[], look: Look): string {
  const shown = tasks.slice(0, FEW).map(facts => visible(facts.task.id, LENGTH));
  return shown.join(", ") + (tasks.length > FEW ? ` ${look.words.more(tasks.length - FEW)}` : "");
}

function unverifiedLines(completed: readonly TaskFacts[], look: Look): string[] {
  const unproved = completed.filter(facts => facts.verified !== true);
  if (unproved.length === 0) return [];
  const text = `  ${look.words.unverifiedCount(unproved.length)}: ${idList(unproved, look)}`;
  // One that has a check of its own and is unverified was counted by a person.
  const lacksCheck = unproved.some(({ task }) => task.verify === undefined && task.test === undefined);
  const hint = lacksCheck ? [look.paint("dim", `  ${look.words.nothingProved}`)] : [];
  return [line(look, { text, style: "yellow" }), ...hint];
}

/** Completed though nobody could say what the reviewer was to say. */
function unreviewedLines(completed: readonly TaskFacts[], ids: readonly string[], look: Look): string[] {
  const unreviewed = completed.filter(({ task }) => ids.includes(task.id));
  if (unreviewed.length === 0) return [];
  const text = `  ${look.words.unreviewedCount(unreviewed.length)}: ${idList(unreviewed, look)}`;
  return [line(look, { text, style: "yellow" })];
}

/** Completed on a context that has changed since. */
function staleLines(completed: readonly TaskFacts[], look: Look): string[] {
  const noted = completed.filter(({ reason }) => reason !== undefined);
  return noted.slice(0, FEW).map(({ task, reason }) => {
    const text = `  ${visible(task.id, LENGTH)}: ${visible(look.words.reason(reason), LENGTH)}`;
    return line(look, { text, style: "yellow" });
  });
}

function gateLines(facts: ReportFacts, look: Look): string[] {
  if (facts.gated === undefined) return [];
  const text = look.words.heldByGate(visible(facts.gated, LENGTH));
  return ["", line(look, { text: `${MARKS.paused.sign} ${text}`, style: "yellow" })];
}

/** The commands that a run's end advises. */
export function reportSteps(facts: ReportFacts, words: Words): Step[] {
  const { tasks, gated, outcome, reason, work } = facts;
  const complete = outcome === "completed";
  const waiting = readyToMerge(work?.phases ?? []);
  const troubles = standing(facts.troubles, complete).map(({ kind }) => kind);
  return nextSteps({ tasks, gated, live: false, complete, reason, waiting, troubles }, words);
}

function awaitedAgent({ task }: TaskFacts, { awaited }: ReportFacts): string | undefined {
  const agent = awaited?.get(task.id);
  return agent === undefined ? undefined : visible(agent, LENGTH);
}

/** The report at the end of a run as lines; a run without trouble gets a few, trouble gets what is needed to act. */
export function reportView(facts: ReportFacts, look: Look): string[] {
  const { tasks } = facts;
  const { headings } = look.words;
  const counted = tally(tasks);
  const having = (status: TaskFacts["status"]) => tasks.filter(task => task.status === status);
  const phases = byPhase(facts.phases, tasks);
  const completed = having("completed").filter(task => task.task.children === undefined);
  const { failed, cancelled, blocked: held } = counted.counts;
  const isBroken = failed + cancelled + held > 0;
  const explained = facts.outcome === "failed" ? isBroken : !isOfBudget(facts.reason);
  const blocked = blockages(tasks);
  const steps = reportSteps(facts, look.words);
  return [
    ...head(facts, counted, look),
    ...(facts.outcome === "completed" && completed.length > 0 && completed.length <= FEW
      ? [line(look, { text: `  ${idList(completed, look)}`, style: "dim" })]
      : []),
    ...unverifiedLines(completed, look),
    ...unreviewedLines(completed, facts.unreviewed ?? [], look),
    ...staleLines(completed, look),
    ...(facts.outcome !== "completed" && phases.length > 1 ? ["", ...phaseTable(phases, look)] : []),
    ...(explained ? [] : ["", line(look, { text: `  ${visible(look.words.reason(facts.reason), LENGTH)}` })]),
    ...gateLines(facts, look),
    ...(["failed", "cancelled"] as const).flatMap(status =>
      section(headings[status], having(status), look, task => brokenTask(task, facts, look)),
    ),
    ...section(headings.blocked, blocked, look, ({ by, tasks: behind }) => [
      line(
        look,
        { text: `  ${MARKS.blocked.sign} `, style: MARKS.blocked.style },
        { text: idList(behind, look), style: "bold" },
        { text: `  ${look.words.by(visible(by, LENGTH))}` },
      ),
    ]),
    ...section(headings.paused, having("paused"), look, task => brokenTask(task, facts, look)),
    ...section(headings.waiting, having("waiting"), look, task => [
      line(look, ...taskHead(task, MARKS.waiting)),
      `      ${waitText(task, look.words, undefined, awaitedAgent(task, facts))}`,
    ]),
    ...troubleLines(standing(facts.troubles, facts.outcome === "completed"), look),
    ...workLines(facts.work, look),
    ...(steps.length === 0 ? [] : ["", heading(look, headings.next), ...stepLines(steps, look)]),
    "",
    look.paint("dim", `${headings.logs}: ${visible(facts.log)}`),
  ];
}
