import { visible, visibleLines } from "../../text/index.ts";
import { placedTasks, taskFile, type Writable } from "../output/task-file.ts";
import { readPlan } from "../read.ts";
import type { Phase, PhaseInfo, Plan, Task } from "../types.ts";
import { declaredOrder } from "./declared-order.ts";
import type { Foreign } from "./foreign.ts";
import { originOf } from "./origin.ts";

/** A source as a task file, and what of it did not come along. Ids are those of the source. */
export interface Imported {
  readonly text: string;
  readonly tasks: number;
  readonly done: number;
  readonly leftOut: number;
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

/** Readings after which nobody's title is trusted any more: each takes trust away from somebody. */
const ROUNDS = 5;

/** How much of its title a task keeps: all, its plain words, nothing. */
type Trust = 0 | 1 | 2;

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
  const { plan, trust } = trusted(wanted, comment);
  const isRenamed = ({ id }: Task) => (trust.get(id) ?? 0) > 0;
  return {
    text: taskFile(plan, comment),
    tasks: tasks.length,
    done: tasks.filter(task => task.done).length,
    leftOut: tasks.filter(task => task.skip === true).length,
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
  const { id, title, done, skip, dependsOn, children } = task;
  const role = task.role ?? task.specialist;
  return {
    id,
    phase: phaseIn(task, phases),
    title: withIds(line(title)),
    kind: "worker",
    done: done && skip !== true,
    ...(skip === true ? { skip } : {}),
    dependsOn,
    parallelWith: [],
    files: task.files,
    ...(role !== undefined && /^[\w.-]{1,100}$/.test(role) ? { role } : {}),
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

/** Text that may stand in a file: no controls, no line that begins as a merge marker. */
function harmless(text: string): string {
  return visibleLines(text.replaceAll(/\r\n|\r/g, "\n").replaceAll("\t", "    ")).replaceAll(
    /^(?=<<<<<<< )/gm,
    " ",
  );
}

function cutTo(length: number, text: string): string {
  return text.length > length ? `${text.slice(0, length).trimEnd()}\n[…]` : text;
}

/** The plan under the most of its titles under which it reads as it should. */
function trusted(
  plan: Writable,
  comment: string,
): { readonly plan: Writable; readonly trust: ReadonlyMap<string, Trust> } {
  const trust = new Map<string, Trust>();
  let headings: Pick<Writable, "project" | "phases"> = plan;
  for (let round = 0; round <= ROUNDS; round++) {
    const now = {
      ...plan,
      ...headings,
      tasks: plan.tasks.map(task => titled(task, trust.get(task.id) ?? 0)),
    };
    const suspects = suspectsOf(now, comment);
    if (suspects === undefined) return { plan: now, trust };
    if (suspects.size === 0 || round === ROUNDS - 1) headings = plainHeadings(plan);
    if (round === ROUNDS - 1) for (const { id } of plan.tasks) trust.set(id, 2);
    else for (const id of suspects) trust.set(id, trust.has(id) ? 2 : 1);
  }
  throw new Error("an imported plan does not read the same as a task file");
}

/** Headings that say nothing but that they are some. */
function plainHeadings({ phases }: Writable): Pick<Writable, "project" | "phases"> {
  return { project: "tasks", phases: phases.map(({ phase }) => ({ phase, title: "" })) };
}

function titled(task: Task, trust: Trust): Task {
  if (trust === 0) return task;
  const words = task.title.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  const title = trust === 1 && words !== "" ? words : (task.origin ?? "");
  return {
    ...task,
    title,
    files: trust === 1 ? task.files : [],
    text: `${task.title}\n\n${task.text}`.trim(),
  };
}

/** The tasks that a written plan reads otherwise than it was meant; none where that is unclear, undefined where it reads well. */
function suspectsOf(plan: Writable, comment: string): ReadonlySet<string> | undefined {
  const meant = placedTasks(plan);
  const { tasks: read, faults } = reread(plan, comment);
  const aligned = read.length === meant.length && read.every((task, at) => task.id === meant[at]!.id);
  if (!aligned) return new Set(plan.tasks.filter(task => !readsAlone(task)).map(({ id }) => id));
  const ids = new Map(meant.map(({ task, id }) => [task.id, id]));
  const wrong = meant.filter(({ task }, at) => {
    const until = read[at + 1]?.line ?? Number.POSITIVE_INFINITY;
    const isFaulty = faults.some(line => line >= read[at]!.line && line < until);
    return isFaulty || said(task, ids) !== said(read[at]!, undefined);
  });
  if (wrong.length > 0) return new Set(wrong.map(({ task }) => task.id));
  return faults.length > 0 ? new Set() : undefined;
}

/** A written plan as it reads, and the lines of its errors. */
function reread(
  plan: Writable,
  comment: string,
): { readonly tasks: Plan["tasks"]; readonly faults: readonly number[] } {
  const bytes = new TextEncoder().encode(taskFile(plan, comment));
  const { plan: read, diagnostics } = readPlan(bytes, { path: "TASKS.md" });
  const faults = diagnostics.filter(({ severity }) => severity === "error").map(({ line }) => line);
  return { tasks: read.tasks, faults };
}

/** Whether a task is one task and nothing else where it stands alone. */
function readsAlone(task: Task): boolean {
  const { children: _, ...rest } = task;
  const alone = { ...rest, phase: 1, dependsOn: [] };
  const plan = { project: "tasks", phases: [{ phase: 1, title: "" }], tasks: [alone], contextNodes: [] };
  const [read, ...others] = reread(plan, "").tasks;
  const ids = new Map([[task.id, "T1.1"]]);
  return read !== undefined && others.length === 0 && said(alone, ids) === said(read, undefined);
}

/** All that a task says besides its title, in ids of the task file. */
function said(task: Task, ids: ReadonlyMap<string, string> | undefined): string {
  const own = (id: string) => ids?.get(id) ?? id;
  const { phase, done, skip, dependsOn, parallelWith, children, files, origin, kind } = task;
  const role = task.role ?? task.specialist;
  const {
    run,
    verify,
    test,
    expects,
    agent,
    tdd,
    uses,
    risk,
    fills,
    contextRef,
    retry,
    review,
    tries,
    machine,
  } = task;
  return JSON.stringify([
    [
      phase,
      done,
      skip,
      dependsOn.map(own).sort(),
      parallelWith,
      children?.map(own),
      files,
      origin,
      kind,
      role,
    ],
    [run, verify, test, expects, agent, tdd, uses, risk, fills, contextRef, retry, review, tries, machine],
  ]);
}
