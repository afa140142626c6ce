import { CLAUDE } from "../../src/adapters/agent/cli/claude.ts";
import { createCliAgent } from "../../src/adapters/agent/cli/cli-agent.ts";
import { hear, openShelf, request } from "./programs.ts";

const AGENTS = 16;
const SECONDS = 10;
const PER_SECOND = 5;

/** Speaks like an agent at work: a message or a tool call of half a kilobyte, some times a second. */
function worker(): string {
  const said = JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "text", text: "I look at the next file and change it. ".repeat(12) }] },
  });
  const result = '{"type":"result","subtype":"success","is_error":false,"result":"x"}';
  const count = SECONDS * PER_SECOND;
  return `#!/bin/sh\ncat > /dev/null\ni=0\nwhile [ $i -lt ${count} ]; do echo '${said}'; sleep ${1 / PER_SECOND}; i=$((i+1)); done\necho '${result}'\n`;
}

/** The share of one core that this process needs to follow sixteen agents at work. */
export async function measureCrowd(): Promise<{
  readonly agents: number;
  readonly events: number;
  readonly share: number;
}> {
  using shelf = openShelf();
  const agent = createCliAgent({ name: "worker", dialect: CLAUDE, program: shelf.put("worker", worker()) });
  const sessions = await Promise.all(Array.from({ length: AGENTS }, () => agent.open(request(shelf.folder))));
  const before = process.cpuUsage();
  const began = performance.now();
  await Promise.all(
    sessions.map(async opened => {
      if (!opened.ok) throw new Error(opened.failure.message);
      const { end } = await hear(opened.value, "work");
      if (end.type !== "ended" || end.end.kind !== "completed") throw new Error("a worker failed");
    }),
  );
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1_000 / (performance.now() - began);
  return { agents: AGENTS, events: AGENTS * SECONDS * PER_SECOND, share };
}
