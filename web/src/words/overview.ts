/** What the first screen says. */
export interface OverviewWords {
  readonly needs: string;
  readonly needsNone: string;
  readonly needsNoneWhy: string;
  readonly behind: (count: number) => string;
  readonly gate: (phase: string) => string;
  readonly held: string;
  /** Opens what a task came to, and a field for a note to its agent. */
  readonly answer: string;
  readonly answerHint: string;
  /** The same decision about all that wait for it. */
  readonly all: (action: string, count: number) => string;
  readonly home: (count: number) => string;
  readonly look: (phase: string) => string;
  readonly runs: string;
  readonly runsNone: string;
  readonly runsNoneWhy: string;
  readonly silent: string;
  readonly quota: (count: number, time: string) => string;
  /** The machines that work for the hub of the run. */
  readonly machines: {
    readonly title: string;
    readonly none: string;
    readonly there: string;
    readonly silent: (time: string) => string;
    /** It takes nothing more. */
    readonly draining: string;
    /** It takes nothing until its disk has room. */
    readonly full: string;
    readonly busy: (busy: number, slots: number) => string;
    /** A resource: how many of it are in use, of how many. */
    readonly offer: (name: string, taken: number, of: number) => string;
    readonly lost: (attempts: number) => string;
    readonly waiting: (orders: number) => string;
  };
  readonly lately: string;
  readonly latelyNone: string;
  readonly ago: (time: string) => string;
  readonly progress: string;
  readonly left: string;
  readonly leftDone: string;
  /** What is at work waits for a person's answer. */
  readonly leftAsks: string;
  /** What is at work takes longer than such work took before. */
  readonly leftLate: string;
  readonly leftUnknown: string;
  /** Why it is not known. */
  readonly leftNothing: string;
  readonly leftStuck: string;
  readonly leftBasis: (basis: number, atOnce: number) => string;
  readonly leftHeld: (count: number) => string;
  readonly leftRests: string;
  readonly about: (time: string) => string;
  readonly elapsed: string;
  readonly phaseOf: (at: number, of: number) => string;
  readonly spent: string;
  readonly spentNone: string;
  readonly attempts: (count: number) => string;
  readonly work: string;
  readonly workNone: string;
  readonly merged: (target: string) => string;
  readonly waits: string;
  readonly unfinished: string;
  readonly aside: string;
  readonly merge: (phase: string) => string;
  readonly mergeAll: string;
  readonly mergeWhy: string;
  readonly merging: string;
  readonly next: string;
  readonly copy: string;
  readonly copied: string;
  readonly finished: (count: number) => string;
}
