import { z } from "zod";
import type { ControlReply } from "../engine/control/protocol.ts";
import { attemptHook, attemptTools, openAttemptSocket, type WorkerRequest } from "../host/machine.ts";
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

/** What the run has said; it comes from elsewhere. */
function replyIn(text: string): ControlReply {
  try {
    return replyShape.parse(JSON.parse(text));
  } catch {
    return { ok: false, message: "what the run said cannot be read" };
  }
}

async function answered(
  { task, token, ask: asked }: WorkerRequest,
  ask: (call: AgentCall) => Promise<string | undefined>,
  masked: (text: string) => string,
): Promise<ControlReply | undefined> {
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
  const opened = await openAttemptSocket({ stateDir: folder }, "calls.sock", request =>
    answered(request, ask, masked),
  );
  if (!opened.ok) return undefined;
  const { path } = opened.value;
  return {
    meansFor({ calls = [], task, token }) {
      return {
        ...(calls.includes("tools") ? { mcp: [attemptTools(task, token, path)] } : {}),
        ...(calls.includes("hook") ? { hook: attemptHook(path) } : {}),
      };
    },
    close: () => opened.value.close(),
  };
}
