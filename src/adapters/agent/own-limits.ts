import { type Agent, type AgentEvent, type AgentFailure, ok, type TurnEnd } from "../../ports/index.ts";
import { says } from "./plain-complaint.ts";
import { resetTime } from "./reset-time.ts";
import { lastLines } from "./telling-line.ts";

/** Failures whose words may be those of a limit that is not known. */
const OPEN: ReadonlySet<AgentFailure["kind"]> = new Set(["exit", "protocol", "idle", "wall-clock"]);

/** An agent whose failures in these words are out of quota; `*` stands for anything. */
export function withLimits(agent: Agent, limits: readonly string[]): Agent {
  if (limits.length === 0) return agent;
  return {
    ...agent,
    async open(request) {
      const opened = await agent.open(request);
      if (!opened.ok) return opened;
      const session = opened.value;
      return ok({
        turn: message => judged(session.turn(message), limits),
        cancel: how => session.cancel(how),
        close: () => session.close(),
      });
    },
  };
}

async function* judged(
  events: AsyncIterable<AgentEvent>,
  limits: readonly string[],
): AsyncGenerator<AgentEvent, void, undefined> {
  for await (const event of events)
    yield event.type === "ended" ? { ...event, end: judgedEnd(event.end, limits) } : event;
}

function judgedEnd(end: TurnEnd, limits: readonly string[]): TurnEnd {
  if (end.kind === "completed" || !OPEN.has(end.failure.kind)) return end;
  const { message } = end.failure;
  const lines = [...lastLines(end.finalMessage, 5), message];
  const line = lines.findLast(one => limits.some(limit => says(one, limit)));
  if (line === undefined) return end;
  const retryAt = resetTime(line, Date.now());
  const failure = { kind: "quota", message, retryable: true } as const;
  return { ...end, failure: retryAt === undefined ? failure : { ...failure, retryAt } };
}
