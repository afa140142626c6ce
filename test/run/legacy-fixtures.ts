import { because, type StateDamage } from "../../src/ports/index.ts";
import { type LegacyState, readLegacyState } from "../../src/run/legacy-state.ts";
import { reasonText } from "../../src/text/index.ts";

/** A state, and what is wrong with it in English. */
interface Read extends Omit<LegacyState, "warnings"> {
  readonly warnings: readonly string[];
}

/** How a state is damaged, in English. */
export function damageText(damage: StateDamage): string {
  return reasonText(because("state-file-damaged", { file: "x", damage }), "en").slice(
    "x is damaged (".length,
    -1,
  );
}

/** Reads a state of another orchestrator; one that is refused fails the test. */
export function read(json: unknown): Read {
  const result = readLegacyState(json);
  if (!result.ok) throw new Error(damageText(result.failure.how));
  return {
    ...result.value,
    warnings: result.value.warnings.map(what =>
      reasonText(because("state-file-odd", { file: "x", what }), "en").slice("x: ".length),
    ),
  };
}

/** The status of every task. */
export function statuses(state: Pick<LegacyState, "tasks">): Record<string, string> {
  return Object.fromEntries([...state.tasks].map(([id, { status }]) => [id, status]));
}

/** The shape of an ultra-thin orchestrator: lists by status, details and counts beside them. */
export const thin = {
  version: "2.0",
  mode: "ultra-thin",
  project: "bakery",
  execution: { current_phase: 2, worktree: "../bakery-phase2-oven", parallel_limit: 5 },
  tasks: {
    pending: ["T2.4"],
    ready: ["T2.3"],
    in_progress: ["T2.2"],
    completed: ["T0.5.1", "T1.1", "T2.1"],
    failed: ["T1.9"],
    blocked: ["T1.10"],
  },
  task_details: { "T2.4": { phase: 2, depends_on: ["T2.3"], specialist: "backend" } },
  retry_counts: { "T2.2": 2, "T1.9": 10 },
  error_log: [{ task_id: "T1.9", error_summary: "TypeError", retry_number: 10 }],
  stats: { total: 8, completed: 3, failed: 1 },
};
