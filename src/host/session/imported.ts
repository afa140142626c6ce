import { join, relative } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import type { ImportedState } from "../../adapters/store/index.ts";
import { because, type Reason, type TaskRow, type TaskStatus } from "../../ports/index.ts";
import { readLegacyState } from "../../run/index.ts";
import type { Project } from "../project/project.ts";

/** Task states that no database of ours holds, as rows to begin a run with. */
export interface Imported {
  readonly rows: readonly TaskRow[];
  readonly note: Reason;
}

type Claims = ReadonlyMap<
  string,
  { readonly status: TaskStatus; readonly retries: number; readonly verified?: boolean }
>;

/** Claims as rows to begin a run with. */
export function importedRows(claims: Claims, from: string): Imported {
  const rows = [...claims].map(
    ([id, { status, retries, verified }]): TaskRow => ({
      id,
      status,
      retries,
      attempts: retries,
      ...(status === "completed" ? { verified: verified ?? false } : {}),
      reason: undefined,
      sameError: 0,
      textHash: "",
      notBefore: 0,
    }),
  );
  const completed = rows.filter(row => row.status === "completed").length;
  return { rows, note: because("completions-taken-over", { from, tasks: completed }) };
}

/** What the store found beside its database. */
export function importedFrom(project: Project, { tasks, from }: ImportedState): Imported {
  return importedRows(tasks, relative(project.root, from));
}

/** A state file where document 004 has it, when this project keeps its own elsewhere. */
export function legacyClaims(project: Project): Imported | undefined {
  const path = join(project.root, ".claude", "orchestrate-state.json");
  const bytes = readBounded(path, { maxBytes: 32 * 1024 ** 2 });
  if (!bytes.ok) return undefined;
  const state = readLegacyState(Buffer.from(bytes.value).toString("utf8"));
  return state.ok ? importedRows(state.value.tasks, ".claude/orchestrate-state.json") : undefined;
}
