import type { Clock } from "../../src/ports/index.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time that passes only when a test says so; wall time can be made to jump on its own. */
export class ManualClock implements Clock {
  readonly portVersion = 1;
  #mono = 0;
  #wall: number;
  #timers: Timer[] = [];

  constructor(wall = 1_800_000_000_000) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#mono;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#mono + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer);
    };
  }

  /** How long until the next timer; undefined when there is none. */
  get next(): number | undefined {
    const at = Math.min(...this.#timers.map(timer => timer.at));
    return Number.isFinite(at) ? at - this.#mono : undefined;
  }

  /** Lets time pass, timer by timer; what they cause can happen in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#mono + ms;
    for (;;) {
      const due = this.#timers.filter(timer => timer.at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter(timer => timer !== due);
      this.#pass(Math.max(0, due.at - this.#mono));
      due.callback();
      await quiet();
    }
    this.#pass(until - this.#mono);
    await quiet();
  }

  /** The wall clock is set, as administrators and time servers do. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  #pass(ms: number): void {
    this.#mono += ms;
    this.#wall += ms;
  }
}

/** Resolves when everything that was under way without a timer has come to rest. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}
