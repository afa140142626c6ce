import type { Monitor } from "../host/monitor/types.ts";
import type { ChangeMessage } from "./shapes/stream.ts";

/** Entries of the log that are read at a time. */
const PORTION = 500;

/**
 * Tells how long the log of the shared context is, each time it has grown: what is published, sent and answered makes no event of a
 * run. The first look only learns how long it is.
 */
export function createContextLook(monitor: Pick<Monitor, "ask">): () => Pick<ChangeMessage, "context"> {
  let known: number | undefined;
  return () => {
    const before = known;
    if (before === undefined) {
      const stored = monitor.ask(store => store.context.load());
      if (stored.ok) known = stored.value?.lastSeq ?? 0;
      return {};
    }
    for (let last = before; ; ) {
      const found = monitor.ask(store => store.context.log(last, PORTION));
      const rows = (found.ok && found.value) || [];
      last = rows.at(-1)?.seq ?? last;
      known = last;
      if (rows.length < PORTION) return last === before ? {} : { context: last };
    }
  };
}
