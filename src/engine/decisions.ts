import { type AttemptRow, because, type RunEvent } from "../ports/index.ts";
import { evidenceWords, type Locale, visible } from "../text/index.ts";
import { awaitedReview, keptWork, type SentBack } from "./attempt/index.ts";
import { letGo, type OpenSession } from "./earlier.ts";

const PERSON = "a person";

/** A row whose work a person sends back: what they say stands with it, and work that waits to come home does not land by itself. */
function sentBackRow({ commit, reason, ...row }: AttemptRow, note: string, by: string): AttemptRow {
  const landed = row.outcome === "done" && commit !== undefined ? { commit } : {};
  const before = reason?.code === "sent-back" ? reason.args : undefined;
  const why = before === undefined ? reason : before.why;
  const args = { by, note: before === undefined ? note : `${before.note}\n${note}` };
  return {
    ...row,
    ...landed,
    reason: because("sent-back", { ...args, ...(why === undefined ? {} : { why }) }),
  };
}

/** A row whose work a person approves: what waits for its review has only to come home. */
function approvedRow(row: AttemptRow, note: string, by: string, locale: Locale): AttemptRow {
  const line = evidenceWords(locale).approvedByPerson(visible(by), visible(note, 1000));
  const evidence = row.evidence === "" ? line : `${row.evidence}\n${line}`;
  const kept = awaitedReview(row) === undefined ? undefined : keptWork(row);
  if (kept === undefined) return { ...row, evidence };
  const { asked, stale } = kept;
  return {
    ...row,
    evidence,
    reason: because("not-landed", { asked, approved: true, ...(stale === undefined ? {} : { stale }) }),
  };
}

/** The last attempt of a task as it is after what a person decided about it; undefined where that leaves it as it was. */
export function rowAfter(
  event: RunEvent,
  last: AttemptRow | undefined,
  locale: Locale,
): AttemptRow | undefined {
  if (event.type !== "person" || last === undefined) return undefined;
  const { action, note, by = PERSON } = event;
  if (action === "send-back") return sentBackRow(last, note.trim(), by);
  return action === "approve" && last.endedAt > 0 ? approvedRow(last, note.trim(), by, locale) : undefined;
}

/** What was sent back, and the session in which it was made, where nobody has worked on it since. */
type Returned = SentBack & { readonly made?: OpenSession };

/** What a person said when they sent back what attempts before this one have made; undefined once one after it is done. */
export function sentBackTo(rows: readonly AttemptRow[], number: number): Returned | undefined {
  const before = rows.filter(row => row.number < number);
  const at = before.findLastIndex(({ reason }) => reason?.code === "sent-back");
  const row = before[at];
  if (row?.reason?.code !== "sent-back" || before.slice(at + 1).some(({ outcome }) => outcome === "done"))
    return undefined;
  const { note } = row.reason.args;
  const isNext = at === before.length - 1;
  const { agent, session, machine } = row;
  return { note, isNext, ...(isNext && session !== undefined ? { made: { agent, session, machine } } : {}) };
}

/** Whether an attempt was proved and waits for its review: a person can approve it. */
export function awaitsReviewOf(last: AttemptRow | undefined): boolean {
  return last !== undefined && awaitedReview(last) !== undefined;
}

/** What decisions about earlier attempts are made on. */
interface DecisionGround {
  /** Work of earlier attempts that was proved and did not come home, by task. */
  readonly proved: Map<string, AttemptRow>;
  readonly rowsOf: (task: string) => readonly AttemptRow[];
  /** A person tries a task anew, whose last attempt may still be dying. */
  readonly anew: (task: string) => void;
  readonly locale: Locale;
}

/** What a person decides about work that was made before, as the attempts of a run meet it. */
interface Decisions {
  /** Rows of earlier attempts as an event leaves them; `ended` are those that end at the same moment. */
  rowsAfter(event: RunEvent, ended: readonly AttemptRow[]): readonly AttemptRow[];
  awaitsReview(task: string): boolean;
  /** Who begins the next attempt: whoever made what was sent back, where it is one of those that work on the task. */
  first(
    crew: readonly [string, ...string[]],
    task: string,
    number: number,
    changed: readonly AttemptRow[],
  ): string;
  sentBackTo(row: AttemptRow): Returned | undefined;
  /** An attempt that has ended, with what a person said who sent it back while its agent was still being ended. */
  ended(row: AttemptRow): AttemptRow;
}

export function createDecisions({ proved, rowsOf, anew, locale }: DecisionGround): Decisions {
  /** What is said of attempts that are still being ended, by token. */
  const late = new Map<string, RunEvent>();
  return {
    rowsAfter(event, ended) {
      if (event.type !== "person" || event.task === undefined) return [];
      const { task, action } = event;
      const kept = [...proved.values()];
      if (action === "retry" || action === "send-back") proved.delete(task);
      if (action === "retry") {
        // What it still keeps when it has ended is let go then.
        anew(task);
        return letGo(kept, task);
      }
      const last = ended.findLast(row => row.task === task) ?? rowsOf(task).at(-1);
      const row = rowAfter(event, last, locale);
      if (row?.endedAt === 0) late.set(row.token, event);
      if (row !== undefined && proved.has(task)) proved.set(task, row);
      return row === undefined ? [] : [row];
    },
    awaitsReview: task => awaitsReviewOf(proved.get(task)),
    first(crew, task, number, changed) {
      if (number === 1) return crew[0];
      const last = changed.find(row => row.task === task) ?? rowsOf(task).at(-1);
      const made = last?.reason?.code === "sent-back" ? crew.find(name => name === last.agent) : undefined;
      return made ?? crew[0];
    },
    ended(row) {
      const event = late.get(row.token);
      late.delete(row.token);
      return (event && rowAfter(event, row, locale)) ?? row;
    },
    sentBackTo: ({ task, number }) => (number === 1 ? undefined : sentBackTo(rowsOf(task), number)),
  };
}
