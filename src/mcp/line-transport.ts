import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { type LongLine, longLine } from "./long-line.ts";

/** Bytes a message may have. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Milliseconds that answers may still take once the client has left. */
const GRACE = 30_000;

const ERRORS = {
  parse: [-32_700, "Parse error: not one JSON object a line"],
  batch: [-32_600, "Invalid Request: batches are not supported, send one object a line"],
  invalid: [-32_600, "Invalid Request"],
  tooLong: [-32_600, `Invalid Request: a message has at most ${MOST_BYTES} bytes`],
} as const;

/**
 * MCP over two streams, one JSON object a line. What is no message is answered with an error and passed over, so that a
 * confused client neither hangs nor ends the server.
 */
export function lineTransport(input: Readable, output: Writable): Transport {
  let parts: Buffer[] = [];
  let length = 0;
  /** The line that is passed over. */
  let skipped: LongLine | undefined;
  let isClosed = false;
  let hasEnded = false;
  /** Requests without an answer yet. */
  const pending = new Set<string | number>();

  const write = (message: unknown): Promise<void> =>
    new Promise(resolve => {
      if (isClosed || output.destroyed) resolve();
      // A reader that has gone is told by the end of the input.
      else output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  const reject = (kind: keyof typeof ERRORS, id: string | number | null = null): void => {
    const [code, message] = ERRORS[kind];
    void write({ jsonrpc: "2.0", id, error: { code, message } });
  };
  const take = (line: string): void => {
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      reject("parse");
      return;
    }
    if (Array.isArray(value)) {
      reject("batch");
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(withoutNulls(value));
    } catch {
      reject("invalid", idOf(value));
      return;
    }
    follow(message);
    transport.onmessage?.(message);
  };
  const follow = (message: JSONRPCMessage): void => {
    if (!("method" in message)) return;
    if ("id" in message) pending.add(message.id);
    else if (message.method === "notifications/cancelled") settle(message.params?.["requestId"]);
  };
  const settle = (id: unknown): void => {
    if (typeof id === "string" || typeof id === "number") pending.delete(id);
    if (hasEnded && pending.size === 0) void close();
  };
  /** Who only pipes its requests in has left before they are answered. */
  const end = (): void => {
    if (hasEnded) return;
    if (skipped === undefined) take(Buffer.concat(parts).toString("utf8"));
    parts = [];
    hasEnded = true;
    if (pending.size === 0) void close();
    else timer = setTimeout(() => void close(), GRACE);
  };
  let timer: NodeJS.Timeout | undefined;
  const onData = (chunk: Buffer): void => {
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(10, from);
      const end = newline < 0 ? chunk.length : newline;
      length += end - from;
      const part = chunk.subarray(from, end);
      if (length <= MOST_BYTES) parts.push(part);
      else if (skipped !== undefined) skipped.pass(part);
      else {
        skipped = longLine([...parts, part]);
        parts = [];
      }
      if (newline >= 0) {
        const line = Buffer.concat(parts).toString("utf8");
        const long = skipped;
        parts = [];
        length = 0;
        skipped = undefined;
        // Who sent a request waits for an answer to it.
        if (long !== undefined) reject("tooLong", long.id());
        else take(line);
      }
      from = end + 1;
    }
  };
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    input.off("data", onData);
    input.pause();
    transport.onclose?.();
  };
  const transport: Transport = {
    async start() {
      input.on("data", onData);
      for (const event of ["end", "close", "error"]) input.once(event, end);
    },
    async send(message) {
      await write(message);
      if ("id" in message && !("method" in message)) settle(message.id);
    },
    close,
  };
  return transport;
}

/** How deep the parameters of a request are nested that are no arguments of a tool: those of a capability. */
const DEEPEST = 3;

/** A message without the parameters that are null: serializers of some languages write whatever is left out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("params" in value)) return value;
  const { params, ...rest } = value;
  return params === null ? rest : { ...rest, params: filled(params, DEEPEST) };
}

/** The members of an object, and of those that it holds, that are not null. A tool's arguments are its own. */
function filled(value: unknown, deep: number): unknown {
  if (deep === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const told = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(
    told.map(([key, one]) => [key, key === "arguments" ? one : filled(one, deep - 1)]),
  );
}

/** The id of something that is nearly a request. */
function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
