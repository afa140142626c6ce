import type { Reading, Task } from "../types.ts";

/** A plan as other programs read it: every key is there; null, false or [] where the file says nothing. */
export interface PlanJson {
  readonly format: string;
  readonly project: string;
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
  readonly phases: readonly Readonly<Record<string, unknown>>[];
  readonly contextNodes: readonly Readonly<Record<string, unknown>>[];
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
}

/** What is ours alone: the block as it stands, and what is asked while a run goes on. */
type Unpublished = "text" | "asked";

/** The keys of a task in the order they are written, each with what stands there where the file says nothing. */
const TASK_KEYS: Readonly<Record<Exclude<keyof Task, Unpublished>, null | false | readonly []>> = {
  id: null,
  phase: null,
  title: null,
  kind: null,
  done: false,
  dependsOn: [],
  parallelWith: [],
  specialist: null,
  worktree: null,
  files: [],
  verify: null,
  run: null,
  contextRef: null,
  fills: null,
  preparedBy: [],
  line: null,
  risk: null,
  agent: null,
  role: null,
  test: null,
  expects: null,
  tdd: null,
  skip: false,
  optional: false,
  order: null,
  children: [],
  inherited: [],
};

function taskJson(task: Task): Readonly<Record<string, unknown>> {
  const keys = Object.entries(TASK_KEYS) as [keyof typeof TASK_KEYS, unknown][];
  return Object.fromEntries(keys.map(([key, without]) => [key, task[key] ?? without]));
}

/** The published JSON form of a reading. */
export function planJson(reading: Reading): PlanJson {
  const { plan, diagnostics } = reading;
  return {
    format: plan.format,
    project: plan.project,
    tasks: plan.tasks.map(taskJson),
    phases: plan.phases.map(({ phase, title }) => ({ phase, title })),
    contextNodes: plan.contextNodes.map(({ id, parent, shared, documents }) => ({
      id,
      parent: parent ?? null,
      shared: shared ?? [],
      documents: documents ?? [],
    })),
    diagnostics: diagnostics.map(({ code, severity, message, line, column, hint }) => ({
      code,
      severity,
      message,
      line,
      column,
      hint,
    })),
  };
}
