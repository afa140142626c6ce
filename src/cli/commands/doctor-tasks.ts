import { errorsOf, loadPlan, renderDiagnostics } from "../../host/project/plan-file.ts";
import { planWords } from "../../host/project/plan-words.ts";
import { lastTaskFile, type Project } from "../../host/project/project.ts";
import { readLastRun } from "../../host/project/reader.ts";
import { EspalierError } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { DoctorWords } from "../views/words/doctor-words.ts";
import { type Check, problemFrom } from "./doctor-problem.ts";

/** A task file that is there and cannot be read. */
const UNREAD: ReadonlySet<string> = new Set(["TASKS_NOT_A_FILE", "TASKS_TOO_LARGE", "TASKS_UNREADABLE"]);

/** Errors that are shown in full. */
const SHOWN = 3;

/** The plan as the last run would read it now. Throws EspalierError where there is no task file that can be read. */
export function presentPlan(project: Project) {
  const latest = readLastRun(project);
  const file = lastTaskFile(project, latest?.stored.run);
  return { latest, file, plan: loadPlan(file, latest?.invocation.allowMissing === true, project) };
}

/** What in the task file keeps a run from starting. That there is none, other checks tell. */
export function taskChecks(project: Project, words: DoctorWords): Check[] {
  try {
    const { file, plan } = presentPlan(project);
    const diagnostics = errorsOf(plan);
    if (diagnostics.length === 0) return [];
    const found = renderDiagnostics(file, { ...plan, diagnostics }, SHOWN, project.locale).join("\n");
    const advice = planWords(project.locale).invalidHint(visible(file.display));
    // A file that somebody has only begun is none to mend.
    const isEmpty = diagnostics.every(({ code }) => code === "TASKS_EMPTY");
    return [{ name: "tasks", level: isEmpty ? "note" : "problem", found, advice }];
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    return UNREAD.has(error.code) ? [problemFrom("tasks", error, words.reason)] : [];
  }
}
