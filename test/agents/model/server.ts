import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import { type Asked, nextStep, type Step } from "./scenario.ts";

/** A request's body. */
export type Body = Readonly<Record<string, unknown>>;

/** Tokens of one call; those from a cache are among those that were read, those of thoughts among those written. */
export interface Used {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly thought: number;
}

/** Bytes of instructions, tools and code for one token, as models count them. */
const BYTES_PER_TOKEN = 4;
/** Tokens that it thinks before each answer, where its way of talking can tell them. */
const THOUGHT = 7;

/** What a call takes by what was really sent, three quarters of it read before. */
function usedBy({ all = "" }: Asked, step: Step, { thinks }: Wire): Used {
  const input = Math.ceil(Buffer.byteLength(all) / BYTES_PER_TOKEN);
  const thought = thinks ? THOUGHT : 0;
  const written = Math.ceil(JSON.stringify(step).length / BYTES_PER_TOKEN);
  return { input, cached: Math.floor(input * 0.75), output: written + thought, thought };
}

/** One of the ways in which clients talk to models. */
export interface Wire {
  /** Its answers can tell how much was thought. */
  readonly thinks: boolean;
  /** True for requests in this way. */
  readonly takes: (path: string) => boolean;
  read(body: Body): Asked;
  /** The events of an answer, with what it says it used. */
  tell(
    step: Extract<Step, { do: "say" | "tool" | "cut" }>,
    used: Used,
  ): readonly { readonly event?: string; readonly data: unknown }[];
  refuse(step: Extract<Step, { do: "refuse" }>): unknown;
  readonly last?: string;
  /** What a request is told that wants no stream; undefined for one that does. */
  readonly whole?: (path: string) => unknown;
}

const WIRES: readonly Wire[] = [anthropic, responses, chat, gemini];

/** A model that plays scenarios, on loopback. */
export interface ModelServer {
  readonly port: number;
  readonly url: string;
  /** Every request to a model, oldest first. */
  readonly asked: Asked[];
  /** What whole answers of a conversation used together: those without tools, such as titles, are a client's own. */
  served(): Used;
  /** What else clients wanted. */
  readonly other: string[];
  /** Lets held answers go. */
  release(): void;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return {};
  }
}

function play(wire: Wire, step: Step, response: ServerResponse, whole: unknown, used: Used): void {
  if (step.do === "hang") return;
  if (step.do === "refuse") {
    response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
    response.end(JSON.stringify(wire.refuse(step)));
    return;
  }
  const events = wire.tell(step, used);
  if (whole !== undefined) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const shown = step.do === "cut" ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const { event, data } of shown) {
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  }
  if (step.do === "cut") setTimeout(() => response.destroy(), 20);
  else response.end(wire.last ?? "");
}

/** Starts the model server on a free port. */
export async function startModel(): Promise<ModelServer> {
  const asked: Asked[] = [];
  const other: string[] = [];
  const served: Used[] = [];
  const released = Promise.withResolvers<void>();
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const body = await bodyOf(request);
    const wire = WIRES.find(each => request.method === "POST" && each.takes(path));
    if (wire === undefined) {
      other.push(`${request.method} ${path}`);
      const isCount = path.endsWith("/count_tokens");
      response.writeHead(isCount ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(isCount ? { input_tokens: 10 } : { data: [], models: [] }));
      return;
    }
    const question = { ...wire.read(body), all: JSON.stringify(body), at: performance.now() };
    asked.push(question);
    const step = nextStep(question);
    if ((step.do === "say" || step.do === "tool") && step.held === true) await released.promise;
    const used = usedBy(question, step, wire);
    const isWhole = step.do === "say" || step.do === "tool";
    if (isWhole && question.tools.length > 0) served.push(used);
    play(wire, step, response, wire.whole?.(path), used);
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    served() {
      const sum = (name: keyof Used) => served.reduce((total, one) => total + one[name], 0);
      return { input: sum("input"), cached: sum("cached"), output: sum("output"), thought: sum("thought") };
    },
    other,
    release: released.resolve,
    close() {
      released.resolve();
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
