import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { type ControlReply, ControlRequest, MAX_REQUEST } from "./protocol.ts";

export interface ControlServer {
  readonly path: string;
  close(): Promise<void>;
}

/** What carries out a request; without an answer the connection is closed, as if nobody had listened any more. */
export type ControlHandler = (request: ControlRequest) => Promise<ControlReply | undefined>;

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

async function carryOut(line: string, handle: ControlHandler): Promise<ControlReply | undefined> {
  const request = readRequest(line);
  if (typeof request === "string") return { ok: false, message: request };
  try {
    return await handle(request);
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}

/** One request a connection; whatever follows it is not read. */
function serve(socket: Socket, handle: ControlHandler, silence: number): void {
  let buffered = "";
  socket.setEncoding("utf8");
  socket.setTimeout(silence, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  const collect = (chunk: string) => {
    buffered += chunk;
    const end = buffered.indexOf("\n");
    if (end < 0) {
      if (buffered.length > MAX_REQUEST) socket.destroy();
      return;
    }
    socket.off("data", collect);
    socket.resume();
    // From here on it is we who are silent.
    socket.setTimeout(0);
    void carryOut(buffered.slice(0, end), handle).then(answer => {
      if (answer === undefined) socket.destroy();
      else socket.end(`${JSON.stringify(answer)}\n`);
    });
  };
  socket.on("data", collect);
}

/**
 * Listens on a Unix socket only its owner can open. The caller holds the project's lock, so a socket left behind by a
 * dead process may be replaced. Rejects when the path cannot be bound.
 */
export async function startControl(
  path: string,
  handle: ControlHandler,
  silence: number = SILENCE,
): Promise<ControlServer> {
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, handle, silence);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The socket is made within the call, so nobody sees it with wider permissions.
    const umask = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(umask);
    }
  });
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
