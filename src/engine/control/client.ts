import { connect } from "node:net";
import { ControlReply, type ControlRequest } from "./protocol.ts";

/** Milliseconds to wait for an answer. */
const PATIENCE = 5000;
/** Characters an answer may have. */
const MAX_ANSWER = 64 * 1024;

/**
 * Asks the process that holds the lock. Undefined when nobody listens at that path, or whoever did has just left; one
 * that listens and says nothing is an answer of its own.
 */
export function askControl(
  path: string,
  request: ControlRequest,
  patience: number = PATIENCE,
): Promise<ControlReply | undefined> {
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
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (answer.length > MAX_ANSWER) finish();
    });
    socket.on("end", finish);
    socket.on("close", finish);
  });
}
