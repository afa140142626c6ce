import type { AgentUsage } from "../../../ports/index.ts";
import type { EventQueue } from "../event-queue.ts";
import { defined, dollars, type Fields, fields, list, oneLine, text, tokens } from "../fields.ts";
import { toolKind } from "../permissions.ts";
import type { Said } from "../said-lines.ts";
import type { ToolCall } from "../tool-calls.ts";
import { callId } from "./announced.ts";

/** Kinds of updates that show no work: notices come while it tries again, too. */
const IDLE: ReadonlySet<string> = new Set([
  "notice",
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
]);

/** Whether a `session/update` tells of a tool call. */
export function isOfTool(update: Fields): boolean {
  return update["sessionUpdate"] === "tool_call" || update["sessionUpdate"] === "tool_call_update";
}

/** Hears one `session/update`; true when it shows progress. */
export function hearUpdate(
  update: Fields,
  said: Said,
  queue: EventQueue,
  tool: (call: ToolCall) => void,
): boolean {
  const kind = text(update["sessionUpdate"]);
  switch (kind) {
    case "agent_message_chunk":
      said.piece(text(fields(update["content"])["text"]));
      return true;
    case "tool_call":
    case "tool_call_update":
      said.pause();
      tool(toolCall(update));
      return true;
    case "usage_update":
      queue.push({ type: "usage", ...contextUsage(update) });
      return true;
    case "notice":
      queue.line("stderr", oneLine(text(update["message"]) || text(update["title"]), 1_000));
      return false;
    default:
      return !IDLE.has(kind);
  }
}

/** States of a tool call that are told; in between it only gets its title and its arguments. */
const STATES: Readonly<Record<string, ToolCall["state"]>> = { completed: "done", failed: "failed" };

function toolCall(update: Fields): ToolCall {
  const status = text(update["status"]);
  const begins = update["sessionUpdate"] === "tool_call" ? "started" : undefined;
  const kind = text(update["kind"]);
  return {
    id: callId(update),
    kind: kind === "" ? undefined : toolKind(kind),
    title: text(update["title"]),
    state: Object.hasOwn(STATES, status) ? STATES[status] : begins,
    bytes: bytesOf(update),
  };
}

/** What its model wrote for a call, and reads of its result: what an editor is shown besides is not for the model. */
function bytesOf(update: Fields): ToolCall["bytes"] {
  const { rawInput, rawOutput, content } = update;
  const parts = list(content).map(fields);
  const shown = parts.reduce((sum, part) => sum + sizeOf(text(fields(part["content"])["text"])), 0);
  const given = sizeOf(rawInput);
  const returned = Math.max(shown, sizeOf(rawOutput));
  return given + returned === 0 ? undefined : { given, returned };
}

/** Bytes of a value as JSON, escapes apart. It walks without recursion: agents nest as deep as they like. */
function sizeOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "string") return Buffer.byteLength(value);
  let bytes = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") bytes += Buffer.byteLength(one) + 2;
    else if (Array.isArray(one)) {
      bytes += 1 + Math.max(1, one.length);
      for (const item of one) open.push(item);
    } else if (typeof one === "object" && one !== null) {
      const entries = Object.entries(one);
      bytes += 1 + Math.max(1, entries.length);
      for (const [key, item] of entries) {
        bytes += Buffer.byteLength(key) + 3;
        open.push(item);
      }
    } else bytes += String(one).length;
  }
  return bytes;
}

/** What an agent says against itself in the extras of an update. */
export interface Confession {
  /** Its words; undefined when it has none. */
  readonly said: string | undefined;
  /** True when it will not get on, although its turn may yet end as if nothing were. */
  readonly broken: boolean;
}

/** Hears the extras of an update for errors; undefined when they tell of none. */
export function confessionIn(update: Fields): Confession | undefined {
  for (const extra of Object.values(fields(update["_meta"])).map(fields)) {
    const error = fields(extra["error"]);
    const parts = [text(error["additionalDetails"]), text(error["message"])].filter(part => part !== "");
    const broken = fields(extra["threadStatus"])["type"] === "systemError";
    if (broken || parts.length > 0) return { said: parts.join(" · ") || undefined, broken };
  }
  return undefined;
}

function contextUsage(update: Fields): AgentUsage {
  const cost = fields(update["cost"]);
  return defined<AgentUsage>({
    contextUsed: tokens(update["used"]),
    contextSize: tokens(update["size"]),
    costUsd: cost["currency"] === "USD" ? dollars(cost["amount"]) : undefined,
  });
}

type Told = { readonly [K in keyof AgentUsage]: AgentUsage[K] | undefined };

/** Whether all that a count names can be true: one that is wrong in a part is not right in the rest. */
function canBe(count: Fields): boolean {
  return Object.values(count).every(value => typeof value !== "number" || tokens(value) !== undefined);
}

/** A count as it is told; undefined where it tells nothing, and where it cannot be true: what was written was read for. */
function counted(told: Told): AgentUsage | undefined {
  const { inputTokens = 0, outputTokens = 0 } = told;
  if (inputTokens === 0 && outputTokens > 0) return undefined;
  const usage = defined<AgentUsage>(told);
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/**
 * Tokens of one prompt from its answer. The protocol names none; some agents add `usage`, Gemini its `_meta.quota`.
 * Undefined where there is nothing of the kind that can be true.
 */
export function promptUsage(result: Fields): AgentUsage | undefined {
  const usage = fields(result["usage"]);
  const quota = fields(fields(fields(result["_meta"])["quota"])["token_count"]);
  if (!canBe(usage) || !canBe(quota)) return undefined;
  const cached = tokens(usage["cachedReadTokens"]);
  const fresh = tokens(usage["inputTokens"]) ?? tokens(quota["input_tokens"]);
  const made = tokens(usage["cachedWriteTokens"]) ?? 0;
  const written = tokens(usage["outputTokens"]) ?? tokens(quota["output_tokens"]);
  const thought = tokens(usage["thoughtTokens"]);
  const total = tokens(usage["totalTokens"]);
  // Whether what came from a cache, or was thought, is counted among them or beside them shows in the sum only.
  const isBeside =
    fresh !== undefined && total === fresh + (cached ?? 0) + made + (written ?? 0) + (thought ?? 0);
  const output = isBeside && thought !== undefined ? (written ?? 0) + thought : written;
  const isAll = fresh !== undefined && !isBeside && total === fresh + (written ?? 0);
  return counted({
    inputTokens: fresh === undefined ? undefined : isAll ? fresh : fresh + (cached ?? 0) + made,
    outputTokens: output,
    cachedTokens: cached,
    reasoningTokens: thought,
  });
}

/** Tokens of one call of the model, which Qwen Code adds to the message that the call made. */
export function stepUsage(update: Fields): AgentUsage | undefined {
  if (update["sessionUpdate"] !== "agent_message_chunk") return undefined;
  const usage = fields(fields(update["_meta"])["usage"]);
  if (!canBe(usage)) return undefined;
  return counted({
    inputTokens: tokens(usage["inputTokens"]),
    outputTokens: tokens(usage["outputTokens"]),
    cachedTokens: tokens(usage["cachedReadTokens"]),
    reasoningTokens: tokens(usage["thoughtTokens"]),
  });
}
