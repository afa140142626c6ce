import {
  type AgentFailure,
  type AgentSession,
  because,
  type ReasonArgs,
  type TurnEnd,
} from "../../ports/index.ts";
import { failedFor } from "../../text/index.ts";
import { createEventQueue, type EventQueue } from "./event-queue.ts";

export type How = "soft" | "hard";

/** What a kind of session does; the order of its turns is kept here. */
export interface TurnPerformer {
  /** The agent's name, for messages. */
  readonly agent: string;
  /** One turn to its end; `started` is given what stops it. Never rejects. */
  perform(message: string, queue: EventQueue, started: (stop: (how: How) => void) => void): Promise<TurnEnd>;
  /** Ends what lives on between turns. */
  release?(how: How): Promise<void>;
}

interface Turn {
  stop(how: How): void;
  readonly done: Promise<void>;
}

/**
 * A session of turns that begin when they are asked for, each after the one before. Cancelling ends those that were
 * asked for, closing those that will be as well.
 */
export function createTurns(performer: TurnPerformer): AgentSession {
  const turns = new Set<Turn>();
  let last: Promise<void> = Promise.resolve();
  let closed = false;

  async function cancel(how: How): Promise<void> {
    const running = [...turns];
    for (const turn of running) turn.stop(how);
    await Promise.all(running.map(turn => turn.done));
    await performer.release?.(how);
  }

  return {
    turn(message) {
      const stops: How[] = closed ? ["hard"] : [];
      let stop = (how: How): void => void stops.push(how);
      const queue = createEventQueue(() => stop("hard"));
      const done = last.then(async () => {
        const end = stops.length > 0 ? cancelledEnd(performer.agent) : await perform();
        turns.delete(turn);
        queue.end(end);
      });
      const turn: Turn = { stop: how => stop(how), done };
      turns.add(turn);
      last = done;
      return queue.events;

      function perform(): Promise<TurnEnd> {
        return performer.perform(message, queue, stopTurn => {
          stop = stopTurn;
          for (const how of stops) stop(how);
        });
      }
    },
    cancel,
    async close() {
      closed = true;
      await cancel("soft");
    },
  };
}

/** A failure that was our own doing. */
export function forced(
  kind: "wall-clock" | "idle" | "cancelled",
  agent: string,
  limits: { readonly wallMs: number; readonly idleMs: number },
  silence: "no-progress" | "wrote-nothing" = "no-progress",
): AgentFailure {
  const reason =
    kind === "cancelled"
      ? because("agent-cancelled", { agent })
      : kind === "idle"
        ? because("agent-late", { agent, ms: limits.idleMs, why: silence })
        : because("agent-late", { agent, ms: limits.wallMs, why: "at-work" });
  return failedFor(reason, { kind, retryable: true });
}

function cancelledEnd(agent: string): TurnEnd {
  const failure = forced("cancelled", agent, { wallMs: 0, idleMs: 0 });
  return { kind: "failed", failure, finalMessage: "" };
}

/** An agent that ended its turn by itself, without having done what it was asked to. */
export function leftOff(
  agent: string,
  why: ReasonArgs["agent-left-off"]["why"],
  kind: "exit" | "max-turns" | "protocol",
): AgentFailure {
  return failedFor(because("agent-left-off", { agent, why }), { kind, retryable: true });
}

/** What it means that a process died of a signal that was not ours; `said`: its last words on stderr. */
export function killedBy(signal: string, agent: string, said = ""): AgentFailure {
  // The kernel's killer for want of memory leaves no other trace.
  const guess = signal === "SIGKILL" ? "; was memory short?" : "";
  return {
    kind: "killed",
    message: `${agent} was killed by ${signal}${guess}`,
    retryable: true,
    signal,
    said,
  };
}
