import type { Agent, AgentEvent, SessionRequest, TurnEnd } from "../../src/ports/index.ts";

let requests = 0;

/** A request with generous limits and a token of its own. */
export function agentRequest(given: Partial<SessionRequest> = {}): SessionRequest {
  requests += 1;
  return {
    task: "T1.3",
    attempt: 1,
    token: `test-${process.pid}-${requests}`,
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "" },
    limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1 << 20 },
    log: () => {},
    ...given,
  };
}

export interface OneTurn {
  readonly events: readonly AgentEvent[];
  readonly lines: readonly string[];
  readonly end: TurnEnd;
}

/** One turn of a new session, which is closed afterwards. */
export async function oneTurn(agent: Agent, request: SessionRequest, message = ""): Promise<OneTurn> {
  const session = await agent.open(request);
  if (!session.ok) throw new Error(`${session.failure.kind}: ${session.failure.message}`);
  const events: AgentEvent[] = [];
  for await (const event of session.value.turn(message)) events.push(event);
  await session.value.close();
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error("no end");
  return {
    events,
    end: last.end,
    lines: events.flatMap(event => (event.type === "line" ? [event.text] : [])),
  };
}
