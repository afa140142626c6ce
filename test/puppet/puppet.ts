/**
 * An agent that does nothing by itself: a test pulls its strings. `node puppet.ts SOCKET [ARGUMENT …]` reads its stdin
 * to the end, reports to the stage at SOCKET, and then does what it is told, line by line. Started by `openStage` in
 * `stage.ts`, which says how to use it. When the stage closes, the puppet is gone too.
 */
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { Order, Report } from "./stage.ts";

const [socketPath = "", ...args] = process.argv.slice(2);
const prompt = await text(process.stdin);
const socket = createConnection(socketPath);
socket.on("error", () => process.exit(99));
socket.on("close", () => process.exit(99));

function report(what: Report): void {
  socket.write(`${JSON.stringify(what)}\n`);
}

report({
  type: "call",
  prompt,
  args,
  pid: process.pid,
  cwd: process.cwd(),
  task: process.env["ESPALIER_TASK"] ?? "",
  token: process.env["ESPALIER_ATTEMPT"] ?? "",
  env: { ...process.env },
});

createInterface({ input: socket }).on("line", line => {
  const order = JSON.parse(line) as Order & { readonly id: number };
  obey(order, answer => report({ type: "done", id: order.id, answer }));
});

function obey(order: Order, done: (answer: number) => void): void {
  switch (order.do) {
    case "say":
      process.stdout.write(order.text, () => done(0));
      return;
    case "complain":
      process.stderr.write(order.text, () => done(0));
      return;
    case "ignore":
      process.on(order.signal, () => {});
      done(0);
      return;
    case "leave": {
      // Nobody's child, a group and session of its own, no streams: what a careless agent leaves behind.
      const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
      child.unref();
      done(child.pid ?? 0);
      return;
    }
    case "exit":
      // Output to a pipe is written before `write` returns, so nothing is cut off here.
      process.exit(order.code);
      return;
    case "die":
      process.kill(process.pid, order.signal);
      return;
  }
}
