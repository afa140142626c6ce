import { agentsNamed, type Plan, type ValueKey, valuesOf } from "../../plan/index.ts";
import type { AttemptRow, StoredRun, TaskStatus } from "../../ports/index.ts";
import { actionsFor, type TaskAction, type TaskFacts, taskFacts } from "../../run/index.ts";
import { dateAndTime, shellWord, visible } from "../../text/index.ts";
import { askedOf, attemptLines, block } from "./attempt-lines.ts";
import { heading, type Look, line } from "./look.ts";
import { type Step, stepLines } from "./next-steps.ts";
import { MARKS, markOf } from "./terminal/marks.ts";
import type { Piece } from "./terminal/paint.ts";
import { columnWidth, filled } from "./terminal/width.ts";
import { waitText } from "./waits.ts";

/** What `espalier task show ID` shows. */
export interface TaskViewFacts {
  readonly facts: TaskFacts;
  /** Oldest first. */
  readonly attempts: readonly AttemptRow[];
  /** Its last attempt was proved and waits for its review. */
  readonly awaitsReview?: boolean;
  /** Ids of the tasks that wait for this one. */
  readonly neededBy: readonly string[];
  /** State of another task of the plan; undefined when there is none under that id. */
  readonly statusOf: (id: string) => TaskStatus | undefined;
  /** The task file, as people open it. */
  readonly file: string;
  readonly maxAttempts: number;
  /** Wall clock, epoch milliseconds. */
  readonly now: number;
  /** The agent whose quota it waits for. */
  readonly awaited?: string | undefined;
  /** The agents of its run are on other machines. */
  readonly isElsewhere?: boolean;
  /** What the project caps of what its tasks use. */
  readonly resources?: Readonly<Record<string, number>>;
  /** Where the raw output of an attempt is; undefined when there is none. */
  readonly attemptLog: (attempt: number) => string | undefined;
}

/** The facts of one task of a stored run; undefined when the plan has no task under that id. */
export function taskViewFacts(
  { stored, plan }: { readonly stored: Pick<StoredRun, "tasks">; readonly plan: Plan },
  id: string,
  more: Pick<
    TaskViewFacts,
    | "attempts"
    | "awaited"
    | "awaitsReview"
    | "file"
    | "maxAttempts"
    | "now"
    | "isElsewhere"
    | "resources"
    | "attemptLog"
  >,
): TaskViewFacts | undefined {
  const all = taskFacts(plan, stored.tasks);
  const facts = all.find(candidate => candidate.task.id === id);
  if (facts === undefined) return undefined;
  const statuses = new Map(all.map(({ task, status }) => [task.id, status]));
  const neededBy = plan.tasks.filter(task => task.dependsOn.includes(id)).map(task => task.id);
  return { facts, neededBy, statusOf: other => statuses.get(other), ...more };
}

const LENGTH = 300;
/** Attempts that are shown; older ones are counted. */
const SHOWN_ATTEMPTS = 10;
/** Lines of the task's text that are shown. */
const TEXT = 60;

function related(ids: readonly string[], facts: TaskViewFacts): Piece[] {
  return ids.flatMap((id, at): Piece[] => {
    const status = facts.statusOf(id);
    const mark = status === undefined ? undefined : MARKS[status];
    return [
      { text: at === 0 ? "" : "  " },
      { text: mark === undefined ? "" : `${mark.sign} `, style: mark?.style ?? "plain" },
      { text: visible(id, LENGTH) },
    ];
  });
}

/** Fields that are shown in words of their own, or by what stands around them. */
const IN_WORDS: ReadonlySet<ValueKey> = new Set([
  "agent",
  "contextRef",
  "expects",
  "files",
  "fills",
  "kind",
  "risk",
  "role",
  "run",
  "specialist",
  "tdd",
  "test",
  "verify",
  "worktree",
]);

function properties(facts: TaskViewFacts, look: Look): string[] {
  const { task, retries, notBefore, status, sameError = 0 } = facts.facts;
  const { words } = look;
  const { labels } = words;
  const rows: (readonly [label: string, pieces: readonly Piece[]])[] = [];
  const text = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== "") rows.push([label, [{ text: visible(value, 2000) }]]);
  };
  const tasks = (label: string, ids: readonly string[]) => {
    if (ids.length > 0) rows.push([label, related(ids, facts)]);
  };
  if (status !== "waiting") text(labels.reason, words.reason(facts.facts.reason));
  const inARow = status === "paused" && sameError > 1 ? `  (${words.inARow(sameError)})` : "";
  if (retries > 0) text(labels.retries, `${retries}/${facts.maxAttempts}${inARow}`);
  if (notBefore > facts.now && status === "ready") text(labels.notBefore, dateAndTime(notBefore));
  if (notBefore > facts.now && status === "waiting")
    text(labels.reason, waitText(facts.facts, words, undefined, facts.awaited));
  tasks(labels.dependsOn, task.dependsOn);
  tasks(labels.parallelWith, task.parallelWith);
  tasks(labels.neededBy, facts.neededBy);
  tasks(labels.children, task.children ?? []);
  text(labels.specialist, task.role ?? task.specialist);
  text(labels.agent, agentsNamed(task).join(", "));
  text(labels.risk, task.risk);
  text(labels.worktree, task.worktree);
  text(labels.files, task.files.join(", "));
  text(labels.expects, task.expects?.join(", "));
  text(labels.test, task.test);
  text(labels.verify, task.verify);
  text(labels.context, task.contextRef);
  text(labels.fills, task.fills);
  for (const { key, name, text: value } of valuesOf(task)) if (!IN_WORDS.has(key)) text(name, value);
  if (task.asked !== undefined) text(labels.askedBy, task.asked.by);
  else text(labels.place, task.line > 0 ? words.line(visible(facts.file), task.line) : facts.file);
  const width = columnWidth(rows, ([label]) => label, 20);
  return rows.map(([label, pieces]) =>
    line(look, { text: `  ${filled(label, width)}  `, style: "dim" }, ...pieces),
  );
}

/** How its answer is read whole, where it has left one. */
function answerStep({ facts, attempts }: TaskViewFacts, look: Look): Step[] {
  const isThere = attempts.some(({ outcome, finalMessage }) => outcome === "done" && finalMessage !== "");
  const command = `espalier context get ${shellWord(facts.task.id)}`;
  return isThere ? [{ command, why: look.words.why.answer }] : [];
}

function actionSteps({ facts, awaitsReview }: TaskViewFacts, look: Look): Step[] {
  const { why } = look.words;
  const reasons: Readonly<Record<TaskAction, string>> = {
    retry: why.retry,
    skip: why.skip,
    done: why.done,
    pause: why.pause,
    resume: why.resumeTask,
    cancel: why.cancel,
    "send-back": why.sendBack,
    approve: why.approve,
  };
  return actionsFor(facts, awaitsReview).map(action => ({
    command: `espalier task ${action} ${shellWord(facts.task.id)}${action === "send-back" ? ' "…"' : ""}`,
    why: reasons[action],
  }));
}

/** `espalier task show ID` as lines: what it is, where it stands, what was tried, and what can be done. */
export function taskView(facts: TaskViewFacts, look: Look): string[] {
  const { task, status, verified } = facts.facts;
  const { words } = look;
  const mark = markOf(status, verified);
  const older = facts.attempts.length - SHOWN_ATTEMPTS;
  const unverified = status === "completed" && verified !== true;
  const steps = [...answerStep(facts, look), ...actionSteps(facts, look)];
  return [
    line(
      look,
      { text: `${mark.sign} `, style: mark.style },
      { text: visible(task.id, LENGTH), style: "title" },
      { text: `  ${visible(task.title, 1000)}` },
    ),
    line(
      look,
      { text: `  ${words.status[status]}`, style: mark.style },
      { text: unverified ? ` (${words.unverified})` : "", style: "yellow" },
      { text: `  ${words.phase(visible(String(task.phase), LENGTH))}`, style: "dim" },
    ),
    "",
    ...properties(facts, look),
    "",
    heading(look, words.headings.attempts),
    ...(facts.attempts.length === 0 ? [line(look, { text: `  ${words.noAttempts}`, style: "dim" })] : []),
    ...(older > 0 ? [line(look, { text: `  ${words.more(older)}`, style: "dim" })] : []),
    ...facts.attempts
      .slice(-SHOWN_ATTEMPTS)
      .flatMap(attempt => attemptLines(attempt, { ...facts, labels: askedOf(task, facts) }, look)),
    "",
    heading(look, task.asked === undefined ? words.headings.text : words.headings.question),
    ...block(task.text, TEXT, "start", look),
    ...(steps.length === 0 ? [] : ["", heading(look, words.headings.actions), ...stepLines(steps, look)]),
  ];
}
