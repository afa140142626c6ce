import { VALUED, type ValueKey } from "../syntax/fields.ts";
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

/** What the file itself says of a task besides its fields, each with what stands there where it says nothing. */
const OF_PLACE: Readonly<Record<Exclude<keyof Task, ValueKey | Unpublished>, null | false | readonly []>> = {
  id: null,
  phase: null,
  title: null,
  done: false,
  dependsOn: [],
  parallelWith: [],
  preparedBy: [],
  line: null,
  skip: false,
  optional: false,
  order: null,
  children: [],
  inherited: [],
};

/** The order that was published before fields had a table; keys that it does not name stand behind it. */
const ORDER =
  "id phase title kind done dependsOn parallelWith specialist worktree files verify run contextRef fills preparedBy line " +
  "risk agent role test expects tdd";

const WITHOUT = Object.entries({
  ...Object.fromEntries(ORDER.split(" ").map(key => [key, null])),
  ...OF_PLACE,
  ...Object.fromEntries(VALUED.map(([key]) => [key, null])),
}) as readonly (readonly [keyof Task, unknown])[];

function taskJson(task: Task): Readonly<Record<string, unknown>> {
  return Object.fromEntries(WITHOUT.map(([key, without]) => [key, task[key] ?? without]));
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
