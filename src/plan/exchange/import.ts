import { visible } from "../../text/index.ts";
import { placedTasks, taskFile, type Writable } from "../output/task-file.ts";
import type { Phase, PhaseInfo, Task } from "../types.ts";
import { declaredOrder } from "./declared-order.ts";
import type { Foreign } from "./foreign.ts";
import { harmless } from "./harmless.ts";
import { originOf } from "./origin.ts";
import { trusted } from "./trusted.ts";

/** A source as a task file, and what of it did not come along. Ids are those of the source. */
export interface Imported {
  readonly text: string;
  readonly tasks: number;
  readonly done: number;
  readonly leftOut: number;
  /** Of what is left out: what waits for tasks that the source only puts off. */
  readonly behind: readonly string[];
  /** Titles that would have said more than what a task is called; they stand in its description. */
  readonly renamed: readonly string[];
  /** Descriptions that were cut. */
  readonly cut: readonly string[];
  /** Tasks with a command: nobody who writes issues says what is run here. */
  readonly commands: readonly string[];
}

/** Characters of a description that are taken. */
const LONGEST = 20_000;
const LONGEST_TITLE = 300;

/**
 * A source as a task file that reads as the source does, whatever its texts say: ids become `T1.1` and so on, the field `origin` of
 * each names what it was, descriptions stand in fences. What is written is read again; a title that turns out to say something
 * is made plain, and kept in the description.
 */
export function importPlan(foreign: Foreign, comment: string): Imported {
  const phases = phasesOf(foreign);
  const ids = mentionable(foreign, phases);
  const tasks = declaredOrder(foreign.tasks).map(task => plainTask(foreign, task, phases, ids));
  const wanted: Writable = {
    project: foreign.project,
    phases: phases.map(({ phase, title }) => ({ phase, title: line(title) })),
    tasks,
    contextNodes: [],
  };
  const made = trusted(wanted, comment, { titles: "names" });
  if (made === undefined) throw new Error("an imported plan does not read the same as a task file");
  const { plan, trust } = made;
  const isRenamed = ({ id }: Task) => (trust.get(id) ?? 0) > 0;
  return {
    text: taskFile(plan, comment),
    tasks: tasks.length,
    done: tasks.filter(task => task.done).length,
    leftOut: tasks.filter(task => task.skip === true).length,
    behind: foreign.tasks.filter(({ putOff }) => putOff === "behind").map(({ id }) => id),
    renamed: tasks.filter(isRenamed).map(({ id }) => id),
    cut: foreign.tasks.filter(task => descriptionOf(foreign, task).length > LONGEST).map(({ id }) => id),
    commands: foreign.tasks.filter(task => task.run ?? task.verify ?? task.test).map(({ id }) => id),
  };
}

const line = (text: string) => visible(text.replaceAll(/\s+/g, " ").trim(), LONGEST_TITLE);

/** Phases under numbers of ours, where theirs are none. */
function phasesOf({ phases }: Foreign): readonly (PhaseInfo & { readonly from: Phase })[] {
  const areOurs = phases.every(({ phase }) => Number.isInteger(phase));
  return phases.map(({ phase, title }, at) => ({ from: phase, phase: areOurs ? phase : at + 1, title }));
}

/** Ids of a source that its texts mention and nothing else looks like, each with what it is in the task file. */
function mentionable(
  { kind, tasks }: Foreign,
  phases: ReturnType<typeof phasesOf>,
): (text: string) => string {
  if (kind !== "spec-kit") return text => text;
  const moved = tasks.map(task => ({ ...task, phase: phaseIn(task, phases) }));
  const ids = new Map(placedTasks({ phases, tasks: moved }).map(({ task, id }) => [task.id, id]));
  return text => text.replaceAll(/\bT\d{3,4}[a-z]?\b/g, id => ids.get(id) ?? id);
}

function phaseIn({ phase }: Task, phases: ReturnType<typeof phasesOf>): Phase {
  return phases.find(({ from }) => from === phase)?.phase ?? 1;
}

/** What of a task is taken over: no command, no agent, nothing that decides how it is worked on but its role. */
function plainTask(
  foreign: Foreign,
  task: Task,
  phases: ReturnType<typeof phasesOf>,
  withIds: (text: string) => string,
): Task {
  const { id, title, done, dependsOn, children } = task;
  const skip = task.skip === true;
  const role = task.role ?? task.specialist;
  return {
    id,
    phase: phaseIn(task, phases),
    title: withIds(line(title)),
    kind: "worker",
    done: done && !skip,
    ...(skip ? { skip } : {}),
    dependsOn,
    parallelWith: [],
    files: task.files,
    ...(role !== undefined && /^[\p{L}\p{N}_.-]{1,100}$/u.test(role) ? { role } : {}),
    ...(children === undefined ? {} : { children }),
    origin: originOf(foreign.kind, id),
    line: 0,
    text: withIds(harmless(cutTo(LONGEST, descriptionOf(foreign, task)))),
  };
}

/** A Markdown task without the line that its title and box come from, its lines moved to the margin. */
function descriptionOf({ kind }: Foreign, { text, title, optional }: Task): string {
  if (kind === "github" || kind === "beads") return text.trim();
  if (kind === "task-master") return text.startsWith(title) ? text.slice(title.length).trim() : text.trim();
  const lines = text.split(/\r\n|\r|\n/);
  const below = optional === true ? lines : lines.slice(1);
  const margin = Math.min(
    ...below.filter(one => one.trim() !== "").map(one => one.length - one.trimStart().length),
  );
  return below
    .map(one => one.slice(margin))
    .join("\n")
    .trim();
}

function cutTo(length: number, text: string): string {
  return text.length > length ? `${text.slice(0, length).trimEnd()}\n[…]` : text;
}
