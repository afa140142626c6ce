import type { PackageAttempt, PackageResult } from "../../assembly/index.ts";
import type { Budget } from "../../budget/index.ts";
import type { Task } from "../../plan/index.ts";
import type { AgentProblem, AttemptRow, Reason, Store } from "../../ports/index.ts";
import { type Messages, reasonText, textHash } from "../../text/index.ts";
import { fillLabel } from "./labels.ts";
import type { Library } from "./library.ts";
import { resultText, withoutSignal } from "./result-text.ts";
import { tasksOf } from "./tasks-of.ts";
import { roleOfTask } from "./window-use.ts";

/** Whose package it is, and where the attempts of its run are kept. */
export interface Reading {
  readonly task: Task;
  readonly attempt: number;
  readonly runId: string;
  readonly store: Pick<Store, "attempts">;
  /** What the attempt before failed of, where the store does not say. */
  readonly feedback: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Final messages of the dependencies, without what they handed to the tree and without their signal. */
export function resultsOf(library: Library, reading: Reading, labels: ReadonlySet<string>): PackageResult[] {
  // What a fill prepared stands among the documents.
  return reading.task.dependsOn.flatMap(id =>
    labels.has(fillLabel(id)) ? [] : (resultOf(library, reading, id) ?? []),
  );
}

/** The final message of a task that is done, or what an earlier run has left of it; undefined for none. */
export function resultOf(
  library: Library,
  { runId, store, now }: Pick<Reading, "runId" | "store" | "now">,
  id: string,
): PackageResult | undefined {
  const rows = store.attempts(runId, id);
  const done = rows.ok ? rows.value.findLast(row => row.outcome === "done") : undefined;
  if (done === undefined) return keptResult(library, id, now);
  const text = resultText(done.finalMessage);
  if (text === "") return undefined;
  const { number: attempt, commit } = done;
  return { task: id, attempt, text, hash: textHash(text), ...(commit === undefined ? {} : { commit }) };
}

/** What an earlier run has left of a task that is done, where anything was kept. */
function keptResult({ kept, options, plan }: Library, id: string, now: number): PackageResult | undefined {
  const task = tasksOf(plan().tasks).byId.get(id);
  if (task === undefined || kept === undefined || options.budget === undefined) return undefined;
  const found = kept(keptKey(options.budget, task), now);
  if (found === undefined) return undefined;
  const { text, source: hash, level } = found;
  return { task: id, attempt: 0, text, hash, level };
}

const KEY_LENGTH = 500;

/** Under which an output outlives its run: its author, and the task as it is called. */
export function keptKey(budget: Budget, task: Task): string {
  const { label } = roleOfTask(budget, task);
  return `${label} ${task.id} ${task.title}`.slice(0, KEY_LENGTH);
}

/** How an agent fails that says nothing of the work: its account, its login, its service, its process. */
const ASIDE: ReadonlySet<AgentProblem> = new Set([
  "quota",
  "overloaded",
  "budget",
  "auth",
  "spawn",
  "not-found",
  "unsuitable",
  "cancelled",
]);

/** Reasons of our own that say no more of it. */
const ASIDE_CODES: ReadonlySet<Reason["code"]> = new Set([
  "out-of-quota",
  "machine-lost",
  "keys-withheld",
  "file-unapproved",
  "agent-endless",
  "agent-offers",
  "agent-event",
  "internal-error",
]);

/** Whether an attempt ended by something that whoever tries next can learn nothing from. */
function isAside(reason: Reason | undefined): boolean {
  if (reason?.code === "agent-failed") return ASIDE.has(reason.args.kind);
  return reason !== undefined && ASIDE_CODES.has(reason.code);
}

/** Whether an attempt ended without a word on its work: nothing of it is told the next one. */
export function isMute({ outcome, reason }: Pick<AttemptRow, "outcome" | "reason">): boolean {
  const code = reason?.code;
  const isKept = code === "unreviewed" || code === "not-landed" || code === "not-proved";
  return outcome === "cancelled" || outcome === "crashed" || isKept;
}

/** What a person said to an attempt that did not hear it. Rows of earlier versions have it where they have nothing else to tell. */
export function unheardBy(row: AttemptRow): string {
  return row.unheard ?? (isMute(row) ? row.feedback : "");
}

function rowsBefore({ task, runId, attempt, store }: Reading): readonly AttemptRow[] {
  const rows = store.attempts(runId, task.id);
  return rows.ok ? rows.value.filter(({ number }) => number < attempt) : [];
}

/** What a person said to attempts before that did not hear it; what one took over from the one before it, once. */
export function unheard(reading: Reading): string[] {
  const said = rowsBefore(reading)
    .map(unheardBy)
    .filter(words => words !== "");
  return said.filter((words, at) => !`${said[at + 1] ?? ""}\n`.startsWith(`${words}\n`));
}

/** What went wrong with the attempts before, as far as it was the work's. */
export function attemptsOf(
  reading: Reading,
  { locale, inPackage: words }: Pick<Messages, "locale" | "inPackage">,
): PackageAttempt[] {
  const { attempt, feedback: last } = reading;
  const before = rowsBefore(reading);
  if (before.length === 0)
    return last === "" ? [] : [{ number: attempt - 1, how: words.ended("failed", ""), told: last }];
  return before.flatMap((row): PackageAttempt[] => {
    const { number, outcome, reason, feedback } = row;
    const isTold = outcome === "failed" || outcome === "no-signal" || outcome === "unproven";
    const isSilent = feedback === "" ? reason === undefined : isMute(row);
    if (!isTold || isSilent || isAside(reason)) return [];
    const why = reasonText(reason, locale);
    // A line by which it reported would be a wrong one now; its reason is told once.
    const told = withoutSignal(feedback);
    return [{ number, how: words.ended(outcome, why), told: told === why ? "" : told }];
  });
}
