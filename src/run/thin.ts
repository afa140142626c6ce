import type { Phase } from "../plan/index.ts";
import type { TaskStatus } from "../ports/index.ts";
import { passesGate } from "./phases.ts";
import { runsAlone } from "./schedule.ts";
import type { RunState, TaskState } from "./state.ts";

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

/** Tokens an answer may cost; an upper bound, so that no tokenizer is needed to keep it. */
const ANSWER_TOKENS = 54;

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

function listed(groups: readonly (readonly string[])[]): string {
  let left = MAX_LISTED;
  let tokens = ANSWER_TOKENS;
  let hidden = 0;
  const shown: string[] = [];
  for (const group of groups) {
    const part: string[] = [];
    for (const id of group) {
      // The first id is always shown: an answer without one would tell nothing.
      tokens -= tokenBound(id);
      if (left > 0 && (tokens >= 0 || left === MAX_LISTED)) {
        part.push(id);
        left--;
      } else {
        left = 0;
        hidden++;
      }
    }
    if (part.length > 0) shown.push(part.join(","));
  }
  return shown.join("|") + (hidden > 0 ? `+${hidden}` : "");
}

/** Ready tasks that could go now, and those that wait for a slot, a shared file or for the others to finish. */
function readyGroups(run: RunState): { now: string[]; later: string[] } {
  const now: string[] = [];
  const later: string[] = [];
  const files = new Set(run.heldFiles);
  let alone = [...run.running].some(runsAlone);
  let busy = run.running.size;
  for (const state of run.tasks) {
    if (state.status !== "ready") continue;
    const lone = runsAlone(state);
    const shares = state.task.files.some(file => files.has(file));
    if (alone || shares || busy >= run.policy.parallel || (lone && busy > 0)) {
      later.push(state.task.id);
      continue;
    }
    now.push(state.task.id);
    busy++;
    alone = lone;
    for (const file of state.task.files) files.add(file);
  }
  return { now, later };
}

/**
 * What a lead should do next, in one short line (document 004's protocol): `READY:T1.3,T1.4|T1.5` (the comma joins
 * what goes now, `|` separates what waits), `WAIT:T1.3` while agents work, `PHASE_DONE:1`, `ASK:T1.5` when only a
 * person can go on, `ALL_DONE`. At most 16 ids, then `+N`.
 */
export function nextAnswer(run: RunState): string {
  const { now, later } = readyGroups(run);
  if (now.length > 0) return `READY:${listed(later.length > 0 ? [now, later] : [now])}`;
  const withStatus = (status: TaskStatus) => run.tasks.filter(s => s.status === status).map(s => s.task.id);
  if (run.running.size > 0) return `WAIT:${listed([[...run.running].map(state => state.task.id)])}`;
  const phase = run.phases[run.open];
  const paused = withStatus("paused");
  if (paused.length > 0) return `ASK:${listed([paused])}`;
  const waiting = withStatus("waiting");
  if (waiting.length > 0) return `WAIT:${listed([waiting])}`;
  if (phase !== undefined && run.open + 1 < run.phases.length) {
    const next = run.phases[run.open + 1];
    const open =
      passesGate(phase, run.policy.phaseGate) || (next !== undefined && run.forced.has(next.label));
    return open ? `PHASE_DONE:${phase.label}` : `ERROR:PHASE_GATE:${phase.label}`;
  }
  const failed = [...withStatus("failed"), ...withStatus("blocked")];
  return failed.length > 0 ? `ERROR:TASKS_FAILED:${listed([failed])}` : "ALL_DONE";
}
