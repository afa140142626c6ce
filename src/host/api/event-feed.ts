import type { StampedEvent } from "../../ports/index.ts";

/** Events that wait for a reader; beyond these, raw lines of agents are left out, which the attempt's log keeps. */
const MOST_WAITING = 10_000;

/** Events on their way to whoever iterates over them. */
export interface EventFeed {
  readonly events: AsyncIterable<StampedEvent>;
  put(event: StampedEvent): void;
  /** Nothing comes any more; with what reading throws at its end, if anything. */
  end(failed?: { readonly error: unknown }): void;
}

interface Reader {
  readonly waiting: StampedEvent[];
  /** Wakes it. */
  wake: () => void;
}

function keep(waiting: StampedEvent[], event: StampedEvent): void {
  if (waiting.length < MOST_WAITING || event.event.type !== "attempt-line") waiting.push(event);
}

/** A feed that holds everything for its first reader; later ones hear what comes from then on. */
export function createEventFeed(): EventFeed {
  const readers = new Set<Reader>();
  let first: StampedEvent[] | undefined = [];
  let over: { readonly failed: { readonly error: unknown } | undefined } | undefined;

  async function* read(reader: Reader): AsyncGenerator<StampedEvent, void, undefined> {
    try {
      for (;;) {
        yield* reader.waiting.splice(0);
        if (reader.waiting.length > 0) continue;
        if (over !== undefined) break;
        await new Promise<void>(resolve => {
          reader.wake = resolve;
        });
      }
      if (over.failed !== undefined) throw over.failed.error;
    } finally {
      readers.delete(reader);
    }
  }

  return {
    events: {
      [Symbol.asyncIterator]() {
        const reader: Reader = { waiting: first ?? [], wake: () => {} };
        first = undefined;
        readers.add(reader);
        return read(reader);
      },
    },
    put(event) {
      if (over !== undefined) return;
      if (first !== undefined) keep(first, event);
      for (const reader of readers) {
        keep(reader.waiting, event);
        reader.wake();
      }
    },
    end(failed) {
      over ??= { failed };
      for (const reader of readers) reader.wake();
    },
  };
}
