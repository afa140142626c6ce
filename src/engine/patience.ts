import { because, type Clock, type Reason, type StoreFailure } from "../ports/index.ts";

/** Milliseconds until a change that the disk refused is tried again. */
const DISK_PAUSE = 30_000;
const IO_PAUSE = 1000;
const IO_TRIES = 3;
/** Times a full disk is tried: ten minutes, after which the run ends and says how to go on. */
const DISK_TRIES = 20;

/** What waiting for a disk needs of the loop around it. */
export interface Patience {
  readonly clock: Clock;
  /** True once somebody wants to leave: then the next refusal is the last. */
  stopAsked(): boolean;
  /** Calls back when somebody wants to leave while this waits; undefined when it waits no longer. */
  onHurry(callback: (() => void) | undefined): void;
  /** Tells people, once for each refusal. */
  tell(message: Reason): void;
}

function pause(ms: number, { clock, onHurry }: Patience): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      cancel();
      onHurry(undefined);
      resolve();
    };
    const cancel = clock.after(ms, done);
    onHurry(done);
  });
}

/**
 * Commits, and tries the same change again while a full disk or a passing I/O error refuses it. Returns the failure that
 * no waiting mends, or after which somebody wanted to leave.
 */
export async function commitPatiently(
  commit: () => StoreFailure | undefined,
  patience: Patience,
): Promise<StoreFailure | undefined> {
  for (let tries = 1; ; tries++) {
    const failure = commit();
    if (failure === undefined) return undefined;
    if (failure.kind !== "full" && failure.kind !== "io") return failure;
    const most = failure.kind === "full" ? DISK_TRIES : IO_TRIES;
    if (tries >= most || patience.stopAsked()) return failure;
    patience.tell(because("state-unwritten", { said: failure.message }));
    await pause(failure.kind === "full" ? DISK_PAUSE : IO_PAUSE, patience);
  }
}
