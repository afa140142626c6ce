import type { Config } from "../../config/index.ts";
import { proofCommands, reviewersSpentBy, totalSpend } from "../../engine/index.ts";
import { comparePhases, expectedPaths, type Phase, type Plan, type Task } from "../../plan/index.ts";
import type { TaskRow, UsageRow } from "../../ports/index.ts";
import {
  type PullRequest,
  pullRequest,
  type ReportedTask,
  reasonText,
  STATUS_WORDS,
} from "../../text/index.ts";
import { takenBy } from "./aftermath.ts";
import type { TaskReview } from "./reviews.ts";

/** What a run has come to, as its rows say. */
export interface Standings {
  readonly plan: Plan;
  readonly tasks: readonly Pick<TaskRow, "id" | "status" | "verified" | "reason">[];
  readonly usage: readonly UsageRow[];
  /** What became of reviews, by task. */
  readonly reviews: ReadonlyMap<string, TaskReview>;
}

/** What proves a task: the commands that are run for it, else the paths that it has to leave. */
export function proofOf(task: Task, config: Config): readonly string[] {
  const commands = proofCommands(task, config).map(({ command }) => command);
  return commands.length > 0 ? commands : expectedPaths(task.expects ?? []);
}

function reported(
  task: Task,
  row: Standings["tasks"][number] | undefined,
  review: TaskReview | undefined,
  config: Config,
): ReportedTask {
  const { id, title } = task;
  const { status = "pending", verified = false, reason } = row ?? {};
  const standing = [STATUS_WORDS[config.locale][status], reasonText(reason, config.locale)]
    .filter(part => part !== "")
    .join(": ");
  if (status === "skipped") return { id, title, state: "skipped", proof: [], standing: "" };
  if (status !== "completed") return { id, title, state: "open", proof: [], standing };
  const state = verified ? "proved" : "unproved";
  const reviewed = review === undefined ? {} : { review };
  return {
    id,
    title,
    state,
    // Its commands may never have passed where it counts on a person's word.
    proof: review?.kind === "person" ? [] : proofOf(task, config),
    standing: reasonText(reason, config.locale),
    ...reviewed,
  };
}

/** A run, or one of its phases, as title and text of a pull request. Deterministic for equal rows. */
export function runReport(standings: Standings, config: Config, only?: Phase): PullRequest {
  const { plan, tasks, usage, reviews } = standings;
  const rows = new Map(tasks.map(row => [row.id, row]));
  const titles = new Map(plan.phases.map(({ phase, title }) => [String(phase), title]));
  const told = plan.tasks.filter(
    ({ children, phase }) => children === undefined && (only === undefined || String(phase) === String(only)),
  );
  const phases = [...Map.groupBy(told, ({ phase }) => String(phase)).values()]
    .map(members => ({ phase: members[0]!.phase, members }))
    .sort((a, b) => comparePhases(a.phase, b.phase));
  const ids = new Set(told.map(({ id }) => id));
  // What tasks took that have left the plan since is part of the run, and of no phase.
  const ofThese = only === undefined ? usage : usage.filter(({ task }) => ids.has(task));
  const taken = takenBy({ usage: ofThese }, config.budget.prices);
  const reviewSpends = ofThese.flatMap(row => reviewersSpentBy(row).map(([, spent]) => spent));
  const reviewed = totalSpend(reviewSpends);
  return pullRequest(
    {
      project: plan.project,
      phases: phases.map(({ phase, members }) => ({
        label: String(phase),
        title: titles.get(String(phase)) ?? "",
        tasks: members.map(task => reported(task, rows.get(task.id), reviews.get(task.id), config)),
      })),
      ...taken,
      reviews: reviewSpends.length === 0 ? undefined : { tokens: reviewed.tokens, cost: reviewed.cost },
    },
    config.locale,
  );
}
