import type { AgentFacts, AttemptRow, UsageRow } from "../ports/index.ts";
import type { RunState } from "../run/index.ts";
import type { OutOfQuota } from "./pool.ts";

/** What earlier attempts have left. */
export interface Earlier {
  /** What the last failed attempt of a task left for the next one. */
  readonly feedback: ReadonlyMap<string, string>;
  /** What ended attempts of the run have reported. */
  readonly usage?: readonly UsageRow[];
  /** Attempts of a dead process. */
  readonly crashed?: readonly AttemptRow[];
  /** Attempts of this run, ended, whose work was proved and did not come home. */
  readonly kept?: readonly AttemptRow[];
  /** Agents that were out of quota, and until when. */
  readonly outOfQuota?: readonly OutOfQuota[];
}

/**
 * Attempts over whose proved work the process died before it had landed, or which has not landed for another reason. A document of theirs lies
 * where a new one looks not.
 */
export function provedWork(run: RunState, { crashed = [], kept = [] }: Earlier): Map<string, AttemptRow> {
  return new Map(
    [...kept, ...crashed].flatMap(row => {
      const fills = run.byId.get(row.task)?.task.fills;
      const isProved = row.outcome !== "done" && row.commit !== undefined && fills === undefined;
      return isProved ? [[row.task, row] as const] : [];
    }),
  );
}

/** Rows of a task without the work that they keep: a person wants it done anew. */
export function letGo(rows: Iterable<AttemptRow>, task: string): AttemptRow[] {
  return Array.from(rows).flatMap(row => {
    const { commit: _, ...rest } = row;
    return row.task === task ? [rest] : [];
  });
}

/** A session of an agent that another attempt may go on with. */
export interface OpenSession {
  readonly agent: string;
  readonly session: string;
  /** The machine that had it; absent where it was cut off in a turn: what that did to the folder there is not in the one here. */
  readonly machine?: string | undefined;
}

/** What an attempt is asked with, where it goes on with the session of the one before. */
export interface GoesOn {
  /** The session of the attempt before, where this agent can go on with it. */
  readonly session?: string;
  /** The machine that had it, where only that one can. */
  readonly prefers?: string;
}

/** Sessions that were under way when their process died, by task. */
export function openSessions({ crashed = [] }: Earlier): Map<string, OpenSession> {
  return new Map(
    crashed.flatMap(({ task, agent, session, outcome }) =>
      session === undefined || outcome !== "crashed" ? [] : [[task, { agent, session }] as const],
    ),
  );
}

/** The session that an agent can go on with. */
export function resumable(open: OpenSession | undefined, { name, abilities }: AgentFacts): GoesOn {
  if (open === undefined || open.agent !== name) return {};
  const { session, machine } = open;
  if (abilities?.resume === true) return { session };
  return abilities?.resumesThere !== true || machine === undefined ? {} : { session, prefers: machine };
}
