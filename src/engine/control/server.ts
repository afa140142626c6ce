import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { type ControlReply, ControlRequest, MAX_REQUEST } from "./protocol.ts";

export interface ControlServer {
  readonly path: string;
  close(): Promise<void>;
}

/** Milliseconds a client may be silent. */
const SILENCE = 10_000;

function readRequest(line: string): ControlRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "not JSON";
  }
  const parsed = ControlRequest.safeParse(value);
  return parsed.success ? parsed.data : `unknown request: ${parsed.error.issues[0]?.message ?? ""}`;
}

function serve(socket: Socket, handle: (request: ControlRequest) => Promise<ControlReply>): void {
  let buffered = "";
  socket.setEncoding("utf8");
  socket.setTimeout(SILENCE, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    buffered += chunk;
    const end = buffered.indexOf("\n");
    if (end < 0) {
      if (buffered.length > MAX_REQUEST) socket.destroy();
      return;
    }
    const request = readRequest(buffered.slice(0, end));
    buffered = "";
    const reply: Promise<ControlReply> =
      typeof request === "string" ? Promise.resolve({ ok: false, message: request }) : handle(request);
    void reply
      .catch((error: unknown): ControlReply => ({ ok: false, message: String(error) }))
      .then(answer => socket.end(`${JSON.stringify(answer)}\n`));
  });
}

/**
 * Listens on a Unix socket only its owner can open. The caller holds the project's lock, so a socket left behind by a
 * dead process may be replaced. Rejects when the path cannot be bound.
 */
export async function startControl(
  path: string,
  handle: (request: ControlRequest) => Promise<ControlReply>,
): Promise<ControlServer> {
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, handle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  server.unref();
  return {
    path,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        // Answers that are being written still go out; idle clients must not keep us.
        for (const socket of sockets) socket.destroySoon();
        rmSync(path, { force: true });
      }),
  };
}
