import { type Reading, type ReadOptions, readPlan, type Task } from "../../src/plan/index.ts";

/** Reads a task file from text, as if it stood in a project. */
export function read(
  text: string | Uint8Array,
  path = "TASKS.md",
  options: Omit<ReadOptions, "path"> = {},
): Reading {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return readPlan(bytes, { path, ...options });
}

/** A task of a reading; a missing one fails the test with the ids there are. */
export function task(reading: Reading, id: string): Task {
  const found = reading.plan.tasks.find(candidate => candidate.id === id);
  if (found === undefined) throw new Error(`no task ${id} among ${ids(reading).join(", ")}`);
  return found;
}

/** The one task of a file whose lines are given below `### [ ] T1.1: a`. */
export function withLines(...lines: string[]): Task {
  return task(read(`### [ ] T1.1: a\n${lines.join("\n")}\n### [ ] T9.9: other\n`), "T1.1");
}

/** Ids in the order of the file. */
export function ids(reading: Reading): string[] {
  return reading.plan.tasks.map(found => found.id);
}

/** Ids of the tasks that are done. */
export function done(reading: Reading): string[] {
  return reading.plan.tasks.filter(found => found.done).map(found => found.id);
}

/** What each task with dependencies waits for: `T1.2 <- T1.1 T1.3`. */
export function edges(reading: Reading): string[] {
  return reading.plan.tasks
    .filter(found => found.dependsOn.length > 0)
    .map(found => `${found.id} <- ${found.dependsOn.join(" ")}`);
}

/** Who runs beside whom: `T1.1 || T1.2`. */
export function pairs(reading: Reading): string[] {
  return reading.plan.tasks
    .filter(found => found.parallelWith.length > 0)
    .map(found => `${found.id} || ${found.parallelWith.join(" ")}`);
}

/** Codes of the diagnostics, errors first. */
export function codes(reading: Reading): string[] {
  return reading.diagnostics.map(found => found.code);
}

/** Codes of the errors. */
export function errors(reading: Reading): string[] {
  return reading.diagnostics.filter(found => found.severity === "error").map(found => found.code);
}

/** Messages of one code. */
export function messages(reading: Reading, code: string): string[] {
  return reading.diagnostics.filter(found => found.code === code).map(found => found.message);
}

/** A reading without what depends on line endings: the blocks' texts. */
export function withoutTexts(reading: Reading): unknown {
  return {
    diagnostics: reading.diagnostics,
    plan: { ...reading.plan, tasks: reading.plan.tasks.map(found => ({ ...found, text: "" })) },
  };
}
