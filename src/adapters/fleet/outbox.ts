import type { OrderEvent, Report } from "../../ports/index.ts";

/** Reports of one order, kept until they have arrived. */
export interface Outbox {
  put(event: OrderEvent): void;
  /** The reports from this number on, up to the last; what comes before a report is let go of when that one is asked for. */
  from(seq: number): AsyncIterable<Report>;
}

/** Whether a report is the last of its order. */
const isLast = ({ type }: OrderEvent): boolean => type === "closed" || type === "lost";

export function createOutbox(): Outbox {
  let kept: Report[] = [];
  /** Number of the first that is kept. */
  let first = 1;
  let last = 0;
  let isOver = false;
  let more = Promise.withResolvers<void>();

  const forgetBefore = (seq: number): void => {
    if (seq <= first) return;
    kept = kept.slice(seq - first);
    first = seq;
  };

  return {
    put(event) {
      if (isOver) return;
      isOver = isLast(event);
      kept.push({ version: 1, seq: ++last, event });
      more.resolve();
      more = Promise.withResolvers();
    },
    async *from(seq) {
      for (let at = seq; ; ) {
        if (at < first) {
          yield { version: 1, seq: at, event: { type: "lost", why: `report ${at} has arrived before` } };
          return;
        }
        forgetBefore(at);
        const batch = kept.slice(at - first);
        for (const report of batch) {
          yield report;
          at = report.seq + 1;
        }
        if (isOver && at > last) return;
        if (at > last) await more.promise;
      }
    },
  };
}
