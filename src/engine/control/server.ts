import { lstatSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { StampedEvent } from "../../ports/index.ts";
import { feed } from "./feed.ts";
import { type ControlReply, ControlRequest, LARGE_STARTS, MAX_CONTEXT, MAX_REQUEST } from "./protocol.ts";

export interface ControlServer {
  readonly path: string;
  close(): Promise<void>;
}

/** What carries out a request; without an answer the connection is closed, as if nobody had listened any more. */
export type ControlHandler = (request: ControlRequest) => Promise<ControlReply | undefined>;

/** How followers hear of events: calls back with each until the returned function is called. */
export type Subscribe = (listener: (event: StampedEvent) => void) => () => void;

/** What connections that stay open are for. */
export interface KeptOpen {
  /** Those who follow. */
  readonly subscribe?: Subscribe | undefined;
  /** Those who are there to answer agents; the returned function says that one has left. */
  readonly attend?: (() => () => void) | undefined;
}

/** A request that could be read, and what it was answered. */
interface Answered {
  readonly request: ControlRequest | undefined;
  readonly reply: ControlReply | undefined;
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

async function carryOut(line: string, handle: ControlHandler): Promise<Answered> {
  const request = readRequest(line);
  if (typeof request === "string") return { request: undefined, reply: { ok: false, message: request } };
  try {
    return { request, reply: await handle(request) };
  } catch (error) {
    return { request, reply: { ok: false, message: String(error) } };
  }
}

/** One request a connection; whatever follows it is not read. */
function serve(socket: Socket, handle: ControlHandler, kept: KeptOpen, silence: number): void {
  const parts: string[] = [];
  let length = 0;
  socket.setEncoding("utf8");
  socket.setTimeout(silence, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  const collect = (chunk: string) => {
    const end = chunk.indexOf("\n");
    parts.push(end < 0 ? chunk : chunk.slice(0, end));
    length += chunk.length;
    if (end < 0) {
      const most = LARGE_STARTS.some(start => parts[0]!.startsWith(start)) ? MAX_CONTEXT : MAX_REQUEST;
      if (length > most) socket.destroy();
      return;
    }
    socket.off("data", collect);
    socket.resume();
    // From here on it is we who are silent.
    socket.setTimeout(0);
    void carryOut(parts.join(""), handle).then(({ request, reply }) => {
      if (reply === undefined) return socket.destroy();
      const answer = `${JSON.stringify(reply)}\n`;
      const { subscribe, attend } = kept;
      if (request?.method === "follow" && subscribe !== undefined) {
        socket.write(answer);
        return feed(socket, subscribe);
      }
      if (request?.method !== "attend" || attend === undefined) return socket.end(answer);
      socket.write(answer);
      if (!socket.destroyed) socket.on("close", attend());
      return socket;
    });
  };
  socket.on("data", collect);
}

/** Removes the socket of a dead process; anything else under its name is none of ours. */
function removeLeftSocket(path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return;
  if (!facts.isSocket()) throw new Error(`${path} is no socket; it is not replaced: move it away`);
  rmSync(path, { force: true });
}

/**
 * Listens on a Unix socket only its owner can open. The caller holds the project's lock, so a socket left behind by a
 * dead process may be replaced. Rejects when the path cannot be bound.
 */
export async function startControl(
  path: string,
  handle: ControlHandler,
  { silence = SILENCE, ...kept }: KeptOpen & { readonly silence?: number | undefined } = {},
): Promise<ControlServer> {
  removeLeftSocket(path);
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, handle, kept, silence);
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
