import type { Store } from "../../ports/index.ts";
import type { MetConflict } from "../../run/index.ts";

/** Events that are read at a time. */
const PAGE = 5000;

/** The conflicts that a run has told of; an unreadable log has told of none. */
export function metConflicts(store: Pick<Store, "events">, run: string): readonly MetConflict[] {
  const met: MetConflict[] = [];
  for (let after = 0; ; ) {
    const page = store.events(run, after, PAGE);
    const events = page.ok ? page.value : [];
    for (const { event } of events) {
      if (event.type === "conflict") met.push({ tasks: [event.task, ...event.others], files: event.files });
    }
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return met;
    after = last.seq;
  }
}
