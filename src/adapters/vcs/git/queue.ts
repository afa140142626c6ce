/** Lets one piece of work through at a time, in the order it was asked for. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own. Parallel changes of one repository's refs, configuration and worktrees fail in git itself. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const mine = last.then(work);
    // Whoever comes next waits for the end, not for success.
    last = mine.catch(() => {});
    return mine;
  };
}
