import type { Trouble } from "../../host/run/aftermath.ts";
import type { Reason, ReasonCode } from "../../ports/index.ts";
import type { TaskFacts } from "../../run/index.ts";
import { shellWord, visible } from "../../text/index.ts";
import type { Look } from "./look.ts";
import { columnWidth, textWidth } from "./terminal/width.ts";
import type { Words } from "./words/words.ts";

/** A command a person may give next, exactly as it is typed, and what it does. */
export interface Step {
  readonly command: string;
  readonly why: string;
}

/** What the advice depends on. */
export interface Situation {
  readonly tasks: readonly TaskFacts[];
  /** The phase that may be forced open because the one before it ended below its gate. */
  readonly gated: string | undefined;
  /** A process works on the run: what a person decides takes effect at once. */
  readonly live: boolean;
  /** Nothing is left to do. */
  readonly complete: boolean;
  /** Why the run has ended before that; undefined for nothing to say. */
  readonly reason?: Reason | undefined;
  /** Phases that are done and wait on their branches. */
  readonly waiting?: readonly string[];
  /** What agents wait for, each under its number. */
  readonly asked?: readonly { readonly id: number }[];
  /** What failed besides the tasks. */
  readonly troubles?: readonly Trouble["kind"][];
}

/** Ids named in one command; beside it stands how many more there are. */
const NAMED = 5;

function ids(tasks: readonly TaskFacts[]): string {
  return tasks
    .slice(0, NAMED)
    .map(facts => shellWord(facts.task.id))
    .join(" ");
}

/** Why a task is paused that a person has to look at by itself: what goes on together is none of these. */
const BY_ITSELF: ReadonlySet<ReasonCode> = new Set([
  "text-changed",
  "asks-less",
  "nobody-answered",
  "paused-by-person",
  "run-block-unapproved",
  "proof-unapproved",
  "file-unapproved",
]);

/** The paused tasks that a person lets go on together, once the cause is gone: none that a person has paused, or has to look at. */
export function resumable(tasks: readonly TaskFacts[]): readonly TaskFacts[] {
  return tasks.filter(({ task, status, reason }) => {
    const isOfPerson = reason?.code === "said" && reason.args.by === "person";
    const isByItself = reason !== undefined && BY_ITSELF.has(reason.code);
    return status === "paused" && task.children === undefined && !isOfPerson && !isByItself;
  });
}

/** Whether a run has ended for want of budget, which none of its tasks tells. */
export function isOfBudget(
  reason: Reason | undefined,
): reason is Extract<Reason, { code: "budget-reached" }> {
  return reason?.code === "budget-reached";
}

/** The commands that bring a run further, most useful first. */
export function nextSteps(situation: Situation, words: Words): Step[] {
  const { tasks, gated, live, complete, reason, waiting = [], troubles = [], asked = [] } = situation;
  const { why } = words;
  const steps: Step[] = [];
  const add = (command: string, purpose: string) =>
    steps.push({ command: `espalier ${command}`, why: purpose });
  const addFor = (verb: string, named: readonly TaskFacts[], purpose: string) => {
    const left = named.length - NAMED;
    add(`task ${verb} ${ids(named)}`, left > 0 ? `${purpose} (${words.more(left)})` : purpose);
  };
  const merge = () => {
    const [first] = waiting;
    if (first === undefined) return;
    add(waiting.length === 1 ? `phase merge ${shellWord(first)}` : "phase merge --all", why.merge);
  };
  const again = troubles.includes("phase-after");
  if (complete) {
    if (again) add("resume", why.phaseAfter);
    merge();
    return steps;
  }
  const paused = tasks.filter(facts => facts.status === "paused");
  const edited = paused.filter(facts => facts.reason?.code === "text-changed");
  const asking = paused.filter(facts => facts.reason?.code === "nobody-answered");
  const held = paused.filter(facts => !edited.includes(facts) && !asking.includes(facts));
  const broken = tasks.filter(facts => facts.status === "failed" || facts.status === "cancelled");
  for (const { id } of asked.slice(0, NAMED)) add(`permit ${id}`, why.permitOnce);
  for (const facts of asking.slice(0, NAMED)) add(`permit ${ids([facts])}`, why.permit);
  const puzzling = [...held, ...asking, ...broken][0];
  if (puzzling !== undefined) add(`task show ${ids([puzzling])}`, why.look);
  if (held.length > 0) {
    if (resumable(held).length > NAMED) add("task resume --all", why.resumeTask);
    else addFor("resume", held, why.resumeTask);
  }
  if (broken.length > 0) {
    addFor("retry", broken, why.retry);
    addFor("skip", broken, why.skip);
  }
  if (edited.length > 0) {
    addFor("done", edited, why.keepDone);
    addFor("retry", edited, why.again);
  }
  if (troubles.includes("broken-before")) add("doctor --try", why.tryChecks);
  if (live) return steps;
  // Without a larger budget it would end where it began.
  if (isOfBudget(reason)) add(`resume ${reason.args.left.option}`, why.raise);
  else add("resume", again ? why.goOnAndAfter : why.goOn);
  if (gated !== undefined) add(`resume --force-phase ${shellWord(gated)}`, words.forcePhase(visible(gated)));
  merge();
  return steps;
}

/** Steps as lines: the reason beside its command, or below it on a narrow terminal. */
export function stepLines(steps: readonly Step[], look: Look): string[] {
  const column = columnWidth(steps, step => step.command, 44);
  const beside = columnWidth(steps, step => step.why, Number.POSITIVE_INFINITY) + column + 5 <= look.width;
  return steps.flatMap(({ command, why }) => {
    // Nothing is cut here: a command is there to be copied, and its reason to be read.
    const typed = `  ${look.paint("cyan", command)}`;
    if (!beside) return [typed, `    ${look.paint("dim", why)}`];
    const gap = " ".repeat(Math.max(0, column - textWidth(command)) + 3);
    return [`${typed}${gap}${look.paint("dim", why)}`];
  });
}
