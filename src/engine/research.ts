import type { Library } from "../context/library/index.ts";
import { askResearch, type Plan } from "../plan/index.ts";
import { because, type RunEvent } from "../ports/index.ts";
import type { RunState } from "../run/index.ts";

/** Who is asked for research, and hears of it. */
interface Asking {
  readonly run: RunState;
  readonly library: Library;
  tell(events: readonly RunEvent[]): void;
}

/** The plan with the research that a worker asks for; undefined where there is none to add. */
export function researchFor(
  { run, library, tell }: Asking,
  task: string,
  questions: readonly string[],
): Plan | undefined {
  if (questions.length === 0 || run.only !== undefined) return undefined;
  const plan = askResearch(run.plan, task, questions, library.options.research);
  const message = because("no-research", { most: library.options.research });
  // What is asked for is told with the tasks that the plan has more.
  if (plan === undefined) tell([{ type: "warning", code: "NO_RESEARCH", message, task }]);
  return plan;
}
