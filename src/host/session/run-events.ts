import type { StampedEvent, Store } from "../../ports/index.ts";

/** Events that are read at a time. */
const PAGE = 5000;

/** What a run has told, from its first event on; a log ends where it cannot be read further. */
export function* runEvents(store: Pick<Store, "events">, run: string): Generator<StampedEvent> {
  for (let after = 0; ; ) {
    const page = store.events(run, after, PAGE);
    const events = page.ok ? page.value : [];
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return;
    after = last.seq;
  }
}
