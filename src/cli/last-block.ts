import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { attemptName } from "../adapters/local/state-files.ts";
import type { Project } from "../host/project/project.ts";
import type { Aftermath } from "../host/run/aftermath.ts";
import type { RunState } from "../run/index.ts";
import { reasonText } from "../text/index.ts";
import { type ReportFacts, reportFacts, reportSteps } from "./views/report.ts";
import { wordsFor } from "./views/words/words-for.ts";

/** What is said last of a run of this project. */
export function lastFacts(
  { stateDir, root }: Pick<Project, "stateDir" | "root">,
  run: RunState,
  ms: number,
  left: Aftermath,
): ReportFacts {
  return reportFacts(run, {
    ms,
    ...left,
    log: relative(root, join(stateDir, "orchestrate.log")),
    attemptLog: (task, attempt) => {
      const path = join(stateDir, "attempts", `${attemptName(task, attempt)}.log`);
      return existsSync(path) ? relative(root, path) : undefined;
    },
  });
}

/** The same for programs, behind all events: what became of the run, where its work is, what nobody proved, and what to type next. */
export function lastJson(run: string, facts: ReportFacts, counts: RunState["counts"]) {
  const { outcome, tasks, work, taken, troubles = [], unreviewed = [] } = facts;
  const isUnproved = ({ status, verified, task }: (typeof tasks)[number]) =>
    status === "completed" && verified !== true && task.children === undefined;
  return {
    type: "report",
    run,
    outcome,
    reason: reasonText(facts.reason, "en"),
    counts,
    unverified: tasks.filter(isUnproved).map(({ task }) => task.id),
    unreviewed,
    taken: taken === undefined ? null : { ...taken, cost: taken.cost ?? null },
    work: work ?? null,
    troubles: troubles.map(({ kind, reason }) => ({ kind, reason: reasonText(reason, "en") })),
    next: reportSteps(facts, wordsFor("en")).map(({ command }) => command),
  };
}
