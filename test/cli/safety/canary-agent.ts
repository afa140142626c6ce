/**
 * An agent of the Agent Client Protocol that says secrets wherever it can say something: in titles of tools and of
 * permissions, beside the protocol, on stderr, in its answer, and through the tools it is given.
 */
export const CANARY_AGENT = `
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const here = name => new URL(name, import.meta.url);
const forms = JSON.parse(readFileSync(here("lines.json"), "utf8"));
const line = forms.join(" ");
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = body => send({ method: "session/update", params: { sessionId: "s", update: body } });
const say = text => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const OPTIONS = [{ optionId: "no", name: "No", kind: "reject_once" }, { optionId: "yes", name: "Yes", kind: "allow_once" }];
const waiting = new Map();
let servers = [];

function permission(title, id) {
  const toolCall = { toolCallId: "p" + id, kind: "execute", title };
  send({ id, method: "session/request_permission", params: { sessionId: "s", toolCall, options: OPTIONS } });
  return new Promise(resolve => waiting.set(id, resolve));
}

/** Asks the tools of the attempt; what they answer is kept for whoever looks. */
async function tools({ command, args, env }) {
  const child = spawn(command, args, {
    env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id, method, params) => {
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n");
    const { value = "" } = await answers.next();
    appendFileSync(here("mcp-worker.txt"), value + "\\n");
  };
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  await ask(0, "initialize", client);
  child.stdin.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) + "\\n");
  const calls = [
    ["status", {}],
    ["get_context", {}],
    ["get_context", { name: "fill-T0.1" }],
    ["get_context", { name: line.slice(0, 2000) }],
    ["context_pull", { label: "fill-T0.1" }],
    ["add_context", { node: "ctx-api", text: "- " + line }],
    ["add_context", { node: line.slice(0, 60), text: line }],
    ["context_ack", { text: line }],
  ];
  for (const [at, [name, args]] of calls.entries()) await ask(at + 1, "tools/call", { name, arguments: args });
  child.stdin.end();
}

async function work(id, text) {
  if (process.argv[2] === "dies") {
    // So long that its end is kept and its beginning is not, and its last line is cut.
    process.stderr.write(line.repeat(3) + "\\nerror: " + "x".repeat(150) + line + "\\n");
    setTimeout(() => process.exit(3), 20);
    return;
  }
  let next = 100;
  for (const form of forms) {
    update({ sessionUpdate: "tool_call", toolCallId: "t" + next, kind: "read", title: form, status: "in_progress" });
    update({ sessionUpdate: "tool_call_update", toolCallId: "t" + next, status: "completed" });
    await permission(form, next++);
    // So long that it is cut in the middle of the secret.
    for (const most of [200, 1000]) await permission("x".repeat(most - 10) + form, next++);
    // Of another title than what it was refused.
    update({ sessionUpdate: "tool_call", toolCallId: "u" + next, title: "y".repeat(190) + form, status: "completed" });
  }
  process.stdout.write(line + "\\n");
  process.stderr.write(line + "\\n");
  for (const server of servers) await tools(server);
  say("- lesson: " + line + "\\n[ADD_CONTEXT:ctx-api]- route: " + line + "[/ADD_CONTEXT]\\n");
  const signal = /followed at once by \`([^\`]+)\`/.exec(text)?.[1] ?? "";
  say("DONE:" + signal + "\\n");
  send({ id, result: { stopReason: "end_turn" } });
}

const handlers = {
  initialize: ({ id }) => send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } }),
  "session/new"({ id, params }) {
    servers = params.mcpServers;
    send({ id, result: { sessionId: "s" } });
  },
  "session/prompt": ({ id, params }) => void work(id, params.prompt[0].text),
};
createInterface({ input: process.stdin }).on("line", text => {
  const message = JSON.parse(text);
  if (message.method === undefined) waiting.get(message.id)?.();
  else handlers[message.method]?.(message);
});
`;
