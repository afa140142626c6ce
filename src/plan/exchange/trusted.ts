import { placedTasks, taskFile, type Writable } from "../output/task-file.ts";
import { readPlan } from "../read.ts";
import type { Plan, Task } from "../types.ts";

/** Readings after which nobody's title is trusted any more: each takes trust away from somebody. */
const ROUNDS = 5;

/** How much of its title a task keeps: all, its plain words, those of them that are no ids, nothing. What has an origin is called by that. */
type Trust = 0 | 1 | 2 | 3;
const NONE: Trust = 3;

/** A plan that reads as it should, and how much of its title each task kept. */
interface Trusted {
  readonly plan: Writable;
  readonly trust: ReadonlyMap<string, Trust>;
}

interface Reading {
  /**
   * What a title may say besides what its task is called: nothing, or also what the fields of its task leave open (paths, a role,
   * a risk, tests first).
   */
  readonly titles: "names" | "hints";
}

/** The plan under the most of its titles under which it reads as it should; undefined where it never does. */
export function trusted(plan: Writable, comment: string, reading: Reading): Trusted | undefined {
  const trust = new Map<string, Trust>();
  let headings: Pick<Writable, "project" | "phases"> = plan;
  for (let round = 0; round <= ROUNDS; round++) {
    const now = {
      ...plan,
      ...headings,
      tasks: plan.tasks.map(task => titled(task, trust.get(task.id) ?? 0, reading)),
    };
    const suspects = suspectsOf(now, comment, reading);
    if (suspects === undefined) return { plan: now, trust };
    if (suspects.size === 0 || round === ROUNDS - 1) headings = plainHeadings(plan);
    if (round === ROUNDS - 1) for (const { id } of plan.tasks) trust.set(id, NONE);
    else for (const id of suspects) trust.set(id, Math.min((trust.get(id) ?? 0) + 1, NONE) as Trust);
  }
  return undefined;
}

/** Headings that say nothing but that they are some. */
function plainHeadings({ phases }: Writable): Pick<Writable, "project" | "phases"> {
  return { project: "tasks", phases: phases.map(({ phase }) => ({ phase, title: "" })) };
}

function titled(task: Task, trust: Trust, { titles }: Reading): Task {
  if (trust === 0) return task;
  const words = task.title.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
  const bare = words
    .split(" ")
    .filter(word => !/\d/.test(word))
    .join(" ");
  const title = trust === 1 && words !== "" ? words : (task.origin ?? (trust === NONE ? "" : bare));
  return {
    ...task,
    title,
    // Those of an import were read out of its words; a planner has declared its own.
    files: trust === 1 || titles === "hints" ? task.files : [],
    text: `${task.title}\n\n${task.text}`.trim(),
  };
}

/** The tasks that a written plan reads otherwise than it was meant; none where that is unclear, undefined where it reads well. */
function suspectsOf(plan: Writable, comment: string, reading: Reading): ReadonlySet<string> | undefined {
  const meant = placedTasks(plan);
  const { tasks: read, faults } = reread(plan, comment);
  const aligned = read.length === meant.length && read.every((task, at) => task.id === meant[at]!.id);
  if (!aligned) return new Set(plan.tasks.filter(task => !readsAlone(task, reading)).map(({ id }) => id));
  const ids = new Map(meant.map(({ task, id }) => [task.id, id]));
  const wrong = meant.filter(({ task }, at) => {
    const until = read[at + 1]?.line ?? Number.POSITIVE_INFINITY;
    const isFaulty = faults.some(line => line >= read[at]!.line && line < until);
    return isFaulty || !isMeant(task, read[at]!, ids, reading);
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
function readsAlone(task: Task, reading: Reading): boolean {
  const { children: _, ...rest } = task;
  const alone = { ...rest, phase: 1, dependsOn: [] };
  const plan = { project: "tasks", phases: [{ phase: 1, title: "" }], tasks: [alone], contextNodes: [] };
  const [read, ...others] = reread(plan, "").tasks;
  const ids = new Map([[task.id, "T1.1"]]);
  return read !== undefined && others.length === 0 && isMeant(alone, read, ids, reading);
}

/** Whether a task reads as it is meant, whose ids become those of the task file. */
function isMeant(meant: Task, read: Task, ids: ReadonlyMap<string, string>, { titles }: Reading): boolean {
  const hinted = titles === "hints" ? { ...meant, ...hintsOf(meant, read) } : meant;
  return said(hinted, ids) === said(read, undefined);
}

/** What a task leaves open and its title says. */
function hintsOf(meant: Task, read: Task): Partial<Task> {
  const { tdd, risk, role, specialist, files } = read;
  const hasRole = (meant.role ?? meant.specialist) !== undefined;
  return {
    ...(meant.files.length === 0 ? { files } : {}),
    ...(meant.tdd === undefined && tdd !== undefined ? { tdd } : {}),
    ...(meant.risk === undefined && risk !== undefined ? { risk } : {}),
    ...(hasRole || role === undefined ? {} : { role }),
    ...(hasRole || specialist === undefined ? {} : { specialist }),
  };
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
