import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { acquireLock, type Lock } from "../../adapters/lock/index.ts";
import { attemptMarker, sweep } from "../../adapters/process/index.ts";
import { openState, type SqliteStore } from "../../adapters/store/index.ts";
import type { RunFacts } from "../../engine/index.ts";
import { EspalierError, EXIT, type TaskRow, type TaskStatus } from "../../ports/index.ts";
import { type RunPolicy, readLegacyState } from "../../run/index.ts";
import { lockError, openError, storeError } from "../errors.ts";
import type { PlanFile } from "../plan-file.ts";
import type { Project, TaskPath } from "../project.ts";
import { type Invocation, mergeInvocations, policyOf } from "../settings.ts";
import { VERSION } from "../version.ts";
import { type Beginning, beginning } from "./restore.ts";
import { storedPlanJson } from "./stored-plan.ts";

/** One process's hold on a project's run: the lock, the store, and the run as it stands. */
export interface Session extends Beginning {
  readonly project: Project;
  readonly file: TaskPath;
  readonly plan: PlanFile;
  readonly store: SqliteStore;
  readonly epoch: number;
  readonly lock: Lock;
  readonly facts: RunFacts;
  /** What the last failed attempt of each unfinished task left for the next one. */
  readonly feedback: ReadonlyMap<string, string>;
  close(): void;
}

export interface SessionRequest {
  readonly invocation: Invocation;
  readonly advance: RunPolicy["advance"];
  readonly only?: readonly string[] | undefined;
  readonly force?: string | undefined;
  readonly trustBoxes?: boolean;
  readonly adopt?: boolean;
  readonly keepClaims?: boolean;
}

interface Imported {
  readonly rows: readonly TaskRow[];
  readonly note: string;
}

type Claims = ReadonlyMap<
  string,
  { readonly status: TaskStatus; readonly retries: number; readonly verified?: boolean }
>;

function importedRows(claims: Claims, from: string): Imported {
  const rows = [...claims].map(
    ([id, { status, retries, verified }]): TaskRow => ({
      id,
      status,
      retries,
      attempts: retries,
      verified: verified ?? false,
      reason: "",
      sameError: 0,
      textHash: "",
      notBefore: 0,
    }),
  );
  const completed = rows.filter(row => row.status === "completed").length;
  return { rows, note: `${from}: ${completed} completed tasks taken over` };
}

/** A state file where document 004 has it, when this project keeps its own elsewhere. */
function legacyClaims(project: Project): Imported | undefined {
  const path = join(project.root, ".claude", "orchestrate-state.json");
  const bytes = readBounded(path, { maxBytes: 32 * 1024 ** 2 });
  if (!bytes.ok) return undefined;
  const state = readLegacyState(Buffer.from(bytes.value).toString("utf8"));
  return state.ok ? importedRows(state.value.tasks, ".claude/orchestrate-state.json") : undefined;
}

/** State was here before and could not be recovered: ticked boxes are then no proof of anything. */
function requireTrust(project: Project, plan: PlanFile, trust: boolean): void {
  const lost = readdirSync(project.stateDir).some(name => name.includes(".corrupt-"));
  const ticked = plan.plan.tasks.filter(task => task.done).length;
  if (!lost || trust || ticked === 0) return;
  throw new EspalierError(
    "STATE_LOST",
    `the state could not be recovered, and nothing proves the ${ticked} ticked boxes of the task file`,
    {
      hint: "believe them with --trust-boxes, or untick what must be done again; the damaged files are kept in the state folder",
      exitCode: EXIT.waitingForPerson,
    },
  );
}

function checkOnly(run: Beginning["run"], only: readonly string[] | undefined): void {
  for (const id of only ?? []) {
    const state = run.byId.get(id);
    if (state === undefined) {
      throw new EspalierError("NO_SUCH_TASK", `--only names ${id}, which is not in the plan`, {
        hint: "espalier plan lists the tasks",
        exitCode: EXIT.usage,
      });
    }
    const missing = state.task.dependsOn.filter(dep => {
      const status = run.byId.get(dep)?.status;
      return status !== "completed" && status !== "skipped" && !only?.includes(dep);
    });
    if (missing.length > 0) {
      throw new EspalierError("ONLY_NEEDS", `--only ${id} needs ${missing.slice(0, 5).join(", ")} first`, {
        hint: `add ${missing.slice(0, 5).join(",")} to --only`,
        exitCode: EXIT.usage,
      });
    }
  }
}

function feedbackOf(begun: Beginning, store: SqliteStore): Map<string, string> {
  const feedback = new Map<string, string>();
  for (const state of begun.run.tasks) {
    if (state.retries === 0 || state.status === "completed") continue;
    const rows = store.attempts(begun.runId, state.task.id);
    const last = rows.ok ? rows.value.findLast(row => row.feedback !== "") : undefined;
    if (last !== undefined) feedback.set(state.task.id, last.feedback);
  }
  return feedback;
}

/**
 * Takes the lock, opens or recovers the state, ends what an earlier process left running, and restores the run or
 * begins one. Throws EspalierError; nothing stays open then.
 */
export async function openSession(
  project: Project,
  file: TaskPath,
  plan: PlanFile,
  request: SessionRequest,
): Promise<Session> {
  const locked = acquireLock(project.stateDir, { version: VERSION });
  if (!locked.ok) throw lockError(locked.failure);
  const lock = locked.value;
  let store: SqliteStore | undefined;
  try {
    const opened = openState(project.stateDir, {
      project: project.root,
      now: SYSTEM_CLOCK.now(),
      ...(request.adopt === true ? { adopt: true } : {}),
    });
    if (!opened.ok) throw openError(opened.failure);
    store = opened.value.store;
    const epoch = store.claimEpoch();
    if (!epoch.ok) throw storeError(epoch.failure);
    const loaded = store.load();
    if (!loaded.ok) throw storeError(loaded.failure);
    const stored = loaded.value;
    for (const attempt of stored?.openAttempts ?? []) await sweep(attemptMarker(attempt.token));

    const { imported } = opened.value;
    const claims =
      imported === undefined ? legacyClaims(project) : importedRows(imported.tasks, imported.from);
    const fresh = stored === undefined;
    if (fresh && claims === undefined) requireTrust(project, plan, request.trustBoxes === true);
    const begun = beginning(stored, {
      file,
      plan,
      policyOf: invocation => policyOf(project.config, invocation, request.advance),
      invocation: before => mergeInvocations(before, request.invocation),
      only: request.only === undefined ? undefined : new Set(request.only),
      force: request.force,
      keepClaims: request.keepClaims === true,
      imported: claims?.rows,
      now: SYSTEM_CLOCK.now(),
    });
    checkOnly(begun.run, request.only);
    return {
      ...begun,
      notes: [
        ...opened.value.report,
        ...(fresh && claims !== undefined ? [claims.note] : []),
        ...begun.notes,
      ],
      project,
      file,
      plan,
      store,
      epoch: epoch.value,
      lock,
      facts: {
        startedAt: begun.startedAt,
        file: file.path,
        planHash: plan.hash,
        planJson: storedPlanJson(plan.plan, begun.invocation),
        leadTokens: begun.leadTokens,
      },
      feedback: feedbackOf(begun, store),
      close() {
        opened.value.store.close();
        lock.release();
      },
    };
  } catch (error) {
    store?.close();
    lock.release();
    throw error;
  }
}
