import type { OrderEvent, Report } from "../../ports/index.ts";

/** Weight of reports that may wait until an agent is listened to no further: it drops lines then and says how many. */
const MOST_WAITING = 1 << 20;
const REPORT_WEIGHT = 64;

/** Reports of one order, kept until they have arrived. */
export interface Outbox {
  put(event: OrderEvent): void;
  /** Resolves once what waits is little enough to take in more. */
  room(): Promise<void>;
  /** The reports from this number on, up to the last. To ask for one says that those before it have arrived. */
  from(seq: number): AsyncIterable<Report>;
}

/** Whether a report is the last of its order. */
const isLast = ({ type }: OrderEvent): boolean => type === "closed" || type === "lost";

function weightOf(event: OrderEvent): number {
  if (event.type === "line") return event.text.length + REPORT_WEIGHT;
  return event.type === "output" ? event.bytes.length + REPORT_WEIGHT : REPORT_WEIGHT;
}

export function createOutbox(): Outbox {
  const kept = new Map<number, Report>();
  /** Number of the first that has not arrived. */
  let first = 1;
  let last = 0;
  let weight = 0;
  let isOver = false;
  let more = Promise.withResolvers<void>();
  let less = Promise.withResolvers<void>();

  const forgetBefore = (seq: number): void => {
    const wasFull = weight > MOST_WAITING;
    for (; first < seq && first <= last; first++) {
      weight -= weightOf(kept.get(first)!.event);
      kept.delete(first);
    }
    if (!wasFull || weight > MOST_WAITING) return;
    less.resolve();
    less = Promise.withResolvers();
  };

  return {
    put(event) {
      if (isOver) return;
      isOver = isLast(event);
      kept.set(++last, { version: 1, seq: last, event });
      weight += weightOf(event);
      more.resolve();
      more = Promise.withResolvers();
    },
    async room() {
      while (weight > MOST_WAITING) await less.promise;
    },
    async *from(seq) {
      for (let at = seq; ; at++) {
        if (at < first) {
          yield { version: 1, seq: at, event: { type: "lost", why: `report ${at} has arrived before` } };
          return;
        }
        forgetBefore(at);
        if (isOver && at > last) return;
        while (at > last) await more.promise;
        yield kept.get(at)!;
      }
    },
  };
}
