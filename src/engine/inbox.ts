import type { Clock } from "../ports/index.ts";
import type { Letter } from "./letters.ts";

/** Milliseconds that what nobody waits for may lie: most often something else is to be written by then. */
const PATIENCE = 100;

/** Letters on their way to the run, worked off in the order they came. */
export interface Inbox {
  readonly isEmpty: boolean;
  /** Takes a letter; what is `patient` is worked off with the next that is not, or after a moment. */
  put(letter: Letter): void;
  some(test: (letter: Letter) => boolean): boolean;
  /** From now on nothing is worked off. Returns what still lay there. */
  close(): readonly Letter[];
}

/** An inbox; `work` takes a batch at a time, `broke` hears what it throws. */
export function createInbox(
  clock: Pick<Clock, "after">,
  work: (batch: readonly Letter[]) => Promise<void>,
  broke: (error: unknown) => void,
): Inbox {
  let letters: Letter[] = [];
  let working = false;
  let closed = false;
  let cancelTimer: (() => void) | undefined;

  const take = (): Letter[] => {
    cancelTimer?.();
    cancelTimer = undefined;
    return letters.splice(0);
  };

  const workOff = async (): Promise<void> => {
    if (working) return;
    working = true;
    // Results that arrive together share a transaction.
    await Promise.resolve();
    while (letters.length > 0 && !closed) {
      const batch = take();
      try {
        await work(batch);
      } catch (error) {
        // Whoever waits would wait for ever, and the engine's end for them.
        for (const { reply } of batch) reply?.(undefined);
        throw error;
      }
    }
    working = false;
  };

  const begin = () => void workOff().catch(broke);

  return {
    get isEmpty() {
      return letters.length === 0;
    },
    put(letter) {
      letters.push(letter);
      if (letter.patient !== true) begin();
      else if (!working) cancelTimer ??= clock.after(PATIENCE, begin);
    },
    some: test => letters.some(test),
    close() {
      closed = true;
      const left = take();
      letters = [];
      return left;
    },
  };
}
