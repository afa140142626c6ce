import { type AttemptSpan, HERE, type RunEvent, type StampedEvent } from "../../ports/index.ts";
import type { HistoryShape, PastStand } from "../shapes/history.ts";
import { shown } from "../shown.ts";

/** Attempts and moves that are told; of more, the newest. */
const SPANS = 10_000;
const MOVES = 20_000;
/** Characters of the name of an agent or a machine. */
const SHORT = 200;

/** What a person's act makes of a task; others come with an event of their own. */
const BY_PERSON: Readonly<Record<string, PastStand>> = {
  retry: "ready",
  resume: "ready",
  skip: "skipped",
  done: "unverified",
  cancel: "cancelled",
};

function doneAs({ verified, reason }: Extract<RunEvent, { type: "completed" }>): PastStand {
  if (reason?.code === "stale-context") return "stale";
  return verified ? "completed" : "unverified";
}

/** Where the task of an event stands from then on; undefined where it says nothing of that. */
function standAfter(event: RunEvent): PastStand | undefined {
  const { type } = event;
  if (type === "completed") return doneAs(event);
  if (type === "attempt-failed") return "ready";
  if (type === "unblocked") return "pending";
  if (type === "person") return BY_PERSON[event.action];
  return type === "failed" || type === "blocked" || type === "paused" || type === "waiting"
    ? type
    : undefined;
}

/** Where tasks stand from an event on. */
function movesOf(event: RunEvent): readonly (readonly [string, PastStand])[] {
  if (event.type === "dispatched") return event.tasks.map(task => [task, "in_progress"]);
  const stand = standAfter(event);
  return stand === undefined || !("task" in event) || event.task === undefined ? [] : [[event.task, stand]];
}

/** Follows a run through its events, and remembers what moved. */
export function createHistory(): {
  take(events: readonly StampedEvent[]): void;
  shape(startedAt: number, spans: readonly AttemptSpan[]): HistoryShape;
} {
  const stands = new Map<string, PastStand>();
  const working = new Set<string>();
  const moves: [number, string, PastStand][] = [];
  const move = (at: number, task: string, stand: PastStand) => {
    if (stands.get(task) === stand) return;
    stands.set(task, stand);
    if (stand === "in_progress") working.add(task);
    else working.delete(task);
    moves.push([at, task, stand]);
  };
  return {
    take(events) {
      for (const { at, event } of events) {
        for (const [task, stand] of movesOf(event)) move(at, task, stand);
        // Whatever was at work when the run ended, or its process died, is done again.
        if (event.type === "run-started" || event.type === "run-ended")
          for (const task of working) move(at, task, "ready");
      }
    },
    shape(startedAt, spans) {
      const told = moves.slice(-MOVES);
      const before = new Map<string, PastStand>();
      for (const [, task, stand] of moves.slice(0, moves.length - told.length)) before.set(task, stand);
      return {
        startedAt,
        older: Math.max(0, spans.length - SPANS),
        spans: spans.slice(-SPANS).map(({ agent, machine, ...span }) => ({
          ...span,
          agent: shown(agent, SHORT),
          ...(machine === undefined || machine === HERE ? {} : { machine: shown(machine, SHORT) }),
        })),
        moves: told,
        before: [...before],
      };
    },
  };
}
