import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { excludeFromGit } from "../../adapters/local/git-exclude.ts";
import { acquireLock } from "../../adapters/lock/index.ts";
import { openSqliteReader, openState, STATE_NAMES } from "../../adapters/store/index.ts";
import { createSharedContext, immediateLedger, type SharedContext } from "../../context/shared/index.ts";
import type { ContextChange, ContextRows, Store } from "../../ports/index.ts";
import { createCodec } from "../../sync/index.ts";
import { reasonText } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { VERSION } from "../package.ts";
import { lockError, openError, storeError } from "../project/errors.ts";
import type { Project } from "../project/project.ts";
import { contextPolicy } from "../project/settings.ts";
import { type ProjectSealing, projectSealing } from "./sealing.ts";

/** Milliseconds another command is waited for. */
const WAIT = 5000;

function contextOver(
  project: Project,
  rows: ContextRows,
  write: (rows: ContextChange) => void,
): SharedContext {
  return createSharedContext({
    rows,
    ledger: immediateLedger(write, SYSTEM_CLOCK.now),
    policy: contextPolicy(project.config),
    codec: createCodec(countTokens),
  });
}

/** A shared context over a store that this process writes; a change that is refused throws EspalierError. */
export function writingContext(project: Project, store: Store, epoch: number, runId: string): SharedContext {
  return contextOver(project, store.context, context => {
    const written = store.commit({ epoch, runId, context });
    if (!written.ok) throw storeError(written.failure);
  });
}

/**
 * Takes the lock for the length of `use`, opens or recovers the state, and hands over the project's shared context. Throws
 * EspalierError, `LOCKED` where another process holds the lock.
 */
export async function withSharedContext<T>(
  project: Project,
  env: NodeJS.ProcessEnv,
  note: (told: string) => void,
  use: (shared: SharedContext, place: { readonly store: Store; readonly epoch: number }) => Promise<T>,
): Promise<T> {
  excludeFromGit(project.root, project.stateDir);
  const locked = acquireLock(project.stateDir, { version: VERSION, waitMs: WAIT });
  if (!locked.ok) throw lockError(locked.failure);
  let sealing: ProjectSealing["sealing"];
  try {
    sealing = projectSealing(project, env, false).sealing;
    const opened = openState(project.stateDir, { project: project.root, now: SYSTEM_CLOCK.now(), sealing });
    if (!opened.ok) throw openError(opened.failure);
    const { store, report } = opened.value;
    try {
      for (const told of report) note(reasonText(told, project.locale));
      const epoch = store.claimEpoch();
      if (!epoch.ok) throw storeError(epoch.failure);
      const done = await use(writingContext(project, store, epoch.value, ""), { store, epoch: epoch.value });
      const kept = await store.backup(join(project.stateDir, `${STATE_NAMES.database}.bak`));
      if (!kept.ok) throw storeError(kept.failure);
      return done;
    } finally {
      store.close();
    }
  } finally {
    sealing?.close();
    locked.value.release();
  }
}

/** What a reading command looks at. */
export interface ContextReading {
  readonly shared: SharedContext;
  readonly rows: ContextRows;
  /** Sessions of the attempts under way: their run tells them what changes. */
  sessions(): ReadonlySet<string>;
}

/** Reads the shared context without disturbing a process that writes it. Undefined where there is no state yet. */
export function readContext<T>(project: Project, use: (reading: ContextReading) => T): T | undefined {
  const opened = openSqliteReader({ path: join(project.stateDir, STATE_NAMES.database) });
  if (!opened.ok) throw storeError(opened.failure);
  const store = opened.value;
  if (store === undefined) return undefined;
  try {
    const refuse = (): never => {
      throw new Error("a reading command changes nothing");
    };
    return use({
      shared: contextOver(project, store.context, refuse),
      rows: store.context,
      sessions() {
        const run = store.load();
        return new Set(run.ok ? run.value?.openAttempts.map(({ token }) => token) : []);
      },
    });
  } finally {
    store.close();
  }
}
