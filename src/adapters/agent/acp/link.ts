import type { AnyMessage, ClientConnection, ClientContext } from "@agentclientprotocol/sdk";
import {
  type AgentFailure,
  fail,
  type OutputLog,
  type Result,
  type SessionRequest,
} from "../../../ports/index.ts";
import {
  attemptEnv,
  attemptMarker,
  createByteTail,
  createLineSplitter,
  type ProcessEnd,
  type Program,
  runProcess,
  type Warden,
} from "../../process/index.ts";
import { clipped, type Fields, fields, MOST_NOISE } from "../fields.ts";
import { createJsonLines } from "../json-lines.ts";
import { type FileGuard, unapproved } from "../repository-files.ts";
import { type AgentJail, confine } from "../settings.ts";
import type { How } from "../turns.ts";

/** Bytes of stderr among which the reason of a death is looked for. */
const COMPLAINT_BYTES = 1 << 13;

/** Bytes that may wait to be read by the agent, beside the longest prompts. */
const MOST_UNREAD = 16 << 20;

/** What comes from the agent besides answers. */
export interface LinkSink {
  /** A `session/update`, as it came. */
  update(params: Fields): void;
  /** The result of any request, as it came: agents put more in than the protocol names. */
  result(result: Fields): void;
  permission(params: Fields, signal: AbortSignal): Promise<Fields>;
  /** It does not read what it is sent. */
  deaf(): void;
  /** A message that is too long to be read: nobody knows what is in it. */
  lost(what: string): void;
  line(stream: "stdout" | "stderr", text: string): void;
}

/** A running agent and the connection to it. */
export interface Link {
  readonly pid: number;
  readonly agent: ClientContext;
  readonly ended: Promise<ProcessEnd>;
  /** How its process ended; undefined while it runs. Known before what was asked of it fails. */
  death(): ProcessEnd | undefined;
  /** The end of what it wrote to stderr. */
  errors(): string;
  /** Bytes it wrote in all. */
  written(): number;
  stop(how: How): void;
}

export interface LinkOptions {
  readonly request: SessionRequest;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Variables that hold it to its policy: they win over all. */
  readonly rules?: Readonly<Record<string, string>> | undefined;
  readonly warden: Warden | undefined;
  readonly jail?: AgentJail | undefined;
  readonly guard?: FileGuard | undefined;
  readonly log: OutputLog;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

/** The library of the protocol, loaded once. */
export function loadProtocol(): Promise<typeof import("@agentclientprotocol/sdk")> {
  return import("@agentclientprotocol/sdk");
}

/** Starts an agent and connects to it; nothing is said yet. */
export async function openLink(options: LinkOptions, sink: LinkSink): Promise<Result<Link, AgentFailure>> {
  const { request, warden, log } = options;
  const refused = unapproved(request.cwd, options.guard);
  if (refused !== undefined) return fail(refused);
  // Loading the protocol takes longer than starting a process: both at once.
  const library = loadProtocol();
  const errors = createByteTail(COMPLAINT_BYTES, request.mask?.());
  const incoming = createIncoming(sink);
  const errorLines = createLineSplitter({
    open: () => true,
    line: text => sink.line("stderr", text),
    skipped: () => {},
  });
  let written = 0;
  const program: Program = {
    file: options.file,
    args: options.args,
    cwd: request.cwd,
    channel: true,
    env: attemptEnv(
      { ...options.env, ...request.env, ...options.rules },
      { task: request.task, token: request.token, instance: warden?.instance },
    ),
  };
  const running = await runProcess(confine(program, request, options.jail), {
    // Turns keep their own time.
    limits: {
      wallMs: Number.POSITIVE_INFINITY,
      idleMs: Number.POSITIVE_INFINITY,
      graceMs: options.graceMs,
    },
    marker: attemptMarker(request.token),
    groups: warden,
    onOutput(stream, chunk) {
      written += chunk.length;
      log(stream, chunk);
      if (stream === "stdout") incoming.write(chunk);
      else {
        errors.push(chunk);
        errorLines.write(chunk);
      }
    },
  });
  if (!running.ok) return running;
  const { pid, input, ended, stop } = running.value;
  const { client } = await library;
  const connection: ClientConnection = client({ name: "espalier" })
    .onRequest("session/request_permission", async ({ params, signal }) => {
      const answer = await sink.permission(fields(params), signal);
      return answer as { outcome: { outcome: "cancelled" } };
    })
    .connect({
      readable: incoming.readable,
      writable: new WritableStream<AnyMessage>({
        write(message) {
          if ("method" in message && "id" in message) incoming.expect(message.id);
          input?.write(`${JSON.stringify(message)}\n`);
          if ((input?.writableLength ?? 0) > MOST_UNREAD) sink.deaf();
        },
      }),
    });
  let death: ProcessEnd | undefined;
  const over = ended.then(end => {
    death = end;
    incoming.end();
    errorLines.end();
    connection.close();
    return end;
  });
  const { agent } = connection;
  return {
    ok: true,
    value: {
      pid,
      agent,
      ended: over,
      death: () => death,
      errors: () => errors.wholeLines(),
      written: () => written,
      stop,
    },
  };
}

/** What an agent writes, as messages for the protocol library; updates and noise go their own way. */
function createIncoming(sink: LinkSink): {
  readonly readable: ReadableStream<AnyMessage>;
  /** A request was sent under this id. */
  expect(id: unknown): void;
  write(chunk: Uint8Array): void;
  end(): void;
} {
  const expected = new Set<unknown>();
  let open = true;
  let controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(given) {
      controller = given;
    },
    cancel() {
      open = false;
    },
  });
  const lines = createJsonLines({
    event(message) {
      const { method, id } = message;
      if (method === "session/update") sink.update(fields(message["params"]));
      // Other notifications mean nothing here, and about answers to nothing the library would print.
      const isAnswer = "result" in message || "error" in message;
      if (id === undefined || (typeof method !== "string" && !(isAnswer && expected.delete(id)))) return;
      // Nothing is answered with nothing: who reads an answer finds an object.
      const result = fields(message["result"]);
      if ("result" in message) sink.result(result);
      const whole = { ...message, ...("result" in message ? { result } : {}), jsonrpc: "2.0" };
      if (open) controller?.enqueue(whole as unknown as AnyMessage);
    },
    noise: line => sink.line("stdout", clipped(line, MOST_NOISE)),
    oversized: sink.lost,
  });
  return {
    readable,
    expect: id => expected.add(id),
    write: chunk => lines.write(chunk),
    end() {
      lines.end();
      if (open) controller?.close();
      open = false;
    },
  };
}
