import type { AgentEvent, TurnEnd } from "../../ports/index.ts";

/** Weight of line events that may wait for a slow reader; one line weighs its length and a bit. */
const MOST_WAITING = 1 << 20;
/** Weight of line events let through per second: what nobody can read is not worth the work. */
const MOST_PER_SECOND = 2 << 20;
const EVENT_WEIGHT = 64;

/** Between a process that writes at any speed and a reader that takes its time, in bounded memory. */
export interface EventQueue {
  /** Must not be a line or the end. */
  push(event: Exclude<AgentEvent, { type: "line" | "ended" }>): void;
  line(stream: "stdout" | "stderr", text: string): void;
  /** False while lines come faster than they are taken; they should then be counted, not sent. */
  open(): boolean;
  /** The last event; whatever comes later is ignored. */
  end(end: TurnEnd): void;
  /** For one reader. Leaving it early calls `abandoned`. */
  readonly events: AsyncIterableIterator<AgentEvent>;
}

/** A queue for the events of one turn. */
export function createEventQueue(abandoned: () => void): EventQueue {
  let waiting: AgentEvent[] = [];
  let head = 0;
  let weight = 0;
  let ended = false;
  let windowStart = performance.now();
  let spent = 0;
  let wake: (() => void) | undefined;

  function add(event: AgentEvent): void {
    if (ended) return;
    ended = event.type === "ended";
    waiting.push(event);
    wake?.();
  }

  function take(): AgentEvent | undefined {
    const event = waiting[head];
    if (event === undefined) return undefined;
    head += 1;
    if (event.type === "line") weight -= event.text.length + EVENT_WEIGHT;
    if (head === waiting.length) {
      waiting = [];
      head = 0;
    }
    return event;
  }

  async function* read(): AsyncGenerator<AgentEvent, void, undefined> {
    let last: AgentEvent | undefined;
    try {
      while (last?.type !== "ended") {
        last = take();
        if (last !== undefined) yield last;
        else await new Promise<void>(resolve => (wake = resolve));
      }
    } finally {
      if (last?.type !== "ended") abandoned();
    }
  }

  return {
    push: add,
    line(stream, text) {
      const cost = text.length + EVENT_WEIGHT;
      weight += cost;
      spent += cost;
      add({ type: "line", stream, text });
    },
    open() {
      if (weight >= MOST_WAITING) return false;
      if (spent < MOST_PER_SECOND) return true;
      const now = performance.now();
      if (now - windowStart < 1_000) return false;
      windowStart = now;
      spent = 0;
      return true;
    },
    end(end) {
      add({ type: "ended", end });
    },
    events: read(),
  };
}
