import { connect } from "node:net";
import { ControlReply, type ControlRequest, MAX_CONTEXT, MAX_REQUEST } from "./protocol.ts";

/** Milliseconds to wait for an answer. */
const PATIENCE = 5000;

/**
 * Asks the process that holds the lock. Undefined when nobody listens at that path, or whoever did has just left; one
 * that listens and says nothing is an answer of its own.
 */
export function askControl(
  path: string,
  request: ControlRequest,
  patience: number = PATIENCE,
): Promise<ControlReply | undefined> {
  const line = `${JSON.stringify(request)}\n`;
  const isLarge = request.method === "context" || request.method === "worker";
  const most = isLarge ? MAX_CONTEXT : MAX_REQUEST;
  if (line.length > most) {
    const message = `the request has ${line.length} characters, the running process takes ${most}`;
    return Promise.resolve({ ok: false, message });
  }
  return new Promise(resolve => {
    const socket = connect(path);
    let connected = false;
    let answer = "";
    const finish = () => {
      socket.destroy();
      try {
        resolve(ControlReply.parse(JSON.parse(answer)));
      } catch {
        resolve(undefined);
      }
    };
    socket.setEncoding("utf8");
    socket.setTimeout(patience, () => {
      socket.destroy();
      resolve(connected ? { ok: false, message: "the running process does not answer" } : undefined);
    });
    socket.on("error", finish);
    socket.on("connect", () => {
      connected = true;
      socket.write(line);
    });
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (answer.length > most) finish();
    });
    socket.on("end", finish);
    socket.on("close", finish);
  });
}
