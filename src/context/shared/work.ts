import type { ContextChange } from "../../ports/index.ts";

/** What a piece of work came to: rows to make durable, and what may happen once they are. */
export interface ContextStep {
  readonly rows: ContextChange;
  readonly settled?: () => void;
}

/**
 * A change of the shared context, made when its turn comes: it is called in the loop's one order, right before its rows
 * are committed, and may change what its owner holds in memory. What it decides on is therefore always current. It must
 * not throw; `now` is wall time that does not jump, in epoch milliseconds. Undefined: nothing changes.
 */
export type ContextWork = (now: number) => ContextStep | undefined;

/** Who makes changes of the shared context durable, one after the other. */
export interface Ledger {
  /** Resolves once the work's rows are durable; false when they are not and never will be: the process is leaving. */
  commit(work: ContextWork): Promise<boolean>;
}

/** Several works as one, in their order. */
export function together(works: readonly (ContextWork | undefined)[]): ContextWork {
  return now => {
    const steps = works.map(work => work?.(now));
    return joinSteps(steps);
  };
}

/** Several steps in a row as one; undefined when nothing changes. */
export function joinSteps(steps: readonly (ContextStep | undefined)[]): ContextStep | undefined {
  const done = steps.filter(step => step !== undefined);
  if (done.length < 2) return done[0];
  return {
    rows: mergeChanges(done.map(step => step.rows)),
    settled: () => {
      for (const step of done) step.settled?.();
    },
  };
}

type Lists = {
  -readonly [Name in keyof ContextChange]-?: NonNullable<ContextChange[Name]>[number][];
};

/** Several changes in a row as one. */
export function mergeChanges(changes: readonly ContextChange[]): ContextChange {
  const merged: Lists = {
    texts: [],
    labels: [],
    versions: [],
    teammates: [],
    nodes: [],
    documents: [],
    receipts: [],
    log: [],
    dropTexts: [],
    dropTeammates: [],
  };
  const append = <Name extends keyof Lists>(name: Name, change: ContextChange): void => {
    for (const row of change[name] ?? []) (merged[name] as unknown[]).push(row);
  };
  for (const change of changes) {
    const { dropTexts = [], dropTeammates = [] } = change;
    // Within one change drops come first, so a later drop has to take away what was put before.
    if (dropTexts.length > 0) {
      const dropped = new Set(dropTexts);
      merged.texts = merged.texts.filter(({ hash }) => !dropped.has(hash));
    }
    if (dropTeammates.length > 0) {
      const dropped = new Set(dropTeammates.map(keyOf));
      merged.teammates = merged.teammates.filter(row => !dropped.has(keyOf(row)));
    }
    for (const name of Object.keys(merged) as (keyof Lists)[]) append(name, change);
  }
  return merged;
}

function keyOf({ label, teammate }: { readonly label: string; readonly teammate: string }): string {
  return JSON.stringify([label, teammate]);
}

/** Whether a change of the context would change nothing. */
export function changesNothing(change: ContextChange | undefined): boolean {
  return change === undefined || Object.values(change).every(rows => rows.length === 0);
}
