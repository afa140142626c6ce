import type { AgentTurnArgs } from "../../ports/index.ts";
import { type CatalogueOf, span } from "./catalogue.ts";

const LEFT_OFF: Readonly<Record<AgentTurnArgs["agent-left-off"]["why"], string>> = {
  tokens: "came to its limit of tokens",
  turns: "came to its limit of turns",
  refused: "refused to go on",
  "gave-up": "gave its turn up",
  "no-reason": "ended a turn without a known reason",
  "no-result": "ended without a result: its output was cut off",
};

/** Why a turn came to nothing, in English. */
export const ENGLISH_TURNS: CatalogueOf<AgentTurnArgs> = {
  "agent-late": ({ agent, ms, why }) => {
    const time = span(ms, [" min", " s", " ms"]);
    switch (why) {
      case "at-work":
        return `${agent} worked longer than ${time}`;
      case "no-progress":
        return `${agent} made no progress for ${time}`;
      case "wrote-nothing":
        return `${agent} wrote nothing for ${time}`;
      case "no-hello":
        return `${agent} did not answer within ${ms / 1_000} s: does it speak the Agent Client Protocol?`;
    }
  },
  "agent-cancelled": ({ agent }) => `${agent} was cancelled`,
  "agent-left-off": ({ agent, why }) => `${agent} ${LEFT_OFF[why]}`,
  "agent-unruly": ({ agent, why }) => {
    if (why === "deaf") return `${agent} does not read what it is answered`;
    if (why === "no-session") return `${agent} opened a session without a name that could be used`;
    if (why === "no-version")
      return `${agent} does not say which version of the Agent Client Protocol it speaks`;
    return "version" in why
      ? `${agent} speaks version ${why.version} of the Agent Client Protocol, not 1`
      : `${agent} asked for ${why.asked} permissions in one turn`;
  },
  "agent-offers": ({ agent, key, wanted, offered }) =>
    offered === undefined
      ? `${agent} offers no choice of ${key}: leave out \`${key}: ${wanted}\``
      : `${agent} does not offer the ${key} ${wanted}; it offers ${offered}`,
};
