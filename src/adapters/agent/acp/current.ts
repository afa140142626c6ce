import type { SessionRequest } from "../../../ports/index.ts";
import type { EventQueue } from "../event-queue.ts";
import { type Fields, fields } from "../fields.ts";
import { createObstacle, type Obstacle } from "../obstacle.ts";
import { createSaid, type Said } from "../said-lines.ts";
import { createToolCalls, type ToolCalls } from "../tool-calls.ts";
import { confessionIn, hearUpdate } from "./updates.ts";

/** The turn that runs. */
export interface Current {
  readonly queue: EventQueue;
  readonly said: Said;
  readonly calls: ToolCalls;
  readonly obstacle: Obstacle;
  /** Monotonic time of the last sign of progress. */
  lastProgress: number;
  /** Questions that wait for a person: meanwhile nothing is idle. */
  asking: number;
  /** Its message was sent: what is told before belongs to the past. */
  prompting: boolean;
  /** It told that it will not get on. */
  broken: boolean;
}

/** A turn that begins. `giveUp` ends it when only time or a person could mend what stands against it. */
export function beginTurn(
  agent: string,
  queue: EventQueue,
  giveUp: () => void,
  { patienceMs, mask }: { readonly patienceMs: number | undefined; readonly mask: SessionRequest["mask"] },
): Current {
  return {
    queue,
    said: createSaid(queue, mask),
    calls: createToolCalls(queue),
    obstacle: createObstacle(agent, giveUp, patienceMs),
    lastProgress: performance.now(),
    asking: 0,
    prompting: false,
    broken: false,
  };
}

/** It gets on. */
export function moveOn(turn: Current): void {
  turn.obstacle.clear();
  turn.lastProgress = performance.now();
}

/** Hears one `session/update` of the turn: progress, or a word against itself. */
export function hearTurn(turn: Current, params: Fields): void {
  const update = fields(params["update"]);
  const confession = confessionIn(update);
  if (confession === undefined) {
    if (hearUpdate(update, turn.said, turn.queue, turn.calls.hear)) moveOn(turn);
    return;
  }
  turn.broken ||= confession.broken;
  if (confession.said === undefined) return;
  const { message } = turn.obstacle.meet({ said: confession.said });
  if (turn.queue.open()) turn.queue.line("stderr", message);
}
