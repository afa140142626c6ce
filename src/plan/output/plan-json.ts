import type { Reading } from "../types.ts";

/** A plan as other programs read it: every key is there, null where the file says nothing. */
export interface PlanJson {
  readonly format: string;
  readonly project: string;
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
  readonly phases: readonly Readonly<Record<string, unknown>>[];
  readonly contextNodes: readonly Readonly<Record<string, unknown>>[];
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
}

/** The published JSON form of a reading. */
export function planJson(reading: Reading): PlanJson {
  const { plan, diagnostics } = reading;
  return {
    format: plan.format,
    project: plan.project,
    tasks: plan.tasks.map(task => ({
      id: task.id,
      phase: task.phase,
      title: task.title,
      kind: task.kind,
      done: task.done,
      dependsOn: task.dependsOn,
      parallelWith: task.parallelWith,
      specialist: task.specialist ?? null,
      worktree: task.worktree ?? null,
      files: task.files,
      verify: task.verify ?? null,
      run: task.run ?? null,
      contextRef: task.contextRef ?? null,
      fills: task.fills ?? null,
      preparedBy: task.preparedBy ?? [],
      line: task.line,
      risk: task.risk ?? null,
      agent: task.agent ?? null,
      role: task.role ?? null,
      test: task.test ?? null,
      expects: task.expects ?? null,
      tdd: task.tdd ?? null,
    })),
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
