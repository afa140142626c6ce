import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";

/** Milliseconds for which what was worked out of documents and outputs is taken as it was. */
const SLOW = 2000;

/** A value that is worked out again when it is older than that. */
export function remembered<T>(make: () => T): () => T {
  let value: T | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    const now = SYSTEM_CLOCK.monotonic();
    if (value === undefined || now - at > SLOW) {
      value = make();
      at = now;
    }
    return value;
  };
}
