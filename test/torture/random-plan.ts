import type { Phase, Plan, Task } from "../../src/plan/index.ts";
import { DEFAULT_POLICY, type RunPolicy } from "../../src/run/index.ts";
import { task } from "../run/build.ts";
import type { Random } from "./random.ts";

const PHASES: readonly Phase[] = [0, 1, 1.5, 2, 3, "PF"];
const FILES = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"];

/** Where a phase stands in the order; the generator's own notion, not the plan's. */
function rank(phase: Phase): number {
  return PHASES.indexOf(phase);
}

/** Tells children what the containers around them wait for, as the plan's readers do. */
function inherit(tasks: readonly Task[]): Task[] {
  const parents = new Map(tasks.flatMap(t => (t.children ?? []).map(child => [child, t] as const)));
  return tasks.map(t => {
    const { inherited: _, ...own } = t;
    const above: string[] = [];
    for (let at = parents.get(t.id); at !== undefined; at = parents.get(at.id)) above.push(...at.dependsOn);
    return above.length === 0 ? own : { ...own, inherited: [...new Set(above)] };
  });
}

function assemble(tasks: readonly Task[]): Plan {
  const used = new Set(tasks.map(t => t.phase));
  return {
    format: "tasks-md",
    project: "torture",
    phases: PHASES.filter(phase => used.has(phase)).map(phase => ({ phase, title: `phase ${phase}` })),
    tasks: inherit(tasks),
    contextNodes: [],
  };
}

/** What one task may look like; it waits only for tasks before it, of its own phase or earlier ones. */
function randomTask(
  random: Random,
  id: string,
  phase: Phase,
  before: readonly Task[],
  ordered: boolean,
): Task {
  const near = before.filter(t => rank(t.phase) <= rank(phase) && t.children === undefined).slice(-12);
  const edges = ordered ? 0.05 : random.pick([0.05, 0.15, 0.3]);
  const order = ordered
    ? { order: random.chance(0.5) ? ("parallel" as const) : ("sequential" as const) }
    : {};
  return task(id, {
    phase,
    text: `### [ ] ${id}: first text`,
    dependsOn: random.some(near, edges).map(t => t.id),
    files: random.chance(0.3) ? random.some(FILES, 0.3) : [],
    ...(random.chance(0.06) ? { risk: "critical" as const } : {}),
    ...(random.chance(0.08) ? { done: true } : {}),
    ...(random.chance(0.03) ? { skip: true } : {}),
    ...order,
  });
}

/** Groups some tasks of one phase under a container; nothing of the group waits for it. */
function addContainers(random: Random, tasks: Task[]): void {
  for (let n = random.between(0, 3); n > 0; n--) {
    const { phase } = random.pick(tasks);
    const grouped = new Set(tasks.flatMap(t => t.children ?? []));
    const free = tasks.filter(t => t.phase === phase && !grouped.has(t.id));
    const children = random.some(free, 0.4).map(t => t.id);
    const first = tasks.findIndex(t => children.includes(t.id));
    const dependsOn = first <= 0 ? [] : random.some(tasks.slice(0, first), 0.1);
    const id = `G${tasks.length}`;
    tasks.splice(Math.max(0, first), 0, {
      ...task(id, { phase, children, done: random.chance(0.1) }),
      dependsOn: dependsOn
        .filter(t => rank(t.phase) <= rank(phase) && t.children === undefined)
        .map(t => t.id),
    });
    const below = new Set(children);
    // A container stands before what it groups, so one pass finds everything below it.
    for (const t of tasks) if (below.has(t.id)) for (const child of t.children ?? []) below.add(child);
    const last = tasks.findLastIndex(t => t.id === id || below.has(t.id));
    for (let at = last + 1; at < tasks.length; at++) {
      const later = tasks[at]!;
      if (rank(later.phase) < rank(phase) || !random.chance(0.1)) continue;
      tasks[at] = { ...later, dependsOn: [...later.dependsOn, id] };
    }
  }
}

function addPartners(random: Random, tasks: Task[]): void {
  const pairs = new Map<string, Set<string>>();
  const join = (a: string, b: string) => pairs.set(a, (pairs.get(a) ?? new Set()).add(b));
  for (let n = random.between(0, tasks.length); n > 0; n--) {
    const [a, b] = [random.pick(tasks).id, random.pick(tasks).id];
    if (a === b) continue;
    join(a, b);
    join(b, a);
  }
  for (const [at, t] of tasks.entries()) {
    const parallelWith = [...(pairs.get(t.id) ?? [])];
    if (parallelWith.length > 0) tasks[at] = { ...t, parallelWith };
  }
}

/** A valid plan of up to `most` tasks: phases, edges, files, lone tasks, partners, containers, file order. */
export function randomPlan(random: Random, most: number): Plan {
  const phases = random.some(PHASES, 0.5);
  if (phases.length === 0) phases.push(1);
  const ordered = random.chance(0.25);
  const tasks: Task[] = [];
  const count = random.between(Math.ceil(most / 3), most);
  for (let n = 0; n < count; n++) {
    const phase = random.chance(0.1) ? random.pick(phases) : phases[Math.floor((n * phases.length) / count)]!;
    tasks.push(randomTask(random, `T${n}`, phase, tasks, ordered));
  }
  if (random.chance(0.3)) addContainers(random, tasks);
  if (random.chance(0.4)) addPartners(random, tasks);
  return assemble(tasks);
}

/** A plan without some task, and without a word of it in the others. */
function without(plan: Plan, id: string): Plan {
  const drop = (ids: readonly string[]) => ids.filter(other => other !== id);
  const tasks = plan.tasks
    .filter(t => t.id !== id)
    .map(t => ({
      ...t,
      dependsOn: drop(t.dependsOn),
      parallelWith: drop(t.parallelWith),
      ...(t.children === undefined ? {} : { children: drop(t.children) }),
    }));
  return assemble(tasks);
}

/** One edit of the file, as a person might make it. `fresh` names a task that has never been. */
export function editPlan(random: Random, plan: Plan, earlier: readonly Plan[], fresh: string): Plan {
  const at = random.below(plan.tasks.length);
  const chosen = plan.tasks[at]!;
  switch (random.below(7)) {
    case 0:
      return plan.tasks.length > 1 ? without(plan, chosen.id) : plan;
    case 1: {
      const added = randomTask(
        random,
        fresh,
        chosen.phase,
        plan.tasks.slice(0, at),
        chosen.order !== undefined,
      );
      return assemble([...plan.tasks.slice(0, at), added, ...plan.tasks.slice(at)]);
    }
    case 2:
    case 3:
      return assemble(plan.tasks.with(at, { ...chosen, text: `${chosen.text} edited` }));
    case 4: {
      const near = plan.tasks.slice(0, at).filter(t => rank(t.phase) <= rank(chosen.phase) && !t.children);
      if (chosen.children !== undefined) return plan;
      const dependsOn = random.some(near.slice(-8), 0.2).map(t => t.id);
      return assemble(
        plan.tasks.with(at, { ...chosen, dependsOn, text: `${chosen.text} on ${dependsOn.join()}` }),
      );
    }
    case 5: {
      const { skip, ...rest } = chosen;
      const left = skip === true ? rest : { ...rest, skip: true };
      return assemble(plan.tasks.with(at, { ...left, text: `${chosen.text} left` }));
    }
    default:
      // The edit is taken back.
      return earlier.length > 0 ? random.pick(earlier) : plan;
  }
}

export function randomPolicy(random: Random): RunPolicy {
  return {
    ...DEFAULT_POLICY,
    parallel: random.pick([1, 2, 3, 5, 8, 100]),
    parallelMode: random.chance(0.15) ? "declared" : "auto",
    maxAttempts: random.pick([1, 2, 3, 10]),
    sameErrorLimit: random.pick([0, 2, 3]),
    phaseGate: random.pick([0.5, 0.9, 0.9, 1]),
    backoffMs: random.pick([0, 1000]),
    backoffMaxMs: random.pick([8000, 60_000]),
    advance: random.chance(0.15) ? "asked" : "auto",
  };
}
