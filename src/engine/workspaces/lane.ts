/** The way home into one branch: one landing at a time, and none beside that of a task which solves a conflict there. */
export interface Lane {
  /**
   * Lands when it is the task's turn: in the order it was asked for, and, while a task holds the lane, that one alone. Afterwards
   * the task holds it if `holds` says so of what came of it. Undefined when `stop` came first: nothing was done then.
   */
  pass<T>(
    task: string,
    stop: AbortSignal,
    land: () => Promise<T>,
    holds: (landed: T) => boolean,
  ): Promise<T | undefined>;
  /** Nobody is in it, and no task holds it. */
  readonly isFree: boolean;
  /** The task that holds it. */
  readonly holder: string | undefined;
  /** Lets others land where this task holds the lane. */
  giveUp(task: string): void;
}

/** Somebody who waits for a turn. */
interface Waiter {
  readonly task: string;
  readonly go: () => void;
}

/** A lane that nobody is in. */
export function createLane(): Lane {
  const waiting: Waiter[] = [];
  let isBusy = false;
  let holder: string | undefined;

  /** Lets in who is next, if anybody may. */
  const next = (): void => {
    if (isBusy) return;
    const at = waiting.findIndex(({ task }) => holder === undefined || task === holder);
    const [waiter] = at < 0 ? [] : waiting.splice(at, 1);
    if (waiter === undefined) return;
    isBusy = true;
    waiter.go();
  };

  /** Resolves when it is the task's turn; false when it was stopped before. */
  const turn = (task: string, stop: AbortSignal): Promise<boolean> =>
    new Promise(resolve => {
      if (stop.aborted) {
        resolve(false);
        return;
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        resolve(false);
      };
      const waiter: Waiter = {
        task,
        go() {
          stop.removeEventListener("abort", leave);
          resolve(true);
        },
      };
      stop.addEventListener("abort", leave, { once: true });
      waiting.push(waiter);
      next();
    });

  return {
    async pass(task, stop, land, holds) {
      if (!(await turn(task, stop))) return undefined;
      let isHeld = false;
      try {
        const landed = await land();
        isHeld = holds(landed);
        return landed;
      } finally {
        if (isHeld) holder = task;
        else if (holder === task) holder = undefined;
        isBusy = false;
        next();
      }
    },
    get isFree() {
      return !isBusy && holder === undefined;
    },
    get holder() {
      return holder;
    },
    giveUp(task) {
      if (holder !== task) return;
      holder = undefined;
      next();
    },
  };
}
