/** An agent of the Agent Client Protocol that breaks its rules in the way that its argument names. */
import { createInterface } from "node:readline";

const [way = "", times = "1000"] = process.argv.slice(2);
const FLOOD = Number(times);
type Message = { id?: unknown; method?: string; params?: { prompt?: { text: string }[] } };

const write = (text: string) => process.stdout.write(text);
const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answer = (id: unknown, result: unknown) => send({ id, result });
const update = (body: object, sessionId = "s-1") =>
  send({ method: "session/update", params: { sessionId, update: body } });
const say = (text: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const begin = (toolCallId: string, kind = "read") =>
  update({ sessionUpdate: "tool_call", toolCallId, title: "at work", kind, status: "in_progress" });
const OPTIONS = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const ask = (
  id: unknown,
  toolCall: object = { toolCallId: `t${String(id)}`, kind: "execute", title: "make" },
) =>
  send({
    id,
    method: "session/request_permission",
    params: { sessionId: "s-1", toolCall, options: OPTIONS },
  });
const end = (id: unknown, more: object = {}) => {
  say("DONE");
  answer(id, { stopReason: "end_turn", ...more });
};

/** Writes it again and again, as fast as it is taken. */
function flood(text: (at: number) => string, times: number, done: () => void): void {
  let at = 0;
  const more = () => {
    while (at < times) {
      at += 1;
      if (!write(text(at))) return void process.stdout.once("drain", more);
    }
    done();
  };
  more();
}

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const updateLine = (body: object) =>
  line({ method: "session/update", params: { sessionId: "s-1", update: body } });

/** What a prompt does. */
const TURNS: Readonly<Record<string, (id: unknown) => void>> = {
  "floods with thoughts"(id) {
    const thought = {
      sessionUpdate: "agent_thought_chunk",
      content: { type: "text", text: "x".repeat(200) },
    };
    flood(
      () => updateLine(thought),
      FLOOD,
      () => end(id),
    );
  },
  "floods with tool calls"(id) {
    const call = (at: number) => ({
      sessionUpdate: "tool_call",
      toolCallId: `t${at}`,
      title: `reads ${"x".repeat(150)}`,
      kind: "read",
      status: at % 2 === 0 ? "completed" : "in_progress",
    });
    flood(
      at => updateLine(call(at)),
      FLOOD,
      () => end(id),
    );
  },
  "floods with counts"(id) {
    const count = (at: number) => ({ sessionUpdate: "usage_update", used: at, size: 1_000_000 });
    flood(
      at => updateLine(count(at)),
      FLOOD,
      () => end(id),
    );
  },
  "floods with requests nobody knows"(id) {
    flood(
      at => line({ id: `r${at}`, method: "fs/read_text_file", params: { path: "/etc/passwd" } }),
      FLOOD,
      () => end(id),
    );
  },
  "asks and does not read the answers"() {
    process.stdin.removeAllListeners("data").pause();
    const question = { method: "fs/read_text_file", params: { path: "/etc/passwd" } };
    flood(
      at => line({ id: `r${at}`, ...question }),
      1_000_000,
      () => {},
    );
  },
  "asks 1,000 permissions a second"() {
    let at = 0;
    setInterval(() => {
      for (let each = 0; each < 20; each++) ask(`p${at++}`);
    }, 20);
  },
  "names its calls by a megabyte"(id) {
    for (let at = 0; at < 40; at++) begin(`${at}${"i".repeat(1 << 20)}`);
    end(id);
  },
  "answers before it is asked"(id) {
    for (const early of [(id as number) + 1, (id as number) + 2, 77])
      answer(early, { stopReason: "end_turn" });
    end(id);
  },
  "answers twice"(id) {
    end(id);
    answer(id, { stopReason: "refusal" });
    answer(id, { stopReason: "end_turn" });
  },
  "asks after its end"(id) {
    end(id);
    setTimeout(() => ask("late"), 30);
  },
  "changes ids"(id) {
    begin("a", "edit");
    update({ sessionUpdate: "tool_call_update", toolCallId: "b", status: "completed" });
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "DONE" } }, "s-2");
    answer(String(id), { stopReason: "refusal" });
    answer(id, { stopReason: "end_turn" });
  },
  "sends 64 MB in one line"(id) {
    say("x".repeat(64 << 20));
    end(id);
  },
  "answers in one line of 64 MB"(id) {
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"stopReason":"end_turn","_meta":{"x":"`,
    );
    for (let mib = 0; mib < 64; mib++) process.stdout.write("x".repeat(1 << 20));
    process.stdout.write('"}}}\n');
  },
  "sends what is not UTF-8"(id) {
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x80, 0x0a]));
    const head = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":';
    process.stdout.write(`${head}{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a`);
    process.stdout.write(Buffer.from([0xc3, 0x28, 0xff]));
    process.stdout.write('b\\n"}}}}\n');
    end(id);
  },
  "dies in the middle of a tool call"() {
    begin("t1", "execute");
    process.stderr.write("panic: index out of range\n");
    setTimeout(() => process.exit(101), 20);
  },
  "counts what cannot be"(id) {
    for (const used of [-5, 1e300, "many", null, Number.NaN])
      update({ sessionUpdate: "usage_update", used, size: used, cost: { amount: used, currency: "USD" } });
    end(id, { usage: { inputTokens: -100, outputTokens: 1e18, totalTokens: -1, cachedReadTokens: "all" } });
  },
  "counts less than nothing read"(id) {
    end(id, { usage: { inputTokens: -1_000, outputTokens: 500, totalTokens: -500 } });
  },
  "counts more than there is"(id) {
    end(id, { usage: { inputTokens: 9e15, outputTokens: 1, totalTokens: 9e15 } });
  },
  "counts less than nothing cached"(id) {
    end(id, { usage: { inputTokens: 20, outputTokens: 5, totalTokens: -1, cachedReadTokens: -1 } });
  },
  "counts what it wrote alone"(id) {
    end(id, { usage: { outputTokens: 500 } });
  },
  "nests a million deep"(id) {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    write(
      `{"jsonrpc":"2.0","id":"deep","method":"session/request_permission","params":{"sessionId":"s-1","options":${JSON.stringify(OPTIONS)},"toolCall":{"toolCallId":"t","kind":"execute","rawInput":${deep}}}}\n`,
    );
    write(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"tool_call","toolCallId":"t","rawInput":${deep}}}}\n`,
    );
    end(id);
  },
  "ends without a word of why"(id) {
    answer(id, null);
  },
};

const HELLO = { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
/** What it says when it is greeted, where that is not as it should be. */
const HELLOS: Readonly<Record<string, unknown>> = {
  "speaks version 7": { ...HELLO, protocolVersion: 7 },
  "tells no version": {},
  "tells a version in words": { protocolVersion: "x".repeat(5_000), agentCapabilities: 7 },
  "greets with nothing": null,
};
/** What it opens a session with. */
const SESSIONS: Readonly<Record<string, unknown>> = {
  "names no session": {},
  "names a session by a number": { sessionId: 7 },
  "names a session by a megabyte": { sessionId: "s".repeat(1 << 20) },
  "opens nothing": null,
};

const HANDLERS: Readonly<Record<string, (message: Message) => void>> = {
  initialize({ id }) {
    if (way === "never answers initialize") return;
    answer(id, Object.hasOwn(HELLOS, way) ? HELLOS[way] : HELLO);
    if (way === "answers twice") answer(id, { protocolVersion: 9 });
  },
  "session/new"({ id }) {
    answer(id, Object.hasOwn(SESSIONS, way) ? SESSIONS[way] : { sessionId: "s-1" });
  },
  "session/prompt"({ id }) {
    (TURNS[way] ?? end)(id);
  },
};

createInterface({ input: process.stdin }).on("line", text => {
  const message = JSON.parse(text) as Message;
  if (message.method !== undefined) return HANDLERS[message.method]?.(message);
  process.stderr.write(`answered ${text}\n`);
});
