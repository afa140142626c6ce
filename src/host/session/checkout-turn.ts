import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { acquireLock, livingHolder } from "../../adapters/lock/index.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import type { WorkspaceRules } from "../../engine/index.ts";
import { because, fail, ok } from "../../ports/index.ts";
import { VERSION } from "../package.ts";

/** Milliseconds between two looks whether the checkout is free. */
const LOOK_EVERY = 250;

type Place = Pick<Repository, "facts">;

/** Where it is locked, in git's own folder of the checkout. */
function lockFolder({ facts }: Place): string {
  return join(facts.gitDir, "espalier-checkout");
}

/** Whether a task of some project works in the main checkout right now. */
export function isCheckoutTaken(repository: Place): boolean {
  return livingHolder(lockFolder(repository)) !== undefined;
}

/** Gives tasks of this process the main checkout, which other projects of the repository may be working in. */
export function checkoutTurns(
  repository: Place,
  tell: WorkspaceRules["tell"],
): NonNullable<WorkspaceRules["takeCheckout"]> {
  const folder = lockFolder(repository);
  let users = 0;
  let release: () => void = () => {};
  const leaver = () => {
    let isIn = true;
    users++;
    return () => {
      if (!isIn) return;
      isIn = false;
      users--;
      if (users === 0) release();
    };
  };
  return async (task, stop) => {
    for (let isTold = false; ; ) {
      // Several agents on one task have it together.
      if (users > 0) return ok(leaver());
      const lock = acquireLock(folder, { version: VERSION, waitMs: 0 });
      if (lock.ok) {
        ({ release } = lock.value);
        return ok(leaver());
      }
      const { failure } = lock;
      if (failure.kind !== "held")
        return fail({ kind: "failed", reason: because("said", { by: "system", text: failure.message }) });
      if (stop.aborted) return fail({ kind: "unprepared", reason: failure.reason });
      const { pid, cwd } = failure.holder ?? {};
      if (!isTold && pid !== undefined && cwd !== undefined) {
        tell("CHECKOUT_BUSY", because("checkout-busy", { pid, cwd }), task);
        isTold = true;
      }
      await pause(LOOK_EVERY);
    }
  };
}
