/**
 * An agent of the Agent Client Protocol whose sessions can be gone on with in the folder that they were had in. It writes down
 * each prompt. The first of all waits for a file and fails the task, with nothing left in its folder; what comes after is done.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params: {
    readonly cwd: string;
    readonly sessionId: string;
    readonly prompt: readonly { readonly text: string }[];
  };
}

/** Where its sessions and its prompts are kept, and the file that it waits for. */
const [, , KEPT = "", WAITED = ""] = process.argv;

interface Session {
  readonly cwd: string;
  readonly prompts: number;
}

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const fileOf = (session: string) => join(KEPT, `${session}.json`);
const keep = (session: string, known: Session) => writeFileSync(fileOf(session), JSON.stringify(known));
const read = (session: string): Session | undefined =>
  existsSync(fileOf(session)) ? JSON.parse(readFileSync(fileOf(session), "utf8")) : undefined;

async function work(id: unknown, sessionId: string, prompt: string): Promise<void> {
  const { cwd = "", prompts = 0 } = read(sessionId) ?? {};
  keep(sessionId, { cwd, prompts: prompts + 1 });
  const told = { session: sessionId, cwd, prompts, isWhole: prompt.includes("TASKS.md") };
  const isFirst = !existsSync(WAITED);
  appendFileSync(join(KEPT, "prompts"), `${JSON.stringify(told)}\n`);
  while (!existsSync(WAITED)) await pause(50);
  if (!isFirst) writeFileSync(join(cwd, "made.txt"), "made\n");
  const signal = /followed at once by `([^`]+)`/.exec(prompt)?.[1] ?? "";
  const text = isFirst ? `FAIL:${signal}:not yet\n` : `DONE:${signal}\n`;
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  send({ method: "session/update", params: { sessionId, update } });
  send({ id, result: { stopReason: "end_turn" } });
}

mkdirSync(KEPT, { recursive: true });
createInterface({ input: process.stdin }).on("line", line => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (method === "initialize")
    send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] } });
  else if (method === "session/new") {
    const sessionId = randomUUID();
    keep(sessionId, { cwd: params.cwd, prompts: 0 });
    send({ id, result: { sessionId } });
  } else if (method === "session/load")
    send(
      read(params.sessionId)?.cwd === params.cwd
        ? { id, result: {} }
        : { id, error: { code: -32_002, message: "no such session in this folder" } },
    );
  else if (method === "session/prompt") void work(id, params.sessionId, params.prompt[0]?.text ?? "");
});
