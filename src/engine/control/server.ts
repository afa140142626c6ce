import { randomBytes } from "node:crypto";
import { lstatSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { StampedEvent } from "../../ports/index.ts";
import type { Decider } from "./decider.ts";
import { feed } from "./feed.ts";
import {
  type ControlReply,
  ControlRequest,
  isDecision,
  LARGE_STARTS,
  MAX_CONTEXT,
  MAX_REQUEST,
  Shows,
  shownFor,
} from "./protocol.ts";

export interface ControlServer {
  readonly path: string;
  close(): Promise<void>;
}

/** What carries out a request; without an answer the connection is closed, as if nobody had listened any more. */
export type ControlHandler = (request: ControlRequest) => Promise<ControlReply | undefined>;

/** How followers hear of events: calls back with each until the returned function is called. */
export type Subscribe = (listener: (event: StampedEvent) => void) => () => void;

/** How those who decide are told from those who may not. */
export interface Bench {
  /** Judges the process that says it shows the word in its own command line. */
  judge(pid: number, word: string): Promise<Decider>;
  /** Hears of everybody who was refused. */
  refused(request: ControlRequest, decider: Decider): void;
}

/** What connections that stay open are for, and who may decide; without a bench everybody may. */
export interface KeptOpen {
  /** Those who follow. */
  readonly subscribe?: Subscribe | undefined;
  /** Those who are there to answer agents; the returned function says that one has left. */
  readonly attend?: (() => () => void) | undefined;
  readonly bench?: Bench | undefined;
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

/** Who is at the other end, by what it shows. Whoever shows nothing is nobody in particular. */
async function deciderOf(asked: string, lines: Lines, bench: Bench): Promise<Decider> {
  const word = randomBytes(12).toString("base64url");
  lines.write({ show: word });
  const line = await lines.next(MAX_REQUEST);
  try {
    const shows = Shows.safeParse(JSON.parse(line ?? ""));
    return shows.success ? await bench.judge(shows.data.pid, shownFor(word, asked)) : { kind: "unproven" };
  } catch {
    return { kind: "unproven" };
  }
}

async function carryOut(
  line: string,
  handle: ControlHandler,
  lines: Lines,
  bench: Bench | undefined,
): Promise<Answered> {
  const request = readRequest(line);
  if (typeof request === "string") return { request: undefined, reply: { ok: false, message: request } };
  try {
    const decider =
      bench !== undefined && isDecision(request) ? await deciderOf(line, lines, bench) : undefined;
    if (decider !== undefined && decider.kind !== "person") {
      bench?.refused(request, decider);
      return { request, reply: { ok: false, message: "only a person decides", decider } };
    }
    return { request, reply: await handle(request) };
  } catch (error) {
    return { request, reply: { ok: false, message: String(error) } };
  }
}

/** The lines of a connection, one at a time. */
interface Lines {
  /** The next line; undefined when it is too long, late, or never comes. */
  next(most: number | ((start: string) => number)): Promise<string | undefined>;
  write(value: unknown): void;
}

function linesOf(socket: Socket, silence: number): Lines {
  let rest = "";
  return {
    write: value => void socket.write(`${JSON.stringify(value)}\n`),
    next: most =>
      new Promise(resolve => {
        const parts: string[] = [];
        let length = 0;
        const leave = (line: string | undefined) => {
          socket.off("data", collect).off("close", close);
          // From here on it is we who are silent.
          socket.setTimeout(0);
          if (line === undefined) socket.destroy();
          socket.resume();
          resolve(line);
        };
        const close = () => leave(undefined);
        const collect = (chunk: string) => {
          const end = chunk.indexOf("\n");
          parts.push(end < 0 ? chunk : chunk.slice(0, end));
          length += chunk.length;
          if (end >= 0) {
            rest = chunk.slice(end + 1);
            return leave(parts.join(""));
          }
          if (length > (typeof most === "number" ? most : most(parts[0]!))) leave(undefined);
        };
        socket.setTimeout(silence, close);
        socket.on("data", collect).on("close", close);
        const waiting = rest;
        rest = "";
        if (waiting !== "") collect(waiting);
      }),
  };
}

const longestOf = (start: string) =>
  LARGE_STARTS.some(large => start.startsWith(large)) ? MAX_CONTEXT : MAX_REQUEST;

/** One request a connection; whatever follows it is not read. */
async function serve(socket: Socket, handle: ControlHandler, kept: KeptOpen, silence: number): Promise<void> {
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  const lines = linesOf(socket, silence);
  const line = await lines.next(longestOf);
  if (line === undefined) return;
  const { subscribe, attend, bench } = kept;
  const { request, reply } = await carryOut(line, handle, lines, bench);
  if (reply === undefined) {
    socket.destroy();
    return;
  }
  if (request?.method === "follow" && subscribe !== undefined) {
    lines.write(reply);
    feed(socket, subscribe);
  } else if (request?.method === "attend" && attend !== undefined) {
    lines.write(reply);
    if (!socket.destroyed) socket.on("close", attend());
  } else socket.end(`${JSON.stringify(reply)}\n`);
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
    void serve(socket, handle, kept, silence);
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
