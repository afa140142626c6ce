import type { AgentEvent, TurnEnd } from "../../ports/index.ts";

/** Weight of lines and tool calls that may wait for a slow reader; one weighs its length and a bit. */
const MOST_WAITING = 1 << 20;
/** Weight of line events let through per second: what nobody can read is not worth the work. */
const MOST_PER_SECOND = 2 << 20;
const EVENT_WEIGHT = 64;
/** Events that were taken and are still held: a reader that never catches up must not keep them all. */
const MOST_TAKEN = 1_000;

/** What an event adds to what waits: only lines and tool calls come in any number. */
function weightOf(event: AgentEvent): number {
  if (event.type === "line") return event.text.length + EVENT_WEIGHT;
  return event.type === "tool" ? event.id.length + event.title.length + EVENT_WEIGHT : 0;
}

/** Between a process that writes at any speed and a reader that takes its time, in bounded memory. */
export interface EventQueue {
  /** Must not be a line or the end. Tool calls beyond what a reader can take are counted, and what was used is told as it stands last. */
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
  let unshown = 0;
  let wake: (() => void) | undefined;

  function push(event: Exclude<AgentEvent, { type: "line" | "ended" }>): void {
    const last = waiting.at(-1);
    if (event.type === "usage" && last?.type === "usage" && head < waiting.length) {
      waiting[waiting.length - 1] = { ...last, ...event };
    } else if (event.type === "tool" && weight >= MOST_WAITING) {
      unshown += 1;
    } else {
      if (event.type === "tool") weight += weightOf(event);
      add(event);
    }
  }

  function line(stream: "stdout" | "stderr", text: string): void {
    const event = { type: "line", stream, text } as const;
    weight += weightOf(event);
    spent += weightOf(event);
    add(event);
  }

  function tellUnshown(): void {
    if (unshown === 0) return;
    const told = unshown;
    unshown = 0;
    line("stderr", `[espalier] … ${told} steps of tools are not shown here`);
  }

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
    weight -= weightOf(event);
    if (head === waiting.length || head === MOST_TAKEN) {
      waiting = waiting.slice(head);
      head = 0;
    }
    if (waiting.length === 0) tellUnshown();
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
    push,
    line,
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
      tellUnshown();
      add({ type: "ended", end });
    },
    events: read(),
  };
}
