import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { type AcpAgentOptions, createAcpAgent } from "../../../src/adapters/agent/acp/acp-agent.ts";
import type { Agent, AgentEvent, AgentSession, SessionRequest, TurnEnd } from "../../../src/ports/index.ts";
import { agentRequest } from "../agent-fixtures.ts";
import { type SentMessage, schemaProblems } from "./acp-schema.ts";
import { program } from "./place.ts";

const PUPPET = fileURLToPath(new URL("acp-puppet.ts", import.meta.url));
export const QUICK = { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1 << 20 };
const opened: { session: AgentSession; folder: string }[] = [];
/** Methods that any test of the file had us send. */
export const methods = new Set<string>();
afterEach(async () => {
  for (const { session, folder } of opened.splice(0)) {
    await session.close();
    const sent = messagesIn(join(folder, "notes"));
    for (const { method } of sent) methods.add(method ?? "an answer");
    // [AC20]
    const [problem] = sent.flatMap(schemaProblems);
    if (problem !== undefined) throw new Error(`what was sent is not valid: ${JSON.stringify(problem)}`);
    rmSync(folder, { recursive: true, force: true });
  }
});

export interface Talk {
  readonly agent: Agent;
  readonly session: AgentSession;
  /** What the agent was sent, oldest first. */
  readonly asked: () => SentMessage[];
}

/** A session with a puppet that behaves so; what it was sent is held to the schema after each test. */
export async function talkTo(
  behaviour: string,
  given: Partial<SessionRequest> = {},
  options: Partial<AcpAgentOptions> = {},
  changed: (agent: Agent) => Agent = agent => agent,
): Promise<Talk> {
  const { file, folder } = program("agent", `#!/bin/sh\nexec "$@"\n`);
  const notes = join(folder, "notes");
  const command = [file, process.execPath, "--no-warnings", PUPPET, behaviour, notes] as const;
  const agent = changed(createAcpAgent({ name: "puppet", command: [...command], ...options }));
  const session = await agent.open(agentRequest({ limits: QUICK, ...given }));
  if (!session.ok) throw new Error(session.failure.message);
  opened.push({ session: session.value, folder });
  return { agent, session: session.value, asked: () => messagesIn(notes) };
}

/** What an agent was sent, by its notes. */
function messagesIn(notes: string): SentMessage[] {
  if (!existsSync(notes)) return [];
  const lines = readFileSync(notes, "utf8").trimEnd().split("\n");
  return lines.map(line => JSON.parse(line));
}

/** Asks for one turn and waits for its end. */
export async function turn({ session }: Pick<Talk, "session">, text = "do it") {
  const events: AgentEvent[] = [];
  for await (const event of session.turn(text)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error("no end");
  return { events, end: last.end };
}

/** What a turn failed by. */
export function failureOf(end: TurnEnd) {
  if (end.kind !== "failed") throw new Error(`completed: ${end.finalMessage}`);
  return end.failure;
}
