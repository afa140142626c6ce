import type { Phase } from "../plan/index.ts";
import type { TaskStatus } from "../ports/index.ts";
import { awaitsLead, isGated } from "./phases.ts";
import { capOf } from "./resources.ts";
import { affordable, spendingLeft } from "./spending.ts";
import { inScope, type RunState, runsAlone } from "./state.ts";
import type { TaskState } from "./task-state.ts";

/** The documents' six fields (004 section 1.1): all a lead ever sees of a task. */
export interface ThinTask {
  readonly id: string;
  readonly phase: Phase;
  readonly status: TaskStatus;
  readonly dependsOn: readonly string[];
  readonly parallelWith: readonly string[];
  readonly retries: number;
}

/** Ids a lead is shown at once; the rest is a number. */
export const MAX_LISTED = 16;

/** What a lead should do next, and the line that says so. */
export interface NextMove {
  readonly kind: "ready" | "wait" | "phase-done" | "ask" | "interrupted" | "no-budget" | "done" | "error";
  readonly line: string;
}

/** One task, thin. */
export function thinTask(state: TaskState): ThinTask {
  const { id, phase, dependsOn, parallelWith } = state.task;
  return { id, phase, status: state.status, dependsOn, parallelWith, retries: state.retries };
}

/**
 * One line per task, for a model: `T1.3 1 in_progress <T1.1 T1.2 &T1.4 2` (dependencies after `<`, partners after
 * `&`, retries last; absent parts are left out). At most 32 o200k tokens with three dependencies and two partners.
 */
export function thinLine(state: TaskState): string {
  const { id, phase, dependsOn, parallelWith } = state.task;
  const parts = [id, String(phase), state.status];
  if (dependsOn.length > 0) parts.push(`<${dependsOn.join(" ")}`);
  if (parallelWith.length > 0) parts.push(`&${parallelWith.join(" ")}`);
  if (state.retries > 0) parts.push(String(state.retries));
  return parts.join(" ");
}

/** What an answer may cost, less its word, `|` and `+N`; bounds from above, so that no tokenizer is needed. */
const ANSWER_TOKENS = 53;
const ERROR_TOKENS = 49;

/** At least as many tokens as any common tokenizer needs for an id and its separator. */
function tokenBound(id: string): number {
  // The separator is a token of its own before a digit; before a letter it melts into it.
  let bound = id[0]! >= "0" && id[0]! <= "9" ? 1 : 0;
  for (let i = 0; i < id.length; ) {
    const start = i;
    while (i < id.length && id[i]! >= "0" && id[i]! <= "9" && i - start < 3) i++;
    if (i === start) while (i < id.length && /^[A-Za-z]$/.test(id[i]!) && i - start < 2) i++;
    if (i === start) i++;
    bound += id.charCodeAt(start) < 0x80 ? 1 : 3;
  }
  return bound;
}

/**
 * The word and at most `MAX_LISTED` ids, as many as the answer may cost, and behind a bar the first of what waits, for a
 * lead can do nothing about it; the rest is a number.
 */
function answer(word: string, ids: readonly string[], waiting: readonly string[] = []): string {
  let tokens = word.startsWith("ERROR:") ? ERROR_TOKENS : ANSWER_TOKENS;
  const fitting = (list: readonly string[]): number => {
    const end = list.findIndex(id => {
      tokens -= tokenBound(id);
      return tokens < 0;
    });
    return end < 0 ? list.length : end;
  };
  // The first id is always shown: an answer without one would tell nothing.
  const shown = Math.max(1, fitting(ids.slice(0, MAX_LISTED)));
  const next = shown < ids.length ? 0 : fitting(waiting.slice(0, Math.min(1, MAX_LISTED - shown)));
  const rest = ids.length - shown + waiting.length - next;
  return `${word}:${ids.slice(0, shown).join(",")}${next > 0 ? `|${waiting[0]}` : ""}${rest > 0 ? `+${rest}` : ""}`;
}

/** Ready tasks that could go now, and those that wait for a slot, a shared file or for the others to finish. */
export function readyGroups(run: RunState): { now: string[]; later: string[] } {
  const now: string[] = [];
  const later: string[] = [];
  if (run.counts.ready === 0) return { now, later };
  const held = new Map(run.heldFiles);
  let alone = run.alone > 0;
  let busy = run.running.size + run.orphans.size;
  const together = [...run.running].map(state => state.task.id);
  const declared = (state: TaskState) =>
    run.policy.parallelMode === "auto" || together.every(id => state.task.parallelWith.includes(id));
  for (const state of run.tasks) {
    if (state.status !== "ready") continue;
    const lone = runsAlone(state);
    const shares = state.files.some(name => (held.get(name) ?? 0) >= capOf(run, name));
    if (
      alone ||
      shares ||
      busy >= Math.max(1, run.policy.parallel) ||
      (lone && busy > 0) ||
      !declared(state)
    ) {
      later.push(state.task.id);
      continue;
    }
    now.push(state.task.id);
    together.push(state.task.id);
    busy++;
    alone = lone;
    for (const name of state.files) held.set(name, (held.get(name) ?? 0) + 1);
  }
  return { now, later };
}

function move(kind: NextMove["kind"], line: string): NextMove {
  return { kind, line };
}

/**
 * What a lead should do next, in one short line (document 004's protocol): `READY:T1.3,T1.4|T1.5` (the comma joins
 * what goes now, the first of what waits stands behind `|`), `WAIT:T1.3` while agents work, `PHASE_DONE:1`, `ASK:T1.5` when only a
 * person can go on, `STOP:INTERRUPTED` once a stop was asked for, `STOP:BUDGET:…` where the run's budget has no room for the
 * next one, `ALL_DONE`, else `ERROR:…`. At most 16 ids, then `+N`.
 */
export function nextMove(run: RunState): NextMove {
  if (run.stopping) return move("interrupted", "STOP:INTERRUPTED");
  const { now, later } = readyGroups(run);
  const begun = affordable(run, now);
  if (begun > 0) return move("ready", answer("READY", now.slice(0, begun), [...now.slice(begun), ...later]));
  const busy = [...run.running].map(state => state.task.id).concat([...run.orphans.keys()]);
  if (busy.length > 0) return move("wait", answer("WAIT", busy));
  if (now.length > 0) return move("no-budget", `STOP:BUDGET:${spendingLeft(run)}`);
  const idsWith = (...statuses: readonly TaskStatus[]) =>
    run.tasks.filter(s => statuses.includes(s.status) && inScope(run, s)).map(s => s.task.id);
  const waiting = idsWith("waiting");
  if (waiting.length > 0) return move("wait", answer("WAIT", waiting));
  const phase = run.phases[run.open];
  if (phase !== undefined && awaitsLead(run)) return move("phase-done", `PHASE_DONE:${phase.label}`);
  const paused = idsWith("paused");
  if (paused.length > 0) return move("ask", answer("ASK", paused));
  if (phase !== undefined && isGated(run)) return move("error", `ERROR:PHASE_GATE:${phase.label}`);
  const failed = idsWith("failed", "cancelled", "blocked");
  if (failed.length > 0) return move("error", answer("ERROR:TASKS_FAILED", failed));
  const stuck = idsWith("pending", "ready");
  return stuck.length > 0 ? move("error", answer("ERROR:NEVER_READY", stuck)) : move("done", "ALL_DONE");
}

/** The line of the next move alone. */
export function nextAnswer(run: RunState): string {
  return nextMove(run).line;
}
