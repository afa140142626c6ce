import { eventFault } from "../../fleet/index.ts";
import { type Agent, type AgentEvent, type AgentSession, because, ok } from "../../ports/index.ts";
import { unsuitable } from "../../text/index.ts";

/**
 * An agent that a program brought along, held to what the port says of events: one that tells anything else is ended with what is wrong
 * with it, for no type has checked it.
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
    probe: () => agent.probe(),
    open: async request => {
      const opened = await agent.open(request);
      return opened.ok ? ok(heldSession(name, opened.value)) : opened;
    },
  };
}

function heldSession(name: string, session: AgentSession): AgentSession {
  return {
    async *turn(message) {
      let last: AgentEvent["type"] | undefined;
      for await (const event of session.turn(message)) {
        const fault = eventFault(event);
        if (fault !== undefined) {
          yield garbled(name, fault);
          return;
        }
        last = event.type;
        yield event;
      }
      if (last !== "ended") yield garbled(name, "ended: a turn ends with it");
    },
    cancel: how => session.cancel(how),
    close: () => session.close(),
  };
}

function garbled(agent: string, said: string): AgentEvent {
  const failure = unsuitable(because("agent-event", { agent, said }));
  return { type: "ended", end: { kind: "failed", failure, finalMessage: "" } };
}
