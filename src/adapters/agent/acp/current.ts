import { type AgentFailure, because, type ReasonArgs, type SessionRequest } from "../../../ports/index.ts";
import { failedFor } from "../../../text/index.ts";
import type { EventQueue } from "../event-queue.ts";
import { type Fields, fields } from "../fields.ts";
import { createObstacle, type Obstacle } from "../obstacle.ts";
import { createSaid, type Said } from "../said-lines.ts";
import { createToolCalls, type ToolCalls } from "../tool-calls.ts";
import { type Announced, type Call, createAnnounced } from "./announced.ts";
import { callsAtEnd, type Judge, overstepAtEnd, overstepIn, unaskedIn } from "./overstep.ts";
import { confessionIn, hearUpdate, isOfTool } from "./updates.ts";

/** Permissions one turn may ask for, and those that may wait for an answer at once. */
const MOST_ASKED = 2_000;
const MOST_WAITING = 100;

/** The turn that runs. */
export interface Current {
  readonly agent: string;
  readonly queue: EventQueue;
  readonly said: Said;
  readonly calls: ToolCalls;
  readonly announced: Announced;
  readonly obstacle: Obstacle;
  /** Monotonic time of the last sign of progress. */
  lastProgress: number;
  /** Questions that wait for a person: meanwhile nothing is idle. */
  asking: number;
  /** Its message was sent: what is told before belongs to the past. */
  prompting: boolean;
  /** It told that it will not get on. */
  broken: boolean;
  /** What it did that it may not do. */
  overstep: AgentFailure | undefined;
  /** Permissions it has asked for. */
  asked: number;
  /** It did what nobody can keep up with. */
  unruly: AgentFailure | undefined;
  /** Ends the turn where only time or a person could mend what stands against it. */
  readonly giveUp: () => void;
  /** What it does is held against this. */
  readonly judgedBy: Judge;
}

export interface TurnOptions extends Pick<Current, "giveUp" | "judgedBy"> {
  readonly patienceMs: number | undefined;
  readonly mask: SessionRequest["mask"];
}

/** A turn that begins. */
export function beginTurn(
  agent: string,
  queue: EventQueue,
  { giveUp, judgedBy, patienceMs, mask }: TurnOptions,
): Current {
  return {
    agent,
    queue,
    said: createSaid(queue, mask),
    calls: createToolCalls(queue),
    announced: createAnnounced(judgedBy.cwd),
    obstacle: createObstacle(agent, giveUp, patienceMs),
    lastProgress: performance.now(),
    asking: 0,
    prompting: false,
    broken: false,
    overstep: undefined,
    asked: 0,
    unruly: undefined,
    giveUp,
    judgedBy,
  };
}

function hearTool(turn: Current, update: Fields): void {
  const { agent, announced, judgedBy, overstep } = turn;
  const call = announced.hear(update);
  if (overstep !== undefined) return;
  turn.overstep = overstepIn(agent, call, announced, judgedBy);
  if (turn.overstep === undefined) tellUnasked(turn, call);
  else turn.giveUp();
}

/** What it did is told as allowed by nobody, where a person was to allow it. */
function tellUnasked({ queue, announced, judgedBy }: Current, call: Call): void {
  for (const question of unaskedIn(call, announced, judgedBy))
    queue.push({ type: "permission", ...question, answer: "allowed", by: "nobody" });
}

/** It asks for a permission: false, and the end of its turn, where nobody could answer so many. */
export function mayAsk(turn: Current): boolean {
  turn.asked += 1;
  if (turn.asking < MOST_WAITING && turn.asked <= MOST_ASKED) return true;
  breakOff(turn, { asked: turn.asked });
  return false;
}

/** Ends a turn whose agent does what nobody can keep up with. */
export function breakOff(turn: Current, why: ReasonArgs["agent-unruly"]["why"]): void {
  turn.unruly ??= failedFor(because("agent-unruly", { agent: turn.agent, why }), {
    kind: "protocol",
    retryable: true,
  });
  turn.giveUp();
}

/** The turn has ended in order. */
export function hearEnd(turn: Current): void {
  const { agent, announced, judgedBy } = turn;
  turn.overstep ??= overstepAtEnd(agent, announced, judgedBy);
  if (turn.overstep === undefined) for (const call of callsAtEnd(announced)) tellUnasked(turn, call);
}

/** It gets on. */
export function moveOn(turn: Current): void {
  turn.obstacle.clear();
  turn.lastProgress = performance.now();
}

/** Hears one `session/update` of the turn: progress, or a word against itself. */
export function hearTurn(turn: Current, params: Fields): void {
  const update = fields(params["update"]);
  if (isOfTool(update)) hearTool(turn, update);
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
