import { z } from "zod";
import { WORKER_SOCKET } from "../adapters/process/index.ts";
import type { ControlReply, ControlRequest } from "../engine/control/protocol.ts";
import { openControl, PROGRAM, TOOL_HOOK } from "../host/machine.ts";
import type { McpServer, Order, ToolHook } from "../ports/index.ts";
import type { AgentCall } from "./worker.ts";

/** What an agent is started with so that it can ask the run. */
export interface Means {
  readonly mcp?: readonly McpServer[];
  readonly hook?: ToolHook;
}

/** Where agents of this machine ask the runs that their orders come from. */
export interface Calls {
  /** What an order asks for. */
  meansFor(order: Order): Means;
  close(): Promise<void>;
}

const replyShape = z.object({ ok: z.boolean(), message: z.string() });

const refused = (message: string): ControlReply => ({ ok: false, message });

/** What the run has said; it comes from elsewhere. */
function replyIn(text: string): ControlReply {
  try {
    return replyShape.parse(JSON.parse(text));
  } catch {
    return refused("what the run said cannot be read");
  }
}

async function answered(
  request: ControlRequest,
  ask: (call: AgentCall) => Promise<string | undefined>,
  masked: (text: string) => string,
): Promise<ControlReply | undefined> {
  if (request.method !== "worker") return refused("this socket is for attempts at work");
  const { task, token, ask: asked } = request;
  const known = "text" in asked ? { ...asked, text: masked(asked.text) } : asked;
  const text = await ask({ task, token, op: asked.op, text: JSON.stringify(known) });
  return text === undefined ? undefined : replyIn(text);
}

/**
 * Opens a socket in the worker's folder at which its agents ask, each for its own order. Undefined where none can be opened: they
 * work without. What they say is masked before it leaves the machine.
 */
export async function openCalls(
  folder: string,
  ask: (call: AgentCall) => Promise<string | undefined>,
  masked: (text: string) => string,
): Promise<Calls | undefined> {
  const opened = await openControl(
    { stateDir: folder },
    request => answered(request, ask, masked),
    {},
    "calls.sock",
  );
  if (!opened.ok) return undefined;
  const { path } = opened.value;
  return {
    meansFor({ calls = [], task, token }) {
      const env = { ESPALIER_TASK: task, ESPALIER_ATTEMPT: token, [WORKER_SOCKET]: path };
      const server = { name: "espalier", command: process.execPath, args: [PROGRAM, "mcp"], env };
      return {
        ...(calls.includes("tools") ? { mcp: [server] } : {}),
        ...(calls.includes("hook") ? { hook: { command: process.execPath, args: [TOOL_HOOK, path] } } : {}),
      };
    },
    close: () => opened.value.close(),
  };
}
