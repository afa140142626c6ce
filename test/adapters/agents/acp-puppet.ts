/** An agent of the Agent Client Protocol that behaves as its first argument says; notes what it was asked in a file. */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [behaviour = "", notes = ""] = process.argv.slice(2);
type Params = { sessionId?: string; prompt?: { text: string }[] };
type Outcome = { outcome: unknown };
type Message = { id?: unknown; method?: string; params?: Params; result?: Outcome };

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
const answer = (id: unknown, result: unknown) => send({ id, result });
const refuse = (id: unknown, code: number, message: string, data?: unknown) =>
  send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
const update = (body: object) =>
  send({ method: "session/update", params: { sessionId: "s-1", update: body } });
const say = (text: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

let asked = 0;
const waiting = new Map<unknown, (result: Outcome) => void>();
function ask(
  kind: string | undefined,
  title: string | null,
  more: object,
  isAnnounced: boolean,
): Promise<Outcome> {
  const known = { toolCallId: `t${asked + 1}`, kind };
  if (isAnnounced) update({ sessionUpdate: "tool_call", ...known, title });
  return request(isAnnounced ? known : { ...known, title, ...more });
}

function request(toolCall: object): Promise<Outcome> {
  asked += 1;
  const id = `ask-${asked}`;
  const options = [
    { optionId: "always", name: "Always", kind: "allow_always" },
    { optionId: "once", name: "Once", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  send({ id, method: "session/request_permission", params: { sessionId: "s-1", toolCall, options } });
  return new Promise(resolve => waiting.set(id, resolve));
}

const MODELS = {
  id: "model",
  name: "Model",
  category: "model",
  type: "select",
  currentValue: "small",
  options: [
    { group: "g", name: "G", options: [{ value: "small", name: "S" }] },
    { value: "large", name: "L" },
  ],
};

const select = (id: string, category: string, ...values: readonly [string, string][]) => ({
  id,
  name: id,
  category,
  type: "select",
  currentValue: values[0]?.[0],
  options: values.map(([value, name]) => ({ value, name })),
});
const CHOICES = [
  select(
    "llm",
    "model",
    ["claude-haiku-4-5", "Haiku"],
    ["claude-opus-5", "Opus"],
    ["claude-opus-4", "Opus 4"],
  ),
  select("thinking", "thought_level", ["low", "Low"], ["high", "High"]),
  select("style", "mode", ["code", "Code"], ["plan", "Plan"]),
];

let prompts = 0;
let prompting: unknown;

/** What a prompt does, by behaviour; the others say `DONE`. */
const TURNS: Readonly<Record<string, (id: unknown, text: string) => void | Promise<void>>> = {
  tells(id) {
    const { ONE, TWO, RULE } = process.env;
    say(JSON.stringify({ ONE, TWO, RULE }));
    answer(id, { stopReason: "end_turn" });
  },
  dies(_id) {
    say("I am about to");
    process.stderr.write("fatal: out of luck\n");
    setTimeout(() => process.exit(3), 20);
  },
  killed(_id) {
    process.kill(process.pid, "SIGKILL");
  },
  deaf(id) {
    prompting = id;
    say("I do not listen\n");
  },
  hangs(id) {
    prompting = id;
    say("I am at it\n");
  },
  chatters(id) {
    prompting = id;
    setInterval(() => update({ sessionUpdate: "notice", message: "still trying to connect" }), 50);
  },
  stuck(id) {
    prompting = id;
    const error = { message: "Reconnecting", additionalDetails: "last status: 429 Too Many Requests" };
    setInterval(() => update({ sessionUpdate: "session_info_update", _meta: { x: { error } } }), 50);
  },
  broken(id) {
    update({ sessionUpdate: "session_info_update", _meta: { x: { threadStatus: { type: "systemError" } } } });
    say("unexpected status 529: Overloaded");
    answer(id, { stopReason: "end_turn" });
  },
  async asks(id, text) {
    const [kind = "execute", title = "npm test", path = "", how = ""] = text.split("|");
    const more = path === "" ? {} : { locations: [{ path }] };
    const result = await ask(kind, title, more, how === "announced");
    say(JSON.stringify(result.outcome));
    answer(id, { stopReason: "end_turn" });
  },
  /** Announces a call, asks with its id alone, and says what it was answered. */
  async terse(id, text) {
    const [kind = "", path = ""] = text.split("|");
    const announced = { toolCallId: "t1", kind, title: `Write ${path}`, locations: [{ path }] };
    update({ sessionUpdate: "tool_call", ...announced, status: "pending" });
    const result = await ask(undefined, null, {}, false);
    say(JSON.stringify(result.outcome));
    answer(id, { stopReason: "end_turn" });
  },
  /** Plays the steps it is given: `tell` sends an update of a call, `ask` waits for the answer to a request about one. */
  async plays(id, text) {
    const { steps, stopReason = "end_turn" } = JSON.parse(text);
    for (const { tell, ask: toolCall } of steps) {
      if (tell !== undefined) update({ sessionUpdate: "tool_call_update", ...tell });
      else await request(toolCall);
    }
    say("DONE");
    setTimeout(() => answer(id, { stopReason }), 50);
  },
  /** Its login is refused once it is to work. */
  late(id) {
    refuse(id, -32000, "Please log in");
  },
  noise(id) {
    process.stdout.write('Loading…\n{"jsonrpc":"2.0","method":\n[1,2,3]\n"hello"\n\n');
    send({ method: "_x/unknown", params: { any: 1 } });
    send({ id: 999, result: {} });
    update({ sessionUpdate: "hologram", shape: 7 });
    update({ sessionUpdate: "agent_message_chunk", content: { type: "image" } });
    update({});
    say("DONE");
    answer(id, { stopReason: "end_turn" });
  },
  huge(id) {
    update({ sessionUpdate: "tool_call", toolCallId: "t", title: "read", rawOutput: "x".repeat(20 << 20) });
    say("DONE");
    answer(id, { stopReason: "end_turn" });
  },
  /** Employed by a run: does nothing without a permission, and fails where it is not given. */
  async needs(id, text) {
    const { outcome } = await request({
      toolCallId: "t1",
      kind: "execute",
      rawInput: { command: "make it" },
    });
    const isAllowed = (outcome as { optionId?: string }).optionId === "once";
    const signal = /followed at once by `([^`]+)`/.exec(text)?.[1] ?? "";
    say(isAllowed ? `DONE:${signal}` : `FAIL:${signal}:nobody let me`);
    answer(id, { stopReason: "end_turn" });
  },
  /** Tells of what stands against it as if it said it. */
  worded(id) {
    say("Error: 429 too many requests");
    answer(id, { stopReason: "end_turn" });
  },
  /** Works like one that a run employs: acknowledges what it is sent and ends with its signal. */
  async works(id, text) {
    await new Promise(resolve =>
      setTimeout(resolve, prompts === 1 ? Number(process.env["WORK_MS"] ?? 0) : 0),
    );
    const acks = text
      .split("\n")
      .filter(line => line.startsWith("  [ACK-UPDATE]"))
      .map(line => line.replace(/<(NONE|CONTINUE)[^>]*>/g, "$1"));
    const signal = /followed at once by `([^`]+)`/.exec(text)?.[1] ?? "";
    say([...acks.map(line => line.trim()), `DONE:${signal}`].join("\n"));
    answer(id, { stopReason: "end_turn" });
  },
  quota: id =>
    refuse(id, -32603, "Internal error", { details: "Usage limit reached. Try again in 3 hours." }),
  tokens: id => answer(id, { stopReason: "max_tokens" }),
  turns: id => answer(id, { stopReason: "max_turn_requests" }),
  refuses: id => answer(id, { stopReason: "refusal" }),
  odd: id => answer(id, { stopReason: "whatever" }),
};

const LOGINS = [
  { id: "web", name: "Sign in with Puppet", description: "Run `puppet login`\nin a terminal" },
  { id: "key", name: "Use a key", description: null },
  { id: "again", name: "Authentication" },
  { name: 7 },
];

const HANDLERS: Readonly<Record<string, (message: Message) => void>> = {
  initialize({ id }) {
    if (behaviour === "silent") return;
    if (behaviour === "babbles") return void setInterval(() => process.stdout.write("I am no agent\n"), 20);
    const sessionCapabilities = behaviour === "loads" ? {} : { resume: {} };
    answer(id, {
      protocolVersion: behaviour === "future" ? 2 : 1,
      agentCapabilities: behaviour === "forgets" ? {} : { loadSession: true, sessionCapabilities },
      authMethods: behaviour === "offers" || behaviour === "late" ? LOGINS : [],
    });
  },
  "session/new"({ id }) {
    if (behaviour === "auth" || behaviour === "offers") return refuse(id, -32000, "Authentication required");
    const older = {
      models: {
        currentModelId: "small",
        availableModels: [
          { modelId: "small", name: "S" },
          { modelId: "haiku", name: "H" },
        ],
      },
      modes: { currentModeId: "code", availableModes: [{ id: "code", name: "C" }] },
    };
    answer(id, {
      sessionId: "s-1",
      ...(behaviour === "models" ? { configOptions: [MODELS] } : {}),
      ...(behaviour === "chooses" ? { configOptions: CHOICES } : {}),
      ...(behaviour === "older" ? older : {}),
    });
  },
  "session/load"({ id }) {
    say("what was said long ago");
    answer(id, {});
  },
  "session/resume": ({ id, params }) =>
    params?.sessionId === "s-1" ? answer(id, {}) : refuse(id, -32002, "Resource not found"),
  "session/set_mode": ({ id }) => answer(id, {}),
  "session/set_model": ({ id }) => answer(id, {}),
  "session/set_config_option": ({ id }) => answer(id, { configOptions: [MODELS] }),
  "session/cancel"() {
    if (behaviour !== "deaf") answer(prompting, { stopReason: "cancelled" });
  },
  "session/prompt"({ id, params }) {
    prompts += 1;
    const text = params?.prompt?.[0]?.text ?? "";
    const turn = TURNS[behaviour];
    if (turn !== undefined) return void turn(id, text);
    say(`${prompts}: ${text}`);
    answer(id, { stopReason: "end_turn" });
  },
};

createInterface({ input: process.stdin }).on("line", line => {
  const message = JSON.parse(line) as Message;
  appendFileSync(notes, `${line}\n`);
  if (message.method === undefined) waiting.get(message.id)?.(message.result ?? { outcome: null });
  else HANDLERS[message.method]?.(message);
});
if (behaviour === "deaf") process.on("SIGTERM", () => {});
