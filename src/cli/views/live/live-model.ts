import type { StampedEvent } from "../../../ports/index.ts";
import { isSignal, visible } from "../../../text/index.ts";
import { finalState } from "../terminal/uncolored.ts";
import type { Words } from "../words/words.ts";
import { addRecent, type Recent } from "./recent.ts";

/** What an agent is doing now, as far as its events tell. */
export interface Working {
  readonly attempt: number;
  readonly agent: string;
  /** The other machine on which it is. */
  machine: string | undefined;
  /** Why no machine has begun it. */
  waits: string | undefined;
  /** Monotonic milliseconds at which the attempt began. */
  readonly since: number;
  /** Its last line that says anything; foreign and not yet made safe. */
  line: string;
  /** The proof that runs, once the agent is through. */
  verify: string | undefined;
}

/** The moment a frame shows. */
export interface Moment {
  /** Wall clock, epoch milliseconds. */
  readonly now: number;
  readonly monotonic: number;
  /** Monotonic time at which the view began. */
  readonly began: number;
  /** Lines of the terminal; the frame always leaves one free. */
  readonly rows: number;
  /** Stands at the bottom instead of how to stop the run. */
  readonly hint?: string;
}

/** What the live view remembers of the events; everything else it reads from the run. */
export interface LiveModel {
  readonly working: ReadonlyMap<string, Working>;
  readonly recent: readonly Recent[];
  /** True from the moment a stop was asked for. */
  readonly stopping: boolean;
  /** An agent's line redacted, without its colours, safe to show. */
  safe(text: string): string;
  /** Takes one event; constant time, whatever the rate. */
  hear(event: StampedEvent, monotonic: number): void;
  /** Notes on which other machine an attempt is, or why none has begun it. */
  place(task: string, attempt: number, where: Pick<Working, "machine" | "waits">): void;
  /** Notes that a stop was asked for, before the run itself says so. */
  stop(): void;
  /** Forgets what no longer runs. */
  keep(isRunning: (task: string) => boolean): void;
}

/** Happenings that are kept; no terminal shows more. */
const KEPT = 12;
/** Characters of an agent's line that are looked at: no terminal shows more. */
const LOOKED_AT = 1000;

/** An empty model. */
export function createLiveModel(words: Words, redact: (text: string) => string): LiveModel {
  const working = new Map<string, Working>();
  let recent: readonly Recent[] = [];
  let stopping = false;
  return {
    working,
    get stopping() {
      return stopping;
    },
    get recent() {
      return recent;
    },
    safe: text => visible(finalState(redact(text)), LOOKED_AT),
    hear(stamped, monotonic) {
      const { event } = stamped;
      if (event.type === "attempt-line") {
        const state = working.get(event.task);
        const isSaid = event.text.trim() !== "" && !isSignal(event.text);
        if (state?.attempt === event.attempt && isSaid) state.line = event.text;
        return;
      }
      if (event.type === "attempt-started") {
        const { task, attempt, agent } = event;
        working.set(task, {
          attempt,
          agent,
          since: monotonic,
          line: "",
          verify: undefined,
          machine: undefined,
          waits: undefined,
        });
      } else if (event.type === "verify-started") {
        const state = working.get(event.task);
        if (state?.attempt === event.attempt) state.verify = event.command;
      } else if (event.type === "stopping") {
        stopping = true;
      } else recent = addRecent(recent, stamped, words, redact, KEPT);
    },
    place(task, attempt, where) {
      const state = working.get(task);
      if (state?.attempt === attempt) Object.assign(state, where);
    },
    stop() {
      stopping = true;
    },
    keep(isRunning) {
      for (const task of working.keys()) if (!isRunning(task)) working.delete(task);
    },
  };
}
