import { type Fields, fields, list, text, tokens } from "./fields.ts";
import { isOwn } from "./json-whose.ts";

/** An output in the one shape that is read: events that say what they are, words and counts under usual names. */
export interface UsualShape {
  readonly events: readonly Fields[];
  /** What calls of a model used, where they are told one by one; what stands in events is told of the whole. */
  readonly calls: readonly Fields[];
}

/** Where the events of an output go. */
interface Into {
  readonly events: Fields[];
  /** By call: services repeat a count that grows. */
  readonly calls: Map<string, Fields>;
  /** The pieces of messages that are told bit by bit, by call. */
  readonly open: Map<string, Piece>;
  /** A message that goes on where the next event has its id and role. */
  joins:
    | { readonly id: unknown; readonly role: unknown; readonly content: unknown[]; readonly at: number }
    | undefined;
}

interface Piece {
  role: string;
  content: string;
  readonly at: number;
}

/** Takes an event of the shape it knows; false for any other. */
type Shape = (event: Fields, into: Into) => boolean;

/**
 * Brings answers of model services, and of programs that have a shape of their own, to the usual one. What says of itself that it
 * is not the agent's own stays as it is: a shape would take that from what is in it.
 */
export function inUsualShape(raw: readonly Fields[]): UsualShape {
  const into: Into = { events: [], calls: new Map(), open: new Map(), joins: undefined };
  const isStreamed = raw.some(event => text(fields(event["response"])["object"]) === "response");
  const shapes = isStreamed ? [streamedResponse, ...SHAPES] : SHAPES;
  for (const event of raw)
    if (!isOwn(event) || !shapes.some(shape => shape(event, into))) into.events.push(event);
  for (const each of into.open.values()) close(each, into);
  return { events: into.events, calls: [...into.calls.values()] };
}

function close({ role, content, at }: Piece, { events }: Into): void {
  events[at] = { type: "message", role: role || "assistant", content };
}

/** A piece of a message that goes on until its call ends, or another one than who began it speaks. */
function piece(id: string, role: string, content: string, into: Into): void {
  const { events, open } = into;
  const known = open.get(id);
  const isAnother = role !== "" && known !== undefined && known.role !== "" && known.role !== role;
  if (isAnother) close(known, into);
  else if (known !== undefined) {
    known.content += content;
    known.role ||= role;
    return;
  }
  open.set(id, { role, content, at: events.length });
  events.push({});
}

/** OpenAI's chat completions, whole or in chunks. */
const chatCompletion: Shape = (event, into) => {
  const object = text(event["object"]);
  if (object !== "chat.completion" && object !== "chat.completion.chunk") return false;
  const id = text(event["id"]) || `${into.events.length}`;
  const first = list(event["choices"])
    .map(fields)
    .find(choice => (choice["index"] ?? 0) === 0);
  const { message, delta } = first ?? {};
  if (object === "chat.completion")
    into.events.push({ type: "message", role: "assistant", ...fields(message) });
  else piece(`chat ${id}`, text(fields(delta)["role"]), text(fields(delta)["content"]), into);
  if (tokens(fields(event["usage"])["prompt_tokens"]) !== undefined)
    into.calls.set(`chat ${id}`, fields(event["usage"]));
  return true;
};

/** A response of OpenAI's Responses interface. */
const response: Shape = (event, into) => {
  if (event["object"] !== "response") return false;
  for (const item of list(event["output"])) into.events.push(fields(item));
  into.calls.set(`response ${text(event["id"])}`, fields(event["usage"]));
  return true;
};

/** The same as a stream: what is whole in the end is told in pieces before. */
const streamedResponse: Shape = (event, into) => {
  const type = text(event["type"]);
  if (!type.startsWith("response.")) return false;
  const id = `response ${text(event["item_id"])}`;
  if (type === "response.output_text.delta") piece(id, "", text(event["delta"]), into);
  else if (["response.completed", "response.incomplete", "response.failed"].includes(type)) {
    into.open.clear();
    response(fields(event["response"]), into);
  }
  return true;
};

/** Ollama's chats and generations: pieces until one says that it is done. */
const ollama: Shape = (event, into) => {
  const { model, message, done } = event;
  if (typeof done !== "boolean" || text(model) === "" || text(event["type"]) !== "") return false;
  const { role, content } = fields(message);
  const id = `ollama ${into.calls.size}`;
  piece(id, text(role), text(content) || text(event["response"]), into);
  if (done)
    into.calls.set(id, { input_tokens: event["prompt_eval_count"], output_tokens: event["eval_count"] });
  return true;
};

/** Codex, as `exec --json` was before it told of items. */
const codexMessage: Shape = (event, { events }) => {
  const told = fields(event["msg"]);
  const type = text(told["type"]);
  if (type === "" || text(event["type"]) !== "") return false;
  const whole = fields(fields(told["info"])["total_token_usage"]);
  if (type === "token_count") events.push({ type, usage: Object.keys(whole).length > 0 ? whole : told });
  else if (type === "task_complete") events.push({ type, result: told["last_agent_message"] });
  // It is told whole, too.
  else if (!type.endsWith("_delta")) events.push(told);
  return true;
};

/** A part of a message, which goes on with the event before where that has its id and role; false for anything else. */
function joined(event: Fields, into: Into): boolean {
  const message = fields(event["message"]);
  const { id, role, content: parts } = message;
  if (text(id) === "" || !Array.isArray(parts) || !isOwn(message)) return false;
  const { events, joins: before } = into;
  if (before?.at === events.length - 1 && before.id === id && before.role === role)
    for (const part of parts) before.content.push(part);
  else {
    const content = [...list(parts)];
    into.joins = { id, role, content, at: events.length };
    events.push({ ...event, message: { ...message, content } });
  }
  return true;
}

/** Goose: all messages at once, or one an event, then what the session used. */
const goose: Shape = (event, into) => {
  const { events } = into;
  const type = text(event["type"]);
  if (type === "complete" && "total_tokens" in event) events.push({ type, usage: event });
  else if (type === "" && list(event["messages"]).length > 0 && "total_tokens" in fields(event["metadata"])) {
    for (const message of list(event["messages"])) events.push(fields(message));
    events.push({ type: "complete", usage: fields(event["metadata"]) });
  } else if (type !== "message" || !joined(event, into)) return false;
  return true;
};

const SHAPES: readonly Shape[] = [chatCompletion, response, ollama, codexMessage, goose];

/** The statistics of Gemini CLI under usual names: by model in one object, summed up in an event. */
export function countsInStats(stats: Fields): Fields {
  const models = Object.values(fields(stats["models"])).map(model => fields(fields(model)["tokens"]));
  const sum = (name: string) => models.reduce((all, model) => all + (tokens(model[name]) ?? 0), 0);
  const { input_tokens, output_tokens, cached } = stats;
  const [read, written, all] = [input_tokens, output_tokens, stats["total_tokens"]].map(tokens);
  if (read !== undefined && written !== undefined) {
    // What was thought stands in the sum alone.
    const thought = Math.max(0, (all ?? 0) - read - written);
    return {
      input_tokens: read,
      output_tokens: written + thought,
      cached_input_tokens: cached,
      reasoning_output_tokens: thought,
    };
  }
  if (sum("prompt") === 0) return {};
  return {
    input_tokens: sum("prompt") + sum("tool"),
    output_tokens: sum("candidates") + sum("thoughts"),
    cached_input_tokens: sum("cached"),
    reasoning_output_tokens: sum("thoughts"),
  };
}
