import type { Readable, Writable } from "node:stream";
import { Server, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { call, type Duties } from "./duties.ts";
import { lineTransport } from "./line-transport.ts";
import { definitionsFor, hintsFor, INSTRUCTIONS, type Role } from "./tools.ts";

const PULSE = 10_000;

export interface ServeOptions {
  readonly role: Role;
  readonly duties: Duties;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Milliseconds between two signs that a call goes on. */
  readonly pulseMs?: number;
}

type Asked = Pick<ServerContext["mcpReq"], "_meta" | "notify" | "signal">;

/** Tells a client that asks for progress, until it takes its call back, that it goes on: many count their time limit from the last sign. */
function pulseOf({ _meta, notify, signal }: Asked, everyMs: number): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress };
    notify({ method: "notifications/progress", params }).catch(() => {});
  }, everyMs);
  const end = () => clearInterval(timer);
  signal.addEventListener("abort", end, { once: true });
  return end;
}

/** Serves the tools of a role over two streams; resolves when the client has left. */
export function serveMcp({
  role,
  duties,
  version,
  input,
  output,
  pulseMs = PULSE,
}: ServeOptions): Promise<void> {
  const transport = lineTransport(input, output);
  // One after another: a claim must see what the report before it has changed.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const handle = serveStdio(
    () => {
      const server = new Server(
        { name: "espalier", version },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS[role] },
      );
      const tools = definitionsFor(role).map(tool => ({ ...tool, annotations: hintsFor(tool.name) }));
      server.setRequestHandler("tools/list", () => ({ tools }));
      server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
        const still = pulseOf(mcpReq, pulseMs);
        return inTurn(async () => {
          // Nobody would hear what came of it.
          if (mcpReq.signal.aborted) return { content: [] };
          const { text, isError } = await call(role, duties, params.name, params.arguments);
          return { content: [{ type: "text" as const, text }], ...(isError ? { isError } : {}) };
        }).finally(still);
      });
      return server;
    },
    { transport, maxSubscriptions: 4 },
  );
  const closed = new Promise<void>(resolve => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve();
    };
  });
  return closed.then(async () => {
    await last;
    await handle.close();
  });
}
