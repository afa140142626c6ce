import type { RunEvent, StampedEvent } from "../../../ports/index.ts";
import { duration, timeOfDay, visible } from "../../../text/index.ts";
import { MARKS, type Mark, markOf, NOTICE } from "../terminal/marks.ts";
import type { Words } from "../words/words.ts";

/** One line of the list of what happened lately. */
export interface Recent {
  readonly at: number;
  readonly mark: Mark;
  /** Id of the task it is about; empty for the run itself. */
  readonly subject: string;
  readonly text: string;
  /** Equal happenings are one line with a count. */
  readonly key: string;
  readonly times: number;
}

type Entry = readonly [mark: Mark, subject: string, text: string];
/** Makes foreign text safe to show. */
type Safe = (text: string) => string;

function entry(event: RunEvent, words: Words, safe: Safe): Entry | undefined {
  switch (event.type) {
    case "completed": {
      const time = event.ms > 0 ? duration(event.ms) : "";
      const proof = event.verified || event.by === "children" ? "" : words.unverified;
      const mark = event.by === "children" ? MARKS.completed : markOf("completed", event.verified);
      const note = event.reason === undefined ? "" : safe(words.reason(event.reason));
      return [mark, event.task, [time, proof, note].filter(part => part !== "").join("  ")];
    }
    case "attempt-failed": {
      const text = `${safe(words.reason(event.reason))}  ${words.retryOf(event.retries, event.maxAttempts)}`;
      return [{ ...MARKS.failed, style: "yellow" }, event.task, text];
    }
    case "failed":
      return [MARKS.failed, event.task, words.noAttemptsLeft(safe(words.reason(event.reason)))];
    case "blocked":
      return [MARKS.blocked, event.task, words.by(safe(event.by))];
    case "unblocked":
      return [MARKS.ready, event.task, words.unblocked];
    case "paused":
      return [MARKS.paused, event.task, safe(words.reason(event.reason))];
    case "waiting":
      return [
        MARKS.waiting,
        event.task,
        words.outOfQuota(safe(event.agent), timeOfDay(event.until).slice(0, 5)),
      ];
    case "person": {
      // These are told again by what they lead to.
      if (event.action === "pause" || event.action === "done") return undefined;
      const action = (words.action as Readonly<Record<string, string>>)[event.action] ?? safe(event.action);
      return [
        { ...NOTICE, style: "plain" },
        event.task,
        [action, safe(event.note)].filter(part => part !== "").join(": "),
      ];
    }
    case "phase-started":
      return [MARKS.in_progress, "", `${words.phase(safe(event.phase))}  ${words.phaseStarted(event.tasks)}`];
    case "phase-ended":
      return [
        event.completed === event.counted ? MARKS.completed : { ...MARKS.completed, style: "yellow" },
        "",
        `${words.phase(safe(event.phase))}  ${words.phaseEnded(event.completed, event.counted)}`,
      ];
    case "phase-gated":
      return [
        MARKS.paused,
        "",
        `${words.phase(safe(event.phase))}  ${words.gated(event.completed, event.counted)}`,
      ];
    case "phase-forced":
      return [NOTICE, "", `${words.phase(safe(event.phase))}  ${words.phaseForced(safe(event.by))}`];
    case "phase-merged":
      return [
        MARKS.completed,
        "",
        `${words.phase(safe(event.phase))}  ${words.phaseMerged(safe(event.into))}`,
      ];
    case "phase-left":
      return [
        NOTICE,
        "",
        `${words.phase(safe(event.phase))}  ${words.phaseLeft(safe(event.branch), safe(event.how))}`,
      ];
    case "phase-refused":
      return [
        MARKS.paused,
        "",
        `${words.phase(safe(event.phase))}  ${words.phaseRefused(safe(words.reason(event.reason)))}`,
      ];
    case "conflict":
      return [
        NOTICE,
        event.task,
        words.conflict(safe(event.files.join(", ")), safe(event.others.join(", "))),
      ];
    case "reviewed": {
      const isApproved = event.verdict === "approved";
      return [NOTICE, event.task, words.reviewed(safe(event.by), isApproved, event.round)];
    }
    case "joined":
      return [NOTICE, event.task, words.joined(safe(event.files.join(", ")), safe(event.others.join(", ")))];
    case "run-held":
      return [MARKS.paused, "", words.held(safe(event.by))];
    case "run-released":
      return [NOTICE, "", words.released(safe(event.by))];
    case "asked":
      return [MARKS.paused, event.task, words.asks(safe(event.kind), safe(event.title))];
    case "answered":
      return undefined;
    case "permission":
      return event.answer === "allowed" ? undefined : [NOTICE, event.task, words.rejected(safe(event.title))];
    case "foreign-signal":
      return [NOTICE, event.task, words.foreign(safe(event.text))];
    case "agent-found":
      return [NOTICE, "", words.agentFound(event)];
    case "plan-changed":
      return [
        NOTICE,
        "",
        event.asked === undefined
          ? words.planChanged(event.added, event.removed, event.changed)
          : words.researched(safe(event.asked)),
      ];
    case "warning":
      return [NOTICE, event.task ?? "", `${safe(event.code)}: ${safe(words.reason(event.message))}`];
    case "checkpoint":
      return [NOTICE, "", words.checkpoint(safe(event.id), safe(words.reason(event.why)))];
    case "saturation":
      return [NOTICE, "", words.saturation(event.percent)];
    case "run-started":
    case "dispatched":
    case "attempt-started":
    case "attempt-line":
    case "verify-started":
    case "retry-scheduled":
    case "stopping":
    case "run-ended":
      return undefined;
    default: {
      const never: never = event;
      return never;
    }
  }
}

/** What makes two happenings one line: a flood of one kind must not push the others out. */
function keyOf(event: RunEvent, text: string): string {
  if (event.type === "blocked" || event.type === "unblocked") return event.type;
  return `${event.type}\n${"task" in event ? event.task : ""}\n${text}`;
}

/** Characters of foreign text in a line of the list. */
const LENGTH = 300;

/** The latest happenings, oldest first, at most `limit`; a repetition of the last one only raises its count. */
export function addRecent(
  list: readonly Recent[],
  stamped: StampedEvent,
  words: Words,
  redact: (text: string) => string,
  limit: number,
): readonly Recent[] {
  const made = entry(stamped.event, words, text => visible(redact(text), LENGTH));
  if (made === undefined) return list;
  const [mark, subject, text] = made;
  const key = keyOf(stamped.event, text);
  const last = list.at(-1);
  if (last !== undefined && last.key === key)
    return [...list.slice(0, -1), { ...last, at: stamped.at, times: last.times + 1 }];
  const next = { at: stamped.at, mark, subject: visible(subject, LENGTH), text, key, times: 1 };
  return [...list, next].slice(-limit);
}
