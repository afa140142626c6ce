import type { Told } from "../text/index.ts";
import type { TaskValues } from "./syntax/fields.ts";

export type { TaskKind } from "./syntax/field-row.ts";

/** Where a phase stands in the order: numbers (fractions too) by value, then other labels such as `PF`. */
export type Phase = number | string;

export type PlanFormat = "tasks-md" | "spec-kit" | "kiro" | "task-master" | "planner-json";

/** One task as the plan declares it: what its fields say, and what its place in the file does. Immutable; texts are foreign. */
export interface Task extends TaskValues {
  /** Unique in the plan; never becomes a path, branch or command unslugged. */
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  /** State of its box in the file, or of its mark or criteria where it has no box. */
  readonly done: boolean;
  /** Ids of this plan (unknown ones stay out and are diagnosed), in the order of the file, each once. */
  readonly dependsOn: readonly string[];
  /** Ids to dispatch together with this one; symmetric. */
  readonly parallelWith: readonly string[];
  /** The question of a worker that this task researches; it stands in no file. Foreign text. */
  readonly asked?: { readonly by: string; readonly question: string };
  /** Marked as optional (Kiro's `*`). */
  readonly optional?: boolean;
  /**
   * In formats whose file order is execution order (spec-kit, Kiro): `sequential` tasks wait for the end of all tasks
   * before them in their phase and hold back those after them; `parallel` ones ([P], (P)) run beside their neighbours.
   * Absent in formats that declare dependencies, and on containers.
   */
  readonly order?: "sequential" | "parallel";
  /** Ids of the tasks this one only groups; a container is never dispatched, it completes with its children. */
  readonly children?: readonly string[];
  /** Ids of the context-fill tasks that prepare what it reads: it waits for them, without declaring them itself. */
  readonly preparedBy?: readonly string[];
  /** Ids the containers around it wait for: it waits for them as well, without declaring them itself. */
  readonly inherited?: readonly string[];
  /** The file says it is not to be worked on: cancelled, deferred, struck out. */
  readonly skip?: boolean;
  /** Of what is not to be worked on: not yet, because of its own state or of what it waits for. */
  readonly putOff?: "itself" | "behind";
  /** 1-based line of its heading or item; 0 where the format has no lines. */
  readonly line: number;
  /** Exact text of the task's block in the file, heading included. */
  readonly text: string;
}

export interface PhaseInfo {
  readonly phase: Phase;
  readonly title: string;
}

export type Severity = "error" | "warning" | "info";

/** A finding in a task file, shown like a compiler's. */
export interface Diagnostic {
  /** Stable, e.g. `CIRCULAR_DEP`, `MISSING_DEP`, `DUPLICATE_ID`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** 1-based; 0 when the finding concerns the whole file. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** What to do about it. */
  readonly hint: string;
  /** Message and hint as they can be told in other languages; absent where they are only English. */
  readonly said?: { readonly message: Told; readonly hint: Told };
  /** Length in code units of the text to underline; 1 when unknown. */
  readonly length?: number;
}

/** A node of the context tree as the task file or the configuration declares it. */
export interface ContextNodeDeclaration {
  readonly id: string;
  /** Absent: the root, or this is the root. */
  readonly parent?: string;
  /** Repository paths or patterns of the documents all its branches share; they stand before its own. */
  readonly shared?: readonly string[];
  readonly documents?: readonly string[];
  /** 1-based line in the task file; absent where it stands elsewhere. */
  readonly line?: number;
}

/** A task file, read. Tasks stand in the order of the file. */
export interface Plan {
  readonly format: PlanFormat;
  readonly project: string;
  readonly feature?: string;
  readonly phases: readonly PhaseInfo[];
  readonly tasks: readonly Task[];
  readonly contextNodes: readonly ContextNodeDeclaration[];
}

/** The result of reading: the plan is usable when no diagnostic is an error. */
export interface Reading {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}
