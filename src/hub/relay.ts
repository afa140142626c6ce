import { weightOf } from "../fleet/index.ts";
import type { Report } from "../ports/index.ts";

/** Weight of reports of one order that are kept for its coordinator: a worker keeps back what is beyond that. */
const MOST_KEPT = 4 * 1024 ** 2;

/** Weight beyond which none is kept that the coordinator has heard: less than a worker keeps, whose agent must not wait for a copy. */
const MOST_HEARD = 1024 ** 2;

/** Reports of one order on their way: its worker has them until they have arrived. */
export interface Relay {
  /** The number of the report that is wanted next; 1 until the first was seen. */
  readonly next: number;
  /** How many the coordinator has. */
  readonly arrived: number;
  readonly isFull: boolean;
  /**
   * Takes reports that follow those before; what is known is passed over, and nothing is taken behind a gap. Of what a worker sends to a
   * hub that was started anew the first to arrive may be the later ones: those before them are taken in front.
   */
  put(reports: readonly Report[]): void;
  /**
   * Those from a number on. Up to `done`, by default all before them, they have arrived and are not kept; where there is no more room,
   * none of those before are. Undefined where some of what is asked for have arrived before.
   */
  from(seq: number, done?: number): readonly Report[] | undefined;
  /** Resolves at the next change, or after so many milliseconds. */
  changed(ms: number): Promise<void>;
  /** Tells whoever waits that something else has changed. */
  wake(): void;
}

export function createRelay(): Relay {
  const kept = new Map<number, Report>();
  let weight = 0;
  let arrived = 0;
  /** The first that anything was known of; undefined until then: a hub that was started anew believes its worker. */
  let first: number | undefined;
  /** The first that is missing behind it. */
  let next = 1;
  let change = Promise.withResolvers<void>();

  const wake = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const forget = (seq: number) => {
    if (arrived >= seq - 1) return;
    for (const [at, report] of kept) {
      if (at >= seq) continue;
      weight -= weightOf(report);
      kept.delete(at);
    }
    arrived = seq - 1;
    wake();
  };

  return {
    get next() {
      return next;
    },
    get arrived() {
      return arrived;
    },
    get isFull() {
      return weight > MOST_KEPT;
    },
    put(reports) {
      const before = next;
      for (const report of reports) {
        const { seq } = report;
        if (first === undefined || seq < first) first = next = seq;
        if (seq !== next) continue;
        // Whoever follows may have had it from a hub that is gone.
        if (seq > arrived) {
          kept.set(seq, report);
          weight += weightOf(report);
        }
        do next++;
        while (kept.has(next));
      }
      if (next !== before) wake();
    },
    from(seq, done = seq - 1) {
      if (seq <= arrived) return undefined;
      forget(weight > MOST_HEARD ? seq : Math.min(seq, done + 1));
      const found: Report[] = [];
      for (let at = seq; kept.has(at); at++) found.push(kept.get(at)!);
      return found;
    },
    async changed(ms) {
      const { promise } = change;
      let timer: NodeJS.Timeout | undefined;
      // What is left until a moment may be gone by now.
      const left = Math.max(0, ms);
      await Promise.race([promise, new Promise<void>(resolve => (timer = setTimeout(resolve, left)))]);
      clearTimeout(timer);
    },
    wake,
  };
}
