import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { because, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { acquireLock } from "../../../lock/index.ts";
import { failed } from "../call/failure.ts";
import type { Repository } from "./repository.ts";

/** Milliseconds between two looks whether it is this one's turn. */
const LOOK_EVERY = 100;
/** Looks after which whoever has it is named: what it does takes seconds. */
const MOST_LOOKS = 600;

/**
 * Does what moves the main checkout's branch while no other project of the repository does. Without it the second one finds the branch
 * elsewhere, with its own files staged already. Where no lock can be made, none is needed to go on.
 */
export async function inTurn<T>(
  { facts }: Pick<Repository, "facts">,
  work: () => Promise<Result<T, VcsFailure>>,
): Promise<Result<T, VcsFailure>> {
  for (let looks = 0; ; looks++) {
    const lock = acquireLock(join(facts.gitDir, "espalier-moves"), { waitMs: 0 });
    if (lock.ok) {
      try {
        return await work();
      } finally {
        lock.value.release();
      }
    }
    if (lock.failure.kind !== "held") return work();
    if (looks >= MOST_LOOKS) {
      const pid = lock.failure.holder?.pid;
      const by = pid === undefined ? {} : { pid };
      return failed(because("merging-elsewhere", { path: facts.top, ...by }));
    }
    await pause(LOOK_EVERY);
  }
}
