import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSqliteReader, STATE_NAMES } from "../../adapters/store/index.ts";
import type { Plan } from "../../plan/index.ts";
import {
  type AttemptRow,
  because,
  EspalierError,
  EXIT,
  type ReceiptRow,
  type Result,
  type StampedEvent,
  type Store,
  type StoredRun,
  type StoreFailure,
} from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import { runEvents } from "../session/run-events.ts";
import { storeError } from "./errors.ts";
import type { Invocation } from "./invocation.ts";
import type { Project } from "./project.ts";
import { readStoredPlan } from "./stored-plan.ts";

/** The last run of a project as it stands, read without disturbing a process that writes it. */
export interface RunReading {
  readonly stored: StoredRun;
  readonly plan: Plan;
  /** The flags it was started with. */
  readonly invocation: Invocation;
  attempts(task: string): readonly AttemptRow[];
  /** Receipts of a task's attempts, oldest first. */
  receipts(task: string): readonly ReceiptRow[];
}

function withReader<T>(project: Project, name: string, use: (store: Store) => T): T | undefined {
  const opened = openSqliteReader({ path: join(project.stateDir, name) });
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
export function readRun(project: Project, name: string = STATE_NAMES.database): RunReading | undefined {
  const stored = withReader(project, name, store => must(store.load()));
  const begun = stored === undefined ? undefined : readStoredPlan(stored.run.plan);
  if (stored === undefined || begun === undefined) return undefined;
  return {
    stored,
    ...begun,
    attempts: task => withReader(project, name, store => must(store.attempts(stored.run.id, task))) ?? [],
    receipts: task =>
      withReader(project, name, store => must(store.context.receipts(stored.run.id, task))) ?? [],
  };
}

/**
 * The last run as far as anything tells of it, for commands that take the lock and mend the state themselves: where the
 * database is damaged or gone, its backup.
 */
export function readLastRun(project: Project): RunReading | undefined {
  for (const name of [STATE_NAMES.database, `${STATE_NAMES.database}.bak`]) {
    try {
      const reading = readRun(project, name);
      if (reading !== undefined) return reading;
    } catch (error) {
      if (!(error instanceof EspalierError) || error.code === "STATE_NEWER") throw error;
    }
  }
  return undefined;
}

/** Goes through what a run of a project has told so far, in order. */
export function readEvents<T>(
  project: Project,
  run: string,
  use: (told: Iterable<StampedEvent>) => T,
): T | undefined {
  return withReader(project, STATE_NAMES.database, store =>
    use({ [Symbol.iterator]: () => runEvents(store, run) }),
  );
}

/** Whether anything in the state folder tells of a run, readable or not. */
export function hasState({ stateDir }: Project): boolean {
  const names = Object.values(STATE_NAMES).flatMap(name => [name, `${name}.bak`]);
  return names.some(name => existsSync(join(stateDir, name)));
}

/** There is nothing to go on with here; a hub may have what another machine has conducted. */
export function noRun(project: Project, url?: string): EspalierError {
  return errorFor("NO_RUN", because("no-run", { root: project.root }), {
    advice: because("run-starts-one", url === undefined ? {} : { url }),
    exitCode: EXIT.usage,
  });
}

/** The last run, or the error that says there is none. */
export function requireRun(project: Project): RunReading {
  const reading = readRun(project);
  if (reading !== undefined) return reading;
  throw noRun(project);
}
