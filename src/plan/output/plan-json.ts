import { VALUED, type ValueKey } from "../syntax/fields.ts";
import type { ContextNodeDeclaration, Diagnostic, PhaseInfo, Reading, Task } from "../types.ts";

/** A plan as other programs read it: every key is there; null, false or [] where the file says nothing. */
export interface PlanJson {
  readonly format: string;
  readonly project: string;
  readonly tasks: readonly TaskJson[];
  readonly phases: readonly Pick<PhaseInfo, "phase" | "title">[];
  readonly contextNodes: readonly Filled<
    Pick<ContextNodeDeclaration, "id" | "parent" | "shared" | "documents">
  >[];
  readonly diagnostics: readonly Pick<
    Diagnostic,
    "code" | "severity" | "message" | "line" | "column" | "hint"
  >[];
}

/** What is ours alone: the block as it stands, and what is asked while a run goes on. */
type Unpublished = "text" | "asked" | "putOff";

/** With null for what may be missing. */
type Filled<T> = {
  readonly [K in keyof T]-?: Exclude<T[K], undefined> | (undefined extends T[K] ? null : never);
};

type TaskJson = Filled<Omit<Task, Unpublished>>;

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

function taskJson(task: Task): TaskJson {
  return Object.fromEntries(WITHOUT.map(([key, without]) => [key, task[key] ?? without])) as TaskJson;
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
