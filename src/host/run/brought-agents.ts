import { absent, forced, PROBE_MS } from "../../adapters/agent/index.ts";
import { callAfter, within } from "../../adapters/process/index.ts";
import { eventFault } from "../../fleet/index.ts";
import {
  type Agent,
  type AgentEvent,
  type AgentFailure,
  type AgentLimits,
  type AgentProbe,
  type AgentSession,
  because,
  ok,
} from "../../ports/index.ts";
import { unsuitable } from "../../text/index.ts";

/**
 * An agent that a program brought along, held to the port: one that tells what is no event is ended with what is wrong with it, for no
 * type has checked it, and so is one that neither keeps its limits nor ends when it is cancelled, for nobody else would end its turn.
 */
export function heldToPort(agent: Agent): Agent {
  const { portVersion, name, reports, abilities, unseen, terms } = agent;
  return {
    portVersion,
    name,
    reports,
    ...(abilities === undefined ? {} : { abilities }),
    ...(unseen === undefined ? {} : { unseen }),
    ...(terms === undefined ? {} : { terms }),
    probe: () => probeInTime(agent),
    open: async request => {
      const opened = await agent.open(request);
      return opened.ok ? ok(heldSession(name, opened.value, request.limits)) : opened;
    },
  };
}

/** What the agent says of itself; one that says nothing for so long is not there. */
function probeInTime(agent: Agent): Promise<AgentProbe> {
  return new Promise((resolve, reject) => {
    const late = forced("idle", agent.name, { wallMs: PROBE_MS, idleMs: PROBE_MS });
    const cancel = callAfter(PROBE_MS, () => resolve(absent(late)));
    agent.probe().then(resolve, reject).finally(cancel);
  });
}

type Cause = Parameters<typeof forced>[0];

function heldSession(name: string, session: AgentSession, limits: AgentLimits): AgentSession {
  const { wallMs, idleMs, graceMs } = limits;
  let giveUp: (cause: Cause) => void = () => {};
  const cancel = async (how: "soft" | "hard"): Promise<void> => {
    const end = giveUp;
    await within(session.cancel(how), graceMs);
    callAfter(how === "soft" ? graceMs : Math.min(graceMs, HARD_MS), () => end("cancelled"));
  };
  return {
    async *turn(message) {
      const told = session.turn(message)[Symbol.asyncIterator]();
      let over: Cause | undefined;
      let wake = () => {};
      giveUp = cause => {
        over ??= cause;
        wake();
      };
      const end = giveUp;
      // It has its grace to end by itself what is over its limits.
      const endWall = callAfter(wallMs + graceMs, () => end("wall-clock"));
      let last: AgentEvent["type"] | undefined;
      try {
        for (;;) {
          const endIdle = callAfter(idleMs + graceMs, () => end("idle"));
          const next = await new Promise<IteratorResult<AgentEvent> | undefined>((resolve, reject) => {
            wake = () => resolve(undefined);
            if (over === undefined) told.next().then(resolve, reject);
            else wake();
          }).finally(endIdle);
          if (next === undefined) {
            if (over !== "cancelled") void within(session.cancel("hard"), graceMs);
            yield failedBy(forced(over ?? "cancelled", name, limits));
            return;
          }
          if (next.done === true) {
            if (last !== "ended") yield garbled(name, "ended: a turn ends with it");
            return;
          }
          const fault = eventFault(next.value);
          if (fault !== undefined) {
            yield garbled(name, fault);
            return;
          }
          last = next.value.type;
          yield next.value;
        }
      } finally {
        endWall();
        // What hangs answers nothing, this neither.
        const closed = told.return?.();
        if (over === undefined && closed !== undefined) await within(closed, graceMs);
      }
    },
    cancel,
    close: async () => {
      await within(session.close(), graceMs);
    },
  };
}

/** How long an agent has to tell its end where it is to be ended at once. */
const HARD_MS = 1000;

function failedBy(failure: AgentFailure): AgentEvent {
  return { type: "ended", end: { kind: "failed", failure, finalMessage: "" } };
}

function garbled(agent: string, said: string): AgentEvent {
  return failedBy(unsuitable(because("agent-event", { agent, said })));
}
