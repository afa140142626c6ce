import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import type { Monitor, Reading } from "../../server/index.ts";
import type { Look } from "../views/look.ts";
import { taskView, taskViewFacts } from "../views/task-view.ts";

/** What is known of a task, as `espalier task show` tells it. */
export function detailLines(reading: Reading, id: string, monitor: Monitor, look: Look): string[] {
  const found = monitor.ask(store => store.attempts(reading.stored.run.id, id));
  const facts = taskViewFacts(reading, id, {
    attempts: found.ok ? (found.value ?? []) : [],
    file: reading.stored.run.file,
    maxAttempts: monitor.maxAttempts,
    now: SYSTEM_CLOCK.now(),
    attemptLog: attempt => monitor.log(id, attempt, 0)?.path,
  });
  return facts === undefined ? [] : taskView(facts, look);
}
