import type { ContextChange } from "../../ports/index.ts";
import { changesNothing, type Ledger } from "./work.ts";

/**
 * A ledger where nothing else happens meanwhile: each work is made durable at once. `write` throws what stands against it,
 * and then nothing has left.
 */
export function immediateLedger(write: (rows: ContextChange) => void, now: () => number): Ledger {
  return {
    async commit(work) {
      const done = work(now());
      if (done === undefined) return true;
      if (!changesNothing(done.rows)) write(done.rows);
      done.settled?.();
      return true;
    },
  };
}
