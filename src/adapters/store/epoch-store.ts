import type { Result } from "../../ports/result.ts";
import type { Store } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";

/** A store whose writer can take over from every earlier one. */
export interface EpochStore extends Store {
  /**
   * Raises the fencing epoch durably and returns it. From then on a change under any earlier epoch is refused, whoever
   * commits it.
   */
  claimEpoch(): Result<number, StoreFailure>;
}

/** A change no correct caller makes: its parts contradict each other or what is stored. */
export function misuse(message: string): Error {
  return new Error(`store: ${message}`);
}
