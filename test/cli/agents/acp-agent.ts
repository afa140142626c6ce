import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** An agent of the Agent Client Protocol: its first turn lasts until `go` is there, each writes down what it was told. */
export const ACP_AGENT = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const sessionId = "s";
const done = () => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "DONE:" + process.env.ESPALIER_SIGNAL_ID } });
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": () => ({ sessionId }),
};
createInterface({ input: process.stdin }).on("line", line => {
  const { id, method, params } = JSON.parse(line);
  if (method !== "session/prompt") return void (id !== undefined && send({ id, result: answers[method]?.() ?? null }));
  appendFileSync("heard.txt", "--\\n" + params.prompt[0].text);
  writeFileSync("begun", "");
  const timer = setInterval(() => {
    if (!existsSync("go")) return;
    clearInterval(timer);
    send({ method: "session/update", params: { sessionId, update: done() } });
    send({ id, result: { stopReason: "end_turn" } });
  }, 20);
});
`;

/** Waits for a file. */
export async function there(path: string): Promise<void> {
  while (!existsSync(path)) await setTimeout(20);
}
