import { connect } from "node:net";
import { ControlReply, type ControlRequest } from "./protocol.ts";

/** Milliseconds to wait for an answer. */
const PATIENCE = 5000;

/** Asks the process that holds the lock. Undefined when nobody answers at that path. */
export function askControl(path: string, request: ControlRequest): Promise<ControlReply | undefined> {
  return new Promise(resolve => {
    const socket = connect(path);
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
    socket.setTimeout(PATIENCE, finish);
    socket.on("error", finish);
    socket.on("connect", () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("end", finish);
  });
}
