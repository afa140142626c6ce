import { type Agent, type AgentEvent, because, ok, type TurnEnd } from "../../ports/index.ts";
import { reasonText } from "../../text/index.ts";

/** Names of variables that hold a key, as vendors name them. */
const KEY = /(?:^|_)(?:API_?KEY|KEY|TOKEN)$/i;
/** Names that are told. */
const MOST_TOLD = 4;

/** The variables with keys among these that were not handed on. */
export function withheldKeys(
  env: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.keys(env)
    .filter(name => KEY.test(name) && !Object.hasOwn(given, name))
    .sort()
    .slice(0, MOST_TOLD);
}

/** An agent of which nothing is known but its command: where it lacks a login, it is told which keys it was not given. */
export function withWithheld(agent: Agent, names: readonly string[]): Agent {
  if (names.length === 0) return agent;
  return {
    ...agent,
    async open(request) {
      const opened = await agent.open(request);
      if (!opened.ok) return opened;
      const session = opened.value;
      return ok({ ...session, turn: message => explained(session.turn(message), agent.name, names) });
    },
  };
}

async function* explained(
  events: AsyncIterable<AgentEvent>,
  agent: string,
  names: readonly string[],
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const event of events)
    yield event.type === "ended" ? { ...event, end: explainedEnd(event.end, agent, names) } : event;
}

function explainedEnd(end: TurnEnd, agent: string, names: readonly string[]): TurnEnd {
  if (end.kind === "completed" || end.failure.kind !== "auth") return end;
  const reason = because("keys-withheld", { agent, said: end.failure.message, names });
  return { ...end, failure: { ...end.failure, message: reasonText(reason, "en"), reason } };
}
