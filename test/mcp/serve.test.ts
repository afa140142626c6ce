import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { type Duties, serveMcp } from "../../src/mcp/index.ts";
import { lineTransport } from "../../src/mcp/line-transport.ts";

interface Reply {
  readonly id: number | string | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: unknown;
}

/** A server over two streams in memory, and the lines it has written. */
function open(duties: Duties, pulseMs?: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: string[] = [];
  const waiters = new Set<() => void>();
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop()!;
    lines.push(...parts);
    for (const look of waiters) look();
  });
  const pulse = pulseMs === undefined ? {} : { pulseMs };
  const ended = serveMcp({ role: "lead", duties, version: "1.2.3", input, output, ...pulse });
  return {
    input,
    output,
    lines,
    ended,
    send: (...messages: readonly unknown[]) =>
      input.write(messages.map(one => `${JSON.stringify(one)}\n`).join("")),
    replies: (count: number) =>
      new Promise<Reply[]>(resolve => {
        const look = () => {
          if (lines.length < count) return;
          waiters.delete(look);
          resolve(lines.map(line => JSON.parse(line) as Reply));
        };
        waiters.add(look);
        look();
      }),
  };
}

const LONG = "x".repeat(5 * 1024 * 1024);
const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const callOf = (id: number, name: string, args: unknown = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

const open_ = new Set<ReturnType<typeof open>>();
function started(duties: Duties = {}) {
  const server = open(duties);
  open_.add(server);
  return server;
}
afterEach(async () => {
  for (const server of open_) {
    server.input.end();
    await server.ended;
  }
  open_.clear();
});

describe("the server", () => {
  it("[P9] says who it is and what it is for, and lists its tools with what changes nothing", async () => {
    const server = started();
    server.send(
      HELLO,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    );
    const [hello, list] = await server.replies(2);
    expect(hello?.result).toMatchObject({ serverInfo: { name: "espalier", version: "1.2.3" } });
    expect(hello?.result).toMatchObject({ instructions: expect.stringContaining("next_tasks") });
    const { tools } = list!.result as { tools: { name: string; annotations: { readOnlyHint: boolean } }[] };
    expect(tools).toHaveLength(10);
    const reading = tools.filter(({ annotations }) => annotations.readOnlyHint);
    expect(reading.map(({ name }) => name)).toEqual(["status", "get_context"]);
  });

  it("talks to a client of the protocol", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const ended = serveMcp({
      role: "lead",
      duties: { next_tasks: () => Promise.resolve("READY:T1.1") },
      version: "1",
      input,
      output,
    });
    const client = new Client({ name: "t", version: "1" });
    await client.connect(lineTransport(output, input));
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    expect(await client.callTool({ name: "next_tasks", arguments: {} })).toMatchObject({
      content: [{ type: "text", text: "READY:T1.1" }],
    });
    await client.close();
    input.end();
    await ended;
  });

  it("[P4] carries calls out one after another", async () => {
    const order: string[] = [];
    let release = () => {};
    const gate = new Promise<void>(resolve => {
      release = resolve;
    });
    const server = started({
      async start_task({ id }) {
        order.push(`begin ${id}`);
        if (id === "a") await gate;
        order.push(`end ${id}`);
        return id;
      },
    });
    server.send(HELLO, callOf(2, "start_task", { id: "a" }), callOf(3, "start_task", { id: "b" }));
    await server.replies(1);
    release();
    await server.replies(3);
    expect(order).toEqual(["begin a", "end a", "begin b", "end b"]);
  });

  it.each([
    ["no JSON", "{half", -32_700, null],
    ["no object", "7", -32_600, null],
    [
      "a batch of 10,000",
      JSON.stringify(Array.from({ length: 10_000 }, (_, id) => callOf(id, "stop"))),
      -32_600,
      null,
    ],
    ["an empty batch", "[]", -32_600, null],
    ["id null", '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32_600, null],
    ["no version", '{"id":7,"method":"tools/list"}', -32_600, 7],
    ["5 MiB in a line", `{"jsonrpc":"2.0","id":7,"method":"${LONG}"}`, -32_600, 7],
    ["5 MiB with its id at the end", `{"method":"${LONG}","jsonrpc":"2.0","id":"a-7"}`, -32_600, "a-7"],
    ["5 MiB with its id at the end but one", `{"method":"${LONG}", "id": 7, "jsonrpc": "2.0"}`, -32_600, 7],
    [
      "5 MiB that only speak of an id",
      `{"method":"${LONG}","params":{"a":"\\",\\"id\\":7}"}}`,
      -32_600,
      null,
    ],
    ["5 MiB that are no JSON", LONG, -32_600, null],
  ])("[P5] answers %s with an error and goes on", async (_, line, code, id) => {
    const server = started({ stop: () => Promise.resolve("STOPPED") });
    server.send(HELLO);
    await server.replies(1);
    server.input.write(`${line}\n`);
    server.send(callOf(9, "stop"));
    const [, error, answer] = await server.replies(3);
    expect(error).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
    expect(answer).toMatchObject({ id: 9, result: { content: [{ text: "STOPPED" }] } });
    expect(server.lines).toHaveLength(3);
  });

  it("[P5] answers unknown methods", async () => {
    const server = started();
    server.send(HELLO, { jsonrpc: "2.0", id: 2, method: "tools/explode" });
    const replies = await server.replies(2);
    expect(replies.find(({ id }) => id === 2)).toMatchObject({ error: { code: -32_601 } });
  });

  it("[P5] reads messages cut anywhere, with CRLF and blank lines between", async () => {
    const server = started({ stop: () => Promise.resolve("가😀") });
    const bytes = Buffer.from(`\r\n${JSON.stringify(HELLO)}\r\n\n${JSON.stringify(callOf(2, "stop"))}\n`);
    for (const byte of bytes) server.input.write(Buffer.from([byte]));
    expect((await server.replies(2))[1]).toMatchObject({ id: 2, result: { content: [{ text: "가😀" }] } });
  });

  it("[P3] marks refusals as errors", async () => {
    const server = started();
    server.send(HELLO, callOf(2, "explode"), callOf(3, "start_task", { id: 1 }));
    const [, one, two] = await server.replies(3);
    expect(one).toMatchObject({ result: { isError: true, content: [{ text: "NO_SUCH_TOOL: explode" }] } });
    expect(two).toMatchObject({ result: { isError: true } });
  });

  it("[P11] takes a last line that no line break ends", async () => {
    const server = open({ stop: () => Promise.resolve("STOPPED") });
    server.send(HELLO);
    server.input.end(JSON.stringify(callOf(2, "stop")));
    await server.ended;
    expect(server.lines.map(line => JSON.parse(line) as Reply)[1]).toMatchObject({
      id: 2,
      result: { content: [{ text: "STOPPED" }] },
    });
  });

  it("[P12] takes null for what a request leaves out", async () => {
    const server = started({ stop: () => Promise.resolve("STOPPED") });
    const call = { name: "stop", arguments: null, _meta: null };
    server.send(
      HELLO,
      { jsonrpc: "2.0", id: 2, method: "tools/list", params: null },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: call },
      { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: null } },
    );
    const replies = await server.replies(4);
    const answer = (id: number) => replies.find(one => one.id === id);
    expect(answer(2)).toHaveProperty("result.tools");
    expect(answer(3)).toMatchObject({ result: { content: [{ text: "STOPPED" }] } });
    expect(answer(4)).toMatchObject({ error: { code: -32_602 } });
  });

  it("[P17] takes null deeper in a request, too, and leaves a tool's arguments to the tool", async () => {
    const told: unknown[] = [];
    const server = started({
      start_task: ({ id }) => {
        told.push(id);
        return Promise.resolve("x");
      },
    });
    const nothing = { roots: null, elicitation: { form: null } };
    const client = { name: "t", version: "1", title: null };
    const call = { name: "start_task", arguments: { id: "null" }, _meta: { progressToken: null } };
    server.send(
      { ...HELLO, params: { ...HELLO.params, capabilities: nothing, clientInfo: client } },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
      `{"jsonrpc":"2.0","id":3,"method":"ping","params":${'{"a":'.repeat(50_000)}null${"}".repeat(50_000)}}`,
    );
    const replies = await server.replies(3);
    expect(replies.find(({ id }) => id === 1)).toHaveProperty("result.serverInfo");
    expect(replies.find(({ id }) => id === 2)).toMatchObject({ result: { content: [{ text: "x" }] } });
    expect(told).toEqual(["null"]);
  });

  it("[P18] tells no progress of a call that was taken back", async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const server = open({ start_task: () => gate.then(() => "x") }, 1);
    open_.add(server);
    const waiting = callOf(3, "start_task", { id: "b" });
    const asking = { ...waiting, params: { ...waiting.params, _meta: { progressToken: "p" } } };
    server.send(HELLO, callOf(2, "start_task", { id: "a" }), asking);
    await server.replies(2);
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
    await new Promise(resolve => setTimeout(resolve, 20));
    const before = server.lines.length;
    await new Promise(resolve => setTimeout(resolve, 50));
    release();
    expect(server.lines.slice(before)).toEqual([]);
  });

  it("[P13] does not begin a call that its client has taken back", async () => {
    const begun: string[] = [];
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const server = started({
      async start_task({ id }) {
        begun.push(id);
        if (id === "a") await gate;
        return id;
      },
    });
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } };
    const [a, b, c] = ["a", "b", "c"].map((id, at) => callOf(at + 2, "start_task", { id }));
    server.send(HELLO, a, b, cancelled, c);
    await server.replies(1);
    await new Promise(setImmediate);
    release();
    expect((await server.replies(3)).map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(begun).toEqual(["a", "c"]);
  });

  it("[P14] tells a client that asks for it that a call goes on, until it is answered", async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const server = open({ report: () => gate.then(() => "COMPLETED:a") }, 1);
    open_.add(server);
    const call = callOf(2, "report", { id: "a", signal: "DONE:a" });
    server.send(HELLO, { ...call, params: { ...call.params, _meta: { progressToken: "p" } } });
    const [, first, second] = await server.replies(3);
    const told = (progress: number) => ({
      method: "notifications/progress",
      params: { progressToken: "p", progress },
    });
    expect([first, second]).toMatchObject([told(1), told(2)]);
    release();
    server.input.end();
    await server.ended;
    expect(JSON.parse(server.lines.at(-1)!)).toMatchObject({ id: 2 });
  });

  it("[P7] ends with its input, after what has begun", async () => {
    let release = () => {};
    let done = false;
    const server = open({
      async stop() {
        await new Promise<void>(resolve => {
          release = resolve;
        });
        done = true;
        return "x";
      },
    });
    server.send(HELLO, callOf(2, "stop"));
    await server.replies(1);
    await new Promise(setImmediate);
    server.input.end();
    release();
    await server.ended;
    expect(done).toBe(true);
  });
});
