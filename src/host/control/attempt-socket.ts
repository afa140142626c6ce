import { WORKER_SOCKET } from "../../adapters/process/index.ts";
import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import type { ControlServer } from "../../engine/control/server.ts";
import type { McpServer, Result, ToolHook } from "../../ports/index.ts";
import { PROGRAM, TOOL_HOOK } from "../package.ts";
import type { Project } from "../project/project.ts";
import { openControl } from "./control.ts";

/** What an attempt asks for itself. */
export type WorkerRequest = Extract<ControlRequest, { method: "worker" }>;

/** The tools of an attempt; without a socket of its own it asks as everybody does. */
export function attemptTools(task: string, token: string, socket: string | undefined): McpServer {
  return {
    name: "espalier",
    command: process.execPath,
    args: [PROGRAM, "mcp"],
    env: {
      ESPALIER_TASK: task,
      ESPALIER_ATTEMPT: token,
      ...(socket === undefined ? {} : { [WORKER_SOCKET]: socket }),
    },
  };
}

/** What an agent runs after each tool call. */
export function attemptHook(socket: string): ToolHook {
  return { command: process.execPath, args: [TOOL_HOOK, socket] };
}

/** Opens a socket of this name for attempts at work, which is no way to steer a run; the failure says why none can be opened. */
export function openAttemptSocket(
  at: Pick<Project, "stateDir">,
  name: string,
  answer: (request: WorkerRequest) => Promise<ControlReply | undefined>,
): Promise<Result<ControlServer, string>> {
  const refused = { ok: false, message: "this socket is for attempts at work" } as const;
  return openControl(
    at,
    async request => (request.method === "worker" ? answer(request) : refused),
    {},
    name,
  );
}
