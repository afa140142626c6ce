import type { Store } from "../../ports/index.ts";
import type { MetConflict } from "../../run/index.ts";
import { runEvents } from "./run-events.ts";

/** The conflicts that a run has told of; an unreadable log has told of none. */
export function metConflicts(store: Pick<Store, "events">, run: string): readonly MetConflict[] {
  const met: MetConflict[] = [];
  for (const { event } of runEvents(store, run)) {
    if (event.type === "conflict") met.push({ tasks: [event.task, ...event.others], files: event.files });
  }
  return met;
}
