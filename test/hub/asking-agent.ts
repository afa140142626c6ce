/** An agent of the Agent Client Protocol that calls the tools it is given, and leaves what they said in `answers.json`. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}
interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params: {
    readonly cwd: string;
    readonly mcpServers: readonly Server[];
    readonly prompt: readonly { readonly text: string }[];
  };
}

/** Tools and what each is given, and a file to wait for before it says that it is done. */
const CALLS: readonly (readonly [name: string, args: object])[] = JSON.parse(process.argv[2] ?? "[]");
const WAITED = process.argv[3];

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

let cwd = "";
let servers: readonly Server[] = [];

/** What each call is answered with. */
async function answers({ command, args, env }: Server): Promise<readonly unknown[]> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { value = "{}" } = await lines.next();
    return JSON.parse(value).result?.content?.[0]?.text;
  };
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  await ask(0, "initialize", client);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const found: unknown[] = [];
  for (const [at, [name, given]] of CALLS.entries())
    found.push(await ask(at + 1, "tools/call", { name, arguments: given }));
  child.stdin.end();
  return found;
}

async function work(id: unknown, prompt: string): Promise<void> {
  const found = await Promise.all(servers.map(answers));
  writeFileSync(`${cwd}/answers.json`, JSON.stringify(found.flat(), undefined, 2));
  while (WAITED !== undefined && !existsSync(WAITED)) await pause(50);
  const signal = /followed at once by `([^`]+)`/.exec(prompt)?.[1] ?? "";
  const text = `All asked.\nDONE:${signal}\n`;
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  send({ method: "session/update", params: { sessionId: "s", update } });
  send({ id, result: { stopReason: "end_turn" } });
}

createInterface({ input: process.stdin }).on("line", line => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (method === "initialize")
    send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === "session/new") {
    ({ cwd, mcpServers: servers } = params);
    send({ id, result: { sessionId: "s" } });
  } else if (method === "session/prompt") void work(id, params.prompt[0]?.text ?? "");
});
