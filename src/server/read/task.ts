import type { FileChange } from "../../adapters/vcs/git/index.ts";
import { awaitsReviewOf, reviewersSpentBy } from "../../engine/index.ts";
import type { Monitor, Reading } from "../../host/monitor/types.ts";
import { agentsNamed, type Task } from "../../plan/index.ts";
import type { AttemptRow, AttemptSpan, ReceiptRow, Result } from "../../ports/index.ts";
import { actionsFor, packageTokens, taskFacts } from "../../run/index.ts";
import { reasonText } from "../../text/index.ts";
import type { Attempt, ChangesShape, TaskShape, Usage } from "../shapes/task.ts";
import { shown, shownBlock } from "../shown.ts";
import { withoutSignals, withReasonsOnly } from "../signals.ts";
import { readReceipt } from "./receipt.ts";
import { standingOfRun } from "./run.ts";

/** Attempts that are told; older ones are counted. */
const ATTEMPTS = 20;
/** Characters of an attempt's evidence, feedback or final message. */
const PIECE = 16 * 1024;

function usageOf({ usage }: AttemptRow): Usage | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens, estimatedTokens, costUsd } = usage;
  const reviewers = reviewersSpentBy({ usage }).map(([by, spent]) => ({
    by: shown(by),
    tokens: Math.round(spent.tokens),
    ...(spent.cost === undefined ? {} : { costUsd: spent.cost }),
  }));
  return {
    ...(inputTokens === undefined ? {} : { input: inputTokens }),
    ...(outputTokens === undefined ? {} : { output: outputTokens }),
    ...(cachedTokens === undefined ? {} : { cached: cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoning: reasoningTokens }),
    ...(estimatedTokens === undefined ? {} : { estimated: estimatedTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(reviewers.length === 0 ? {} : { reviewers }),
  };
}

function attemptShape(row: AttemptRow, { locale, others: othersOn }: Monitor): Attempt {
  const usage = usageOf(row);
  const others = othersOn(row.task, row.number);
  const { branch, commit, folder } = row;
  const estimate = packageTokens(row);
  return {
    number: row.number,
    agent: shown(row.agent),
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    outcome: row.outcome,
    reason: shown(reasonText(row.reason, locale), 2000),
    evidence: shownBlock(row.evidence, PIECE, "end"),
    finalMessage: shownBlock(withoutSignals(row.finalMessage), PIECE, "end"),
    feedback: shownBlock(`${withReasonsOnly(row.feedback)}\n${row.unheard ?? ""}`.trim(), PIECE, "end"),
    ...(usage === undefined ? {} : { usage }),
    ...(estimate === 0 ? {} : { estimate: Math.round(estimate) }),
    ...(branch === undefined ? {} : { branch: shown(branch) }),
    ...(commit === undefined ? {} : { commit: shown(commit) }),
    ...(folder === undefined ? {} : { folder: shown(folder) }),
    ...(others.length === 0 ? {} : { others: [...others] }),
  };
}

function optional(task: Task): Partial<TaskShape> {
  const { verify, test, contextRef, fills, run } = task;
  const role = task.role ?? task.specialist;
  const agents = agentsNamed(task);
  return {
    ...(role === undefined ? {} : { role: shown(role) }),
    ...(agents.length === 0 ? {} : { agent: shown(agents.join(", ")) }),
    ...(verify === undefined ? {} : { verify: shownBlock(verify, PIECE) }),
    ...(run === undefined ? {} : { run: shownBlock(run, PIECE) }),
    ...(test === undefined ? {} : { test: shownBlock(test, PIECE) }),
    ...(contextRef === undefined ? {} : { contextRef: shown(contextRef) }),
    ...(fills === undefined ? {} : { fills: shown(fills) }),
  };
}

/** Files of a commit that are told; the others are counted. */
const CHANGES = 100;

/** What a commit changed, as a page shows it. */
export function changesShape(found: Result<readonly FileChange[], string>): ChangesShape {
  const changes = found.ok ? found.value : [];
  return {
    ...(found.ok ? {} : { problem: shown(found.failure) }),
    added: changes.reduce((sum, { added = 0 }) => sum + added, 0),
    removed: changes.reduce((sum, { removed = 0 }) => sum + removed, 0),
    files: changes.slice(0, CHANGES).map(({ path, added, removed }) => ({
      path: shown(path),
      ...(added === undefined ? {} : { added, removed }),
    })),
    more: Math.max(0, changes.length - CHANGES),
  };
}

/** What a person may do to a task. */
function actionsOf({ plan, stored }: Reading, task: Task, attempts: readonly AttemptRow[]) {
  const row = stored.tasks.filter(({ id }) => id === task.id);
  const [facts] = taskFacts({ ...plan, tasks: [task] }, row);
  return facts === undefined ? [] : actionsFor(facts, awaitsReviewOf(attempts.at(-1)));
}

/** Everything known about one task; undefined when the plan has none under that id. */
export function taskShape(
  monitor: Monitor,
  reading: Reading,
  id: string,
  rows: {
    readonly attempts: readonly AttemptRow[];
    readonly receipts: readonly ReceiptRow[];
    readonly spans: readonly AttemptSpan[];
  },
): TaskShape | undefined {
  const { plan, stored } = reading;
  const task = plan.tasks.find(candidate => candidate.id === id);
  const now = standingOfRun(reading, rows.spans, monitor, monitor.link().live).tasks.find(
    one => one.id === id,
  );
  if (task === undefined || now === undefined) return undefined;
  return {
    now,
    text: shownBlock(task.text),
    line: task.line,
    file: shown(stored.run.file),
    ...optional(task),
    files: task.files.slice(0, 100).map(path => shown(path)),
    neededBy: plan.tasks.filter(other => other.dependsOn.includes(id)).map(other => other.id),
    attempts: rows.attempts.slice(-ATTEMPTS).map(row => attemptShape(row, monitor)),
    older: Math.max(0, rows.attempts.length - ATTEMPTS),
    receipts: rows.receipts.slice(-ATTEMPTS).flatMap(row => readReceipt(row) ?? []),
    actions: [...actionsOf(reading, task, rows.attempts)],
  };
}
