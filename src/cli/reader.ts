import { join } from "node:path";
import { openSqliteReader } from "../adapters/store/index.ts";
import type { Plan } from "../plan/index.ts";
import {
  type AttemptRow,
  EspalierError,
  EXIT,
  type Result,
  type Store,
  type StoredRun,
  type StoreFailure,
} from "../ports/index.ts";
import { storeError } from "./errors.ts";
import type { Project } from "./project.ts";
import { readStoredPlan } from "./session/stored-plan.ts";

/** The last run of a project as it stands, read without disturbing a process that writes it. */
export interface RunReading {
  readonly stored: StoredRun;
  readonly plan: Plan;
  attempts(task: string): readonly AttemptRow[];
}

function withReader<T>(project: Project, use: (store: Store) => T): T | undefined {
  const opened = openSqliteReader({ path: join(project.stateDir, "espalier.db") });
  if (!opened.ok) throw storeError(opened.failure);
  const store = opened.value;
  if (store === undefined) return undefined;
  try {
    return use(store);
  } finally {
    store.close();
  }
}

/** A store's answer, or its failure as an error. */
function must<T>(result: Result<T, StoreFailure>): T {
  if (!result.ok) throw storeError(result.failure);
  return result.value;
}

/** Reads the last run; undefined when there is none yet. Throws EspalierError when the state cannot be read. */
export function readRun(project: Project): RunReading | undefined {
  const stored = withReader(project, store => must(store.load()));
  const plan = stored === undefined ? undefined : readStoredPlan(stored.run.plan)?.plan;
  if (stored === undefined || plan === undefined) return undefined;
  return {
    stored,
    plan,
    attempts: task => withReader(project, store => must(store.attempts(stored.run.id, task))) ?? [],
  };
}

/** The last run, or the error that says there is none. */
export function requireRun(project: Project): RunReading {
  const reading = readRun(project);
  if (reading !== undefined) return reading;
  throw new EspalierError("NO_RUN", `there is no run in ${project.root} yet`, {
    hint: "espalier run starts one",
    exitCode: EXIT.usage,
  });
}
