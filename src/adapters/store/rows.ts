import type { RunEvent, StampedEvent } from "../../ports/event.ts";
import { fromEarlier, type Reason } from "../../ports/reason.ts";
import type { AttemptRow, AttemptSpan, AttemptUsage, RunRow, TaskRow, UsageRow } from "../../ports/store.ts";

/** One row as SQLite returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** Named parameters of a statement. */
export type Parameters = Record<string, string | number | null>;

export const RUN_UPSERT = `
  INSERT INTO runs (id, project, state, phase, file, plan_hash, started_at, updated_at, forced, lead_tokens, why,
    held, seal)
  VALUES (:id, :project, :state, :phase, :file, :plan_hash, :started_at, :updated_at, :forced, :lead_tokens, :why,
    :held, :seal)
  ON CONFLICT (id) DO UPDATE SET project = :project, state = :state, phase = :phase, file = :file,
    plan_hash = :plan_hash, started_at = :started_at, updated_at = :updated_at, forced = :forced,
    lead_tokens = :lead_tokens, why = :why, held = :held, seal = :seal`;

export const TASK_UPSERT = `
  INSERT INTO tasks (run, id, status, retries, attempts, verified, why, same_error, text_hash, not_before,
    stalls, clash, seal)
  VALUES (:run, :id, :status, :retries, :attempts, :verified, :why, :same_error, :text_hash, :not_before,
    :stalls, :clash, :seal)
  ON CONFLICT (run, id) DO UPDATE SET status = :status, retries = :retries, attempts = :attempts,
    verified = :verified, why = :why, same_error = :same_error, text_hash = :text_hash,
    not_before = :not_before, stalls = :stalls, clash = :clash, seal = :seal`;

export const ATTEMPT_UPSERT = `
  INSERT INTO attempts (run, task, number, token, nonce, agent, started_at, ended_at, outcome, why, evidence,
    final_message, feedback, usage, estimate, session, folder, branch, commit_id, machine, unheard, seal)
  VALUES (:run, :task, :number, :token, :nonce, :agent, :started_at, :ended_at, :outcome, :why, :evidence,
    :final_message, :feedback, :usage, :estimate, :session, :folder, :branch, :commit_id, :machine, :unheard, :seal)
  ON CONFLICT (run, task, number) DO UPDATE SET token = :token, nonce = :nonce, agent = :agent,
    started_at = :started_at, ended_at = :ended_at, outcome = :outcome, why = :why, evidence = :evidence,
    final_message = :final_message, feedback = :feedback, usage = :usage, estimate = :estimate, session = :session,
    folder = :folder, branch = :branch, commit_id = :commit_id, machine = :machine, unheard = :unheard,
    seal = :seal`;

/** A reason as a column keeps it; empty where there is none. */
export function reasonColumn(reason: Reason | undefined): string {
  return reason === undefined ? "" : JSON.stringify(reason);
}

/** Reads a reason; in a database of an earlier schema it is text in a column of another name. */
function reasonFrom(row: Row): Reason | undefined {
  const why = row["why"] as string | undefined;
  if (why === undefined) return fromEarlier(row["reason"] as string);
  return why === "" ? undefined : (JSON.parse(why) as Reason);
}

export function runParameters(run: RunRow): Parameters {
  return {
    id: run.id,
    project: run.project,
    state: run.state,
    phase: run.phase,
    file: run.file,
    plan_hash: run.planHash,
    started_at: run.startedAt,
    updated_at: run.updatedAt,
    forced: JSON.stringify(run.forced),
    lead_tokens: run.leadTokens,
    why: reasonColumn(run.reason),
    held: run.held === true ? 1 : null,
    seal: null,
  };
}

/** Reads a row of `runs` joined with its plan. Columns carry checks; only JSON can still be broken. */
export function runFrom(row: Row): RunRow {
  return {
    id: row["id"] as string,
    project: row["project"] as string,
    state: row["state"] as RunRow["state"],
    phase: row["phase"] as string,
    file: row["file"] as string,
    planHash: row["plan_hash"] as string,
    plan: (row["plan"] ?? "") as string,
    startedAt: row["started_at"] as number,
    updatedAt: row["updated_at"] as number,
    forced: JSON.parse(row["forced"] as string) as readonly string[],
    leadTokens: row["lead_tokens"] as number,
    reason: reasonFrom(row),
    ...(row["held"] === 1 ? { held: true } : {}),
  };
}

export function taskParameters(run: number, task: TaskRow): Parameters {
  return {
    run,
    id: task.id,
    status: task.status,
    retries: task.retries,
    attempts: task.attempts,
    verified: task.verified === undefined ? null : Number(task.verified),
    why: reasonColumn(task.reason),
    same_error: task.sameError,
    text_hash: task.textHash,
    not_before: task.notBefore,
    stalls: task.stalls ?? null,
    clash: task.clash ?? null,
    seal: null,
  };
}

export function taskFrom(row: Row): TaskRow {
  const verified = row["verified"] as number | null;
  return {
    id: row["id"] as string,
    status: row["status"] as TaskRow["status"],
    retries: row["retries"] as number,
    attempts: row["attempts"] as number,
    ...(verified === null ? {} : { verified: verified === 1 }),
    reason: reasonFrom(row),
    sameError: row["same_error"] as number,
    textHash: row["text_hash"] as string,
    notBefore: row["not_before"] as number,
    ...present("stalls", row["stalls"] as number | null),
    ...present("clash", row["clash"] as string | null),
  };
}

export function attemptParameters(run: number, attempt: AttemptRow): Parameters {
  return {
    run,
    task: attempt.task,
    number: attempt.number,
    token: attempt.token,
    nonce: attempt.nonce,
    agent: attempt.agent,
    started_at: attempt.startedAt,
    ended_at: attempt.endedAt,
    outcome: attempt.outcome,
    why: reasonColumn(attempt.reason),
    evidence: attempt.evidence,
    final_message: attempt.finalMessage,
    feedback: attempt.feedback,
    usage: attempt.usage === undefined ? null : JSON.stringify(attempt.usage),
    estimate: attempt.estimate ?? null,
    session: attempt.session ?? null,
    folder: attempt.folder ?? null,
    branch: attempt.branch ?? null,
    commit_id: attempt.commit ?? null,
    machine: attempt.machine ?? null,
    unheard: attempt.unheard ?? null,
    seal: null,
  };
}

export function attemptFrom(row: Row): AttemptRow {
  return {
    task: row["task"] as string,
    number: row["number"] as number,
    token: row["token"] as string,
    nonce: row["nonce"] as string,
    agent: row["agent"] as string,
    startedAt: row["started_at"] as number,
    endedAt: row["ended_at"] as number,
    outcome: row["outcome"] as AttemptRow["outcome"],
    reason: reasonFrom(row),
    evidence: row["evidence"] as string,
    finalMessage: row["final_message"] as string,
    feedback: row["feedback"] as string,
    ...(isThere(row["usage"]) ? { usage: usageFrom(row) } : {}),
    ...present("estimate", row["estimate"] as number | null),
    ...present("session", row["session"] as string | null),
    ...present("folder", row["folder"] as string | null),
    ...present("branch", row["branch"] as string | null),
    ...present("commit", row["commit_id"] as string | null),
    ...present("machine", row["machine"] as string | null),
    ...present("unheard", row["unheard"] as string | null),
  };
}

/** Reads when an attempt was at work. */
export function spanFrom(row: Row): AttemptSpan {
  return {
    task: row["task"] as string,
    number: row["number"] as number,
    agent: row["agent"] as string,
    startedAt: row["started_at"] as number,
    endedAt: row["ended_at"] as number,
    outcome: row["outcome"] as AttemptRow["outcome"],
    ...present("machine", row["machine"] as string | null),
  };
}

function usageFrom(row: Row): AttemptUsage {
  return JSON.parse(row["usage"] as string) as AttemptUsage;
}

/** Reads what an ended attempt reported. */
export function usageRowFrom(row: Row): UsageRow {
  const { task, number, agent } = row as { task: string; number: number; agent: string };
  const usage = isThere(row["usage"]) ? usageFrom(row) : {};
  return { task, number, agent, usage, ...present("estimate", row["estimate"] as number | null) };
}

// A column is NULL where its field is absent, and not there at all in a database of an earlier schema.
function isThere(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** A field that is absent where its column holds nothing. */
export function present<Name extends string, T>(
  name: Name,
  value: T | null | undefined,
): { readonly [_ in Name]?: T } {
  return isThere(value) ? ({ [name]: value } as { readonly [_ in Name]?: T }) : {};
}

export function eventFrom(row: Row): StampedEvent {
  return {
    seq: row["seq"] as number,
    at: row["at"] as number,
    event: withReasons(JSON.parse(row["event"] as string) as RunEvent),
  };
}

/** Where an event holds a reason. An earlier version kept it there as text. */
const REASONS: readonly string[] = ["reason", "message", "why"];

function withReasons(event: RunEvent): RunEvent {
  const texts = Object.entries(event).filter(
    (entry): entry is [string, string] => REASONS.includes(entry[0]) && typeof entry[1] === "string",
  );
  if (texts.length === 0) return event;
  const reasons = texts.map(([name, text]) => [name, fromEarlier(text)]);
  return { ...event, ...(Object.fromEntries(reasons) as object) };
}
