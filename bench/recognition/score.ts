import type { Truth, TruthTask } from "./truth.ts";

/** A task as a reader found it. */
export interface Found {
  readonly id: string;
  readonly line: number;
  readonly done: boolean;
  readonly dependsOn: readonly string[];
  readonly parallelWith: readonly string[];
  readonly specialist?: string;
}

/** The measures, in the order in which they are printed. */
export const FIELDS = [
  "tasks",
  "done",
  "depends",
  "depends, all",
  "specialist",
  "specialist, all",
  "parallel",
  "graph",
] as const;

export type Field = (typeof FIELDS)[number];

/** The measures that must reach the threshold; the others are only shown. */
export const GATED: readonly Field[] = ["tasks", "done", "depends", "depends, all", "specialist"];

export interface Mismatch {
  readonly field: Field;
  readonly line: number;
  readonly id: string;
  readonly expected: string;
  readonly got: string;
}

/** Right of all, per field; `missing` and `extra` tell how tasks went wrong. */
export interface Score {
  readonly right: Record<Field, number>;
  readonly of: Record<Field, number>;
  missing: number;
  extra: number;
  readonly mismatches: Mismatch[];
}

/** A score of nothing. */
export function emptyScore(): Score {
  const zero = (): Record<Field, number> =>
    Object.fromEntries(FIELDS.map(field => [field, 0])) as Record<Field, number>;
  return { right: zero(), of: zero(), missing: 0, extra: 0, mismatches: [] };
}

/** Adds `part` to `total`, mismatches included. */
export function addScore(total: Score, part: Score): void {
  for (const field of FIELDS) {
    total.right[field] += part.right[field];
    total.of[field] += part.of[field];
  }
  total.missing += part.missing;
  total.extra += part.extra;
  total.mismatches.push(...part.mismatches);
}

/** Share of right answers in percent; 100 where nothing was asked. */
export function percent(score: Score, field: Field): number {
  return score.of[field] === 0 ? 100 : (100 * score.right[field]) / score.of[field];
}

/** The reading of the file that fits what was found best, where it has several. */
export function fittingReading(truth: Truth, found: readonly Found[]): readonly TruthTask[] {
  let best = truth.tasks;
  for (const reading of truth.orTasks ?? [])
    if (gatedShare(score(reading, found)) > gatedShare(score(best, found))) best = reading;
  return best;
}

function gatedShare(result: Score): number {
  return GATED.reduce((sum, field) => sum + percent(result, field), 0);
}

/**
 * Holds what was found against one reading of a file. A spurious task counts against `tasks` like a missing one; the fields of a missing task are wrong. Where the graph
 * gives a task without a field its dependencies, `depends` takes either reading and `graph` only the graph's.
 */
export function score(tasks: readonly TruthTask[], found: readonly Found[]): Score {
  const result = emptyScore();
  const byId = new Map<string, Found>();
  const byLine = new Map<number, Found>();
  for (const task of found) {
    if (byId.has(task.id)) spurious(task);
    else byId.set(task.id, task);
    byLine.set(task.line, task);
  }
  const together = symmetric(tasks);
  const matched = new Set<Found>();
  for (const task of tasks) {
    const got = task.id === "" ? byLine.get(task.line) : byId.get(task.id);
    if (got) matched.add(got);
    const open = new Set(task.ambiguous);
    if (open.has("id") && !got) continue;
    if (!open.has("id")) {
      if (!got) result.missing += 1;
      check("tasks", task, got !== undefined, "a task", "none");
    }
    if (!open.has("done")) check("done", task, got?.done === task.done, `${task.done}`, `${got?.done}`);
    if (!open.has("dependsOn")) scoreDependencies(task, got);
    if (!open.has("specialist")) {
      const right = got !== undefined && (got.specialist ?? null) === task.specialist;
      if (task.specialist !== null)
        check("specialist", task, right, task.specialist, got?.specialist ?? "none");
      check("specialist, all", task, right, task.specialist ?? "none", got?.specialist ?? "none");
    }
    const parallel = together.get(task.id);
    if (task.parallelWith !== undefined && parallel !== undefined)
      check(
        "parallel",
        task,
        sameSet(got?.parallelWith, [...parallel]),
        [...parallel].join(" "),
        list(got?.parallelWith),
      );
  }
  for (const task of byId.values()) if (!matched.has(task)) spurious(task);
  return result;

  function spurious(task: Found): void {
    result.extra += 1;
    result.of.tasks += 1;
    result.mismatches.push({
      field: "tasks",
      line: task.line,
      id: task.id,
      expected: "no task",
      got: "a task",
    });
  }

  function scoreDependencies(task: TruthTask, got: Found | undefined): void {
    const readings = [task.dependsOn, ...(task.orDependsOn ?? [])];
    if (task.mermaidDependsOn) {
      readings.push(task.mermaidDependsOn);
      const right = sameSet(got?.dependsOn, task.mermaidDependsOn);
      check("graph", task, right, task.mermaidDependsOn.join(" "), list(got?.dependsOn));
    }
    const right = readings.some(reading => sameSet(got?.dependsOn, reading));
    const expected = readings.map(reading => list(reading)).join(" or ");
    if (task.dependsOn.length > 0) check("depends", task, right, expected, list(got?.dependsOn));
    check("depends, all", task, right, expected, list(got?.dependsOn));
  }

  function check(field: Field, task: TruthTask, right: boolean, expected: string, got: string): void {
    result.of[field] += 1;
    if (right) result.right[field] += 1;
    else result.mismatches.push({ field, line: task.line, id: task.id, expected, got });
  }
}

/** "Together with" holds both ways, whoever of the two says it. */
function symmetric(tasks: readonly TruthTask[]): Map<string, Set<string>> {
  const together = new Map<string, Set<string>>();
  const of = (id: string): Set<string> => together.get(id) ?? together.set(id, new Set()).get(id)!;
  for (const task of tasks) {
    of(task.id);
    for (const other of task.parallelWith ?? []) {
      of(task.id).add(other);
      of(other).add(task.id);
    }
  }
  return together;
}

function sameSet(got: readonly string[] | undefined, expected: readonly string[]): boolean {
  if (got === undefined || got.length !== expected.length) return false;
  const wanted = new Set(expected);
  return new Set(got).size === wanted.size && got.every(id => wanted.has(id));
}

function list(ids: readonly string[] | undefined): string {
  return ids === undefined ? "missing" : ids.length === 0 ? "none" : ids.join(" ");
}
