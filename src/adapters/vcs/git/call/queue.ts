/** Lets one piece of work through at a time, in the order it was asked for. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

const settled = (one: Promise<unknown>): Promise<unknown> => one.catch(() => {});

/** A queue of its own. Parallel changes of one repository's configuration and worktrees fail in git itself. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const mine = last.then(work);
    // Whoever comes next waits for the end, not for success.
    last = settled(mine);
    return mine;
  };
}

/** Changes of a repository's refs: those of one branch wait for each other, or for all. */
export interface RefQueue {
  /** Work on these branches, beside work on others: git itself holds changes of different refs apart. */
  readonly ofBranches: <T>(branches: readonly string[], work: () => Promise<T>) => Promise<T>;
  /** Work beside which nothing goes on. */
  readonly alone: Queue;
}

/** Where all refs stand in `oneFile`, no two pieces of work go on at once. */
export function createRefQueue(oneFile: boolean): RefQueue {
  let lastAlone: Promise<unknown> = Promise.resolve();
  const lasts = new Map<string, Promise<unknown>>();
  const alone: Queue = work => {
    const mine = Promise.all([lastAlone, ...lasts.values()]).then(work);
    lastAlone = settled(mine);
    return mine;
  };
  return {
    alone,
    ofBranches(branches, work) {
      if (oneFile) return alone(work);
      const before = branches.flatMap(branch => lasts.get(branch) ?? []);
      const mine = Promise.all([lastAlone, ...before]).then(work);
      const last = settled(mine).then(() => {
        for (const branch of branches) if (lasts.get(branch) === last) lasts.delete(branch);
      });
      for (const branch of branches) lasts.set(branch, last);
      return mine;
    },
  };
}
